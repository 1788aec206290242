/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_REJECT_ROWS_H
#define CUMSUM_TESTS_REJECT_ROWS_H

/*
 * Files of rows: a text that a reader gets, and the message with which it refuses the text. The
 * tests of the readers and the fuzz targets read them. A file has lines of these forms:
 *
 *     # a comment
 *     PART = TEMPLATE           a text that is right, with $ in the place of a snippet
 *     PART: SNIPPET | MESSAGE   the template with the snippet is refused, with this message
 *     PART: SNIPPET             it is accepted
 *     PART: SNIPPET |= WORDS    and these words say what was read (check_rejections.c)
 *
 * In snippets and templates %41 is the byte 0x41, and %LL the number of bytes of the snippet in 16
 * bits, little-endian. An @ in a snippet marks a place and is taken out: the message then begins
 * with "text:LINE:COLUMN: " of that place. Without a mark the row has the whole message, or its
 * beginning and "...".
 */

#include <stddef.h>

#define REJECT_ROOM 16384

typedef struct reject_row {
    size_t number; /* of the row's line in the file, from 1 */
    char text[REJECT_ROOM];
    size_t length;
    char message[1024]; /* "" if the text is accepted */
    char words[1024];   /* "" if they are not given */
} reject_row;

typedef void reject_use(void *context, const reject_row *row);

/* Calls use for each row. Returns the number of rows; ends the program with a message if the file
 * cannot be read or is not of this form. */
size_t reject_read(const char *path, reject_use *use, void *context);

/* The template of a part of the file, with the snippet in its place; ends the program if there is
 * no such part. */
void reject_fill(const char *path, const char *part, const char *snippet, reject_row *row);

#endif
