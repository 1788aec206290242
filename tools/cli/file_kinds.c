/* SPDX-License-Identifier: MIT */
/* Files of another kind than a command takes: each gets a sentence that says what to do with it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "array_member.h"
#include "commands.h"
#include "file.h"

/* So many bytes tell text from elements. */
#define LOOKED_AT 512

typedef struct file_start {
    unsigned char bytes[LOOKED_AT];
    size_t size;
} file_start;

/* Reads nothing from a pipe or a device. A file that cannot be opened has size 0 here: its reader
 * says why. */
static file_start look_at(const char *path) {
    file_start start = {.size = 0};
    struct stat found;
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rb") : NULL;
    if (file) {
        start.size = fread(start.bytes, 1, sizeof start.bytes, file);
        fclose(file);
    }
    return start;
}

static bool is_npy(const file_start *start) {
    return start->size >= 6 && memcmp(start->bytes, "\x93NUMPY", 6) == 0;
}

/* Elements have control characters, which JSON has not. */
static bool is_text(const file_start *start) {
    for (size_t i = 0; i < start->size; i++)
        if (start->bytes[i] < '\t')
            return false;
    return true;
}

static bool is_json(const file_start *start) {
    size_t i = 0;
    while (i < start->size && isspace(start->bytes[i]))
        i++;
    return i < start->size && start->bytes[i] == '{';
}

/* What keeps arrays in other ways; NULL if it is none that is known. */
static const char *other_container(const char *path) {
    static const char *const endings[][2] = {
        {".pt", "is PyTorch's: numpy.save('x.npy', tensor.cpu().numpy()) writes an array"},
        {".pth", "is PyTorch's: numpy.save('x.npy', tensor.cpu().numpy()) writes an array"}};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (file_has_extension(path, endings[i][0]))
            return endings[i][1];
    return array_member_kind(path);
}

static const char *no_array(const tool_options *options, const char *path) {
    const file_start start = look_at(path);
    if (options->raw.rank && !file_has_extension(path, ".npy"))
        return NULL;
    return !start.size || is_npy(&start) ? NULL
           : other_container(path)       ? other_container(path)
           : is_json(&start)             ? "is JSON, and no array"
                             : "is no .npy file: --raw float32:3x500 says what raw elements are";
}

static const char *no_case_file(const tool_options *options, const char *path) {
    const file_start start = look_at(path);
    if (!start.size || is_json(&start))
        return NULL;
    if (is_npy(&start))
        return path == options->files[0] ? "is an array: cumsum judge X.npy Y.npy judges arrays"
               : options->command != COMMAND_JUDGE
                   ? "is an array, and no case file"
                   : "is an array, and no case file: --actual RESOURCE=FILE.npy takes the output "
                     "of a resource";
    return other_container(path) ? other_container(path)
           : is_text(&start)     ? "is neither an array nor a case file"
                             : "is no case file: --raw float32:3x500 says what raw elements are";
}

static const char *no_text(const tool_options *options, const char *path) {
    const bool sweeps = options->command == COMMAND_SWEEP;
    const file_start start = look_at(path);
    return is_npy(&start)          ? (sweeps ? "is an array: its name must end in .npy"
                                             : "is an array: cumsum judge X.npy Y.npy judges arrays")
           : is_text(&start)       ? NULL
           : other_container(path) ? other_container(path)
           : sweeps                ? "is no case file, nor list of names"
                                   : "is no text";
}

tool_status command_check_kinds(const tool_options *options, tool_error *error) {
    const unsigned command = (unsigned)options->command;
    const bool cases = command & (COMMAND_RUN | COMMAND_VERIFY | COMMAND_JUDGE);
    const bool texts =
        command & (COMMAND_DESCRIPTORS | COMMAND_COMPARE | COMMAND_MINIMIZE | COMMAND_SWEEP);
    for (size_t i = 0; i < options->file_count && (cases || texts); i++) {
        const char *path = options->files[i];
        const bool taken = options->command == COMMAND_SWEEP && npy_is_path(path);
        const char *why = taken            ? NULL
                          : options->input ? no_array(options, path)
                          : cases          ? no_case_file(options, path)
                                           : no_text(options, path);
        if (why)
            return tool_fail(error, TOOL_MALFORMED, "'%.400s' %s", path, why);
    }
    return TOOL_OK;
}
