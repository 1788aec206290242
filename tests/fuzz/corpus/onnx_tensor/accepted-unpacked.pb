BxXXXXXXXXX	X
XX