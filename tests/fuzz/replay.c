/* SPDX-License-Identifier: MIT */
/* The fuzz targets without libFuzzer.
 *
 * fuzz_replay TARGET MUTATIONS STEP CORPUS...: runs the target on every file of a folder, or every
 * text of a file of rows (tests/reject), on the changes that systematic.h lists, one in STEP, and
 * on MUTATIONS random ones of each, which are the same in every run. The program's memory is
 * limited: a reader may not allocate what a number in its text says.
 *
 * fuzz_replay TARGET --unpack FOLDER CORPUS...: writes the texts into the folder, a file each, for
 * libFuzzer.
 */
#include <dirent.h>
#include <string.h>
#ifdef LIMITED_MEMORY
#include <sys/resource.h>
#endif

#include "file.h"
#include "fuzz_target.h"
#include "memory_limit.h"
#include "reject_rows.h"
#include "splitmix64.h"
#include "systematic.h"

/* The longest text takes a hundredth of it. Sanitizers need more. */
static void limit_memory(void) {
#ifdef LIMITED_MEMORY
    const struct rlimit limit = {(rlim_t)256 << 20, (rlim_t)256 << 20};
    FUZZ_CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
#endif
}

static size_t draw(uint64_t *random, size_t below) {
    const uint64_t number = random_next(random);
    return below ? (size_t)(number % below) : 0;
}

/* Puts other bytes in the place of those at position. Returns the new size; the old one if there is
 * no room. */
static size_t splice(uint8_t *data, size_t size, size_t capacity, size_t position, size_t removed,
                     const void *bytes, size_t count) {
    if (size - removed + count > capacity)
        return size;
    memmove(data + position + count, data + position + removed, size - position - removed);
    memcpy(data + position, bytes, count);
    return size - removed + count;
}

/* Changes size bytes at data in place, as the numbers of *random say, to at most capacity bytes.
 * Returns the new size. */
static size_t mutate(uint8_t *data, size_t size, size_t capacity, uint64_t *random) {
    static const char *const words[] = {"null",
                                        "-1",
                                        "0",
                                        "1e999",
                                        "18446744073709551616",
                                        "4294967295",
                                        "65536",
                                        "\"nan\"",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        ",",
                                        ":",
                                        "\"",
                                        "\\u0041",
                                        "//",
                                        "/*",
                                        "*/",
                                        "\n",
                                        "\xEF\xBB\xBF",
                                        "true",
                                        "-0",
                                        "\xC3\xA9",
                                        "(",
                                        ")",
                                        "'",
                                        "<f4",
                                        "\"Desc\":",
                                        "[[[[",
                                        "{},",
                                        "1.5"};
    for (size_t times = 1 + draw(random, 3); times > 0; times--) {
        const size_t position = draw(random, size), rest = size - position;
        const size_t removed = draw(random, rest < 41 ? rest + 1 : 41), from = draw(random, size);
        const char *word = words[draw(random, sizeof words / sizeof words[0])];
        uint8_t bytes[64];
        switch (size > 0 ? draw(random, 7) : 6) {
        case 0:
            data[position] ^= (uint8_t)(1U << draw(random, 8));
            break;
        case 1:
            data[position] = (uint8_t)draw(random, 256);
            break;
        case 2:
            size = splice(data, size, capacity, position, removed, "", 0);
            break;
        case 3: { /* a part of the text once more */
            const size_t count = draw(random, size - from < 64 ? size - from : 64);
            memcpy(bytes, data + from, count);
            size = splice(data, size, capacity, position, 0, bytes, count);
            break;
        }
        case 4:
            size = position; /* the file ends early */
            break;
        default:
            size = splice(data, size, capacity, draw(random, size + 1), 0, word, strlen(word));
            break;
        }
    }
    return size;
}

static const struct {
    const char *name;
    fuzz_function *run;
} targets[] = {{"fuzz_case", fuzz_case},
               {"fuzz_case_list", fuzz_case_list},
               {"fuzz_case_name", fuzz_case_name},
               {"fuzz_descriptors", fuzz_descriptors},
               {"fuzz_npy", fuzz_npy},
#ifndef _WIN32
               {"fuzz_ready", fuzz_ready},
#endif
               {"fuzz_results", fuzz_results}};

static fuzz_function *target; /* the one that is asked for */

/* Each input gets a block of exactly its size, so that sanitizers notice a read beyond it. */
static void run(const uint8_t *data, size_t size) {
    uint8_t *exact = malloc(size ? size : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, data, size);
    target(exact, size);
    free(exact);
}

/* What is done with each text of a corpus, and how often it was. */
typedef struct replay {
    unsigned long mutations;
    size_t step;
    const char *unpacked; /* the folder, or NULL */
    unsigned long texts;
    unsigned long changes;
} replay;

static void run_mutations(const replay *r, const void *text, size_t size) {
    size_t capacity = size + 256;
    uint8_t *data = malloc(capacity);
    uint64_t random = size;
    FUZZ_CHECK(data);
    for (unsigned long i = 0; i < r->mutations; i++) {
        memcpy(data, text, size);
        run(data, mutate(data, size, capacity, &random));
    }
    free(data);
}

static void unpack(const replay *r, const void *text, size_t size) {
    char path[4096];
    tool_error error;
    const file_part part = {text, size};
    snprintf(path, sizeof path, "%s/%lu", r->unpacked, r->texts);
    if (file_write(path, &part, 1, &error) != TOOL_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

static void use_text(replay *r, const void *text, size_t size) {
    r->texts++;
    if (r->unpacked) {
        unpack(r, text, size);
        return;
    }
    run(text, size);
    r->changes += systematic_changes(text, size, r->step, run);
    run_mutations(r, text, size);
}

static int is_file(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static void use_file(replay *r, const char *folder, const char *name) {
    char path[4096];
    file_contents file;
    tool_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (file_read(path, &file, &error) != TOOL_OK) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    use_text(r, file.bytes, file.size);
    memory_free(file.bytes);
}

static void use_row(void *context, const reject_row *row) {
    use_text(context, row->text, row->length);
}

static void use_corpus(replay *r, const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, is_file, alphasort);
    if (count < 0) {
        reject_read(path, use_row, r);
        return;
    }
    for (int i = 0; i < count; i++) {
        use_file(r, path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv) {
    replay r = {0};
    for (size_t i = 0; argc > 4 && i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(argv[1], targets[i].name) == 0)
            target = targets[i].run;
    if (!target) {
        fprintf(stderr, "usage: fuzz_replay TARGET MUTATIONS STEP CORPUS... or TARGET --unpack "
                        "FOLDER CORPUS...\n");
        return 2;
    }
    limit_memory();
    if (strcmp(argv[2], "--unpack") == 0)
        r.unpacked = argv[3];
    r.mutations = strtoul(argv[2], NULL, 10);
    r.step = strtoul(argv[3], NULL, 10);
    for (int i = 4; i < argc && (r.step > 0 || r.unpacked); i++)
        use_corpus(&r, argv[i]);
    printf("%lu texts, %lu changes, %lu mutations of each text\n", r.texts, r.changes, r.mutations);
    return r.texts > 0 ? 0 : 1;
}
