/* SPDX-License-Identifier: MIT */
/* Files of another kind than a command takes: each gets a sentence that says what to do with it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "array_member.h"
#include "commands.h"
#include "file.h"

typedef enum file_kind {
    FILE_UNREAD, /* empty, or not to be opened: its reader says why */
    FILE_ARRAY,
    FILE_JSON,
    FILE_TEXT,
    FILE_ELEMENTS
} file_kind;

/* Of the first bytes. Elements have control characters, which JSON and other text have not. */
static file_kind kind_of_bytes(const unsigned char *bytes, size_t size) {
    size_t blanks = 0, plain = 0;
    while (blanks < size && isspace(bytes[blanks]))
        blanks++;
    while (plain < size && bytes[plain] >= '\t')
        plain++;
    return size == 0                                         ? FILE_UNREAD
           : size >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0 ? FILE_ARRAY
           : blanks < size && bytes[blanks] == '{'           ? FILE_JSON
           : plain == size                                   ? FILE_TEXT
                                                             : FILE_ELEMENTS;
}

/* Reads nothing from a pipe or a device. */
static file_kind file_kind_of(const char *path) {
    unsigned char bytes[512];
    struct stat found;
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return FILE_UNREAD;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return kind_of_bytes(bytes, size);
}

/* What keeps arrays in other ways; NULL if it is none that is known. */
static const char *other_container(const char *path) {
    if (file_has_extension(path, ".pt") || file_has_extension(path, ".pth"))
        return "is PyTorch's: numpy.save('x.npy', tensor.cpu().numpy()) writes an array";
    return array_member_kind(path);
}

static const char *why_no_array(const tool_options *options, const char *path) {
    return options->command == COMMAND_SWEEP ? "is an array: its name must end in .npy"
           : path == options->files[0] || !(options->command & TAKES_CASES)
               ? "is an array: cumsum judge X.npy Y.npy judges arrays"
           : options->command != COMMAND_JUDGE
               ? "is an array, and no case file"
               : "is an array, and no case file: --actual RESOURCE=FILE.npy takes the output of a "
                 "resource";
}

/* Commands take arrays (if the first FILE is one), case files, or texts. NULL: the file is none of
 * the wrong kinds. */
static const char *why_other_kind(const tool_options *options, const char *path) {
    const bool array = options->input, text = !(options->command & TAKES_CASES);
    const file_kind kind = file_kind_of(path);
    const char *container = other_container(path);
    if (kind == FILE_UNREAD || kind == (array ? FILE_ARRAY : FILE_JSON) ||
        (text && kind == FILE_TEXT) ||
        (array && options->raw.rank && !file_has_extension(path, ".npy")))
        return NULL;
    if (kind == FILE_ARRAY || container)
        return kind == FILE_ARRAY ? why_no_array(options, path) : container;
    if (text)
        return options->command == COMMAND_SWEEP ? "is no case file, nor list of names"
                                                 : "is no text";
    if (array)
        return kind == FILE_JSON
                   ? "is JSON, and no array"
                   : "is no .npy file: --raw float32:3x500 says what raw elements are";
    return kind == FILE_TEXT ? "is neither an array nor a case file"
                             : "is no case file: --raw float32:3x500 says what raw elements are";
}

tool_status command_check_kinds(const tool_options *options, tool_error *error) {
    const unsigned others = COMMAND_DESCRIPTORS | COMMAND_COMPARE | COMMAND_MINIMIZE;
    for (size_t i = 0; i < options->file_count; i++) {
        const char *path = options->files[i];
        const bool looked_at = (options->command & (TAKES_CASES | others)) ||
                               (options->command == COMMAND_SWEEP && !npy_is_path(path));
        const char *why = looked_at ? why_other_kind(options, path) : NULL;
        if (why)
            return tool_fail(error, TOOL_MALFORMED, "'%.400s' %s", path, why);
    }
    return TOOL_OK;
}
