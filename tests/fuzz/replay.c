/* SPDX-License-Identifier: MIT */
/* The fuzz targets without libFuzzer.
 *
 * fuzz_replay TARGET MUTATIONS CORPUS...: runs the target on every file of a folder, or every text
 * of a file of rows (tests/reject), on its beginnings, and on MUTATIONS random changes of each,
 * which are the same in every run. The program's memory is limited: a reader may not allocate what
 * a number in its text says.
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

/* The longest text takes a hundredth of it. Sanitizers need more. */
static void limit_memory(void) {
#ifdef LIMITED_MEMORY
    const struct rlimit limit = {(rlim_t)256 << 20, (rlim_t)256 << 20};
    FUZZ_CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
#endif
}

/* A text that is changed, with room to grow. */
typedef struct changed_text {
    uint8_t *bytes;
    size_t size;
    size_t room;
    uint64_t random;
} changed_text;

static size_t draw(changed_text *t, size_t below) {
    const uint64_t number = random_next(&t->random);
    return below ? (size_t)(number % below) : 0;
}

/* Puts other bytes in the place of those at position, if there is room. The header of an .npy file
 * begins with its length, which stays right. */
static void put(changed_text *t, size_t position, size_t removed, const void *bytes, size_t count) {
    static const char npy[] = "\x93NUMPY\x01";
    const bool header = t->size >= 10 && memcmp(t->bytes, npy, sizeof npy - 1) == 0;
    const size_t length = header ? t->bytes[8] + ((size_t)t->bytes[9] << 8) : 0;
    if (t->size - removed + count > t->room)
        return;
    memmove(t->bytes + position + count, t->bytes + position + removed,
            t->size - position - removed);
    memcpy(t->bytes + position, bytes, count);
    t->size += count - removed;
    if (position >= 10 && position + removed <= 10 + length) {
        t->bytes[8] = (uint8_t)(length + count - removed);
        t->bytes[9] = (uint8_t)((length + count - removed) >> 8);
    }
}

/* One of the words of a list. */
static void put_word(changed_text *t, size_t position, size_t removed, const char *list) {
    const char *word = list + draw(t, strlen(list));
    while (word > list && word[-1] != ' ')
        word--;
    put(t, position, removed, word, strcspn(word, " "));
}

#define NUMBERS                                                                                    \
    "-1 0 2147483648 9223372036854775808 18446744073709551616 4294967295 65536 1e308 1.5"
#define WORDS                                                                                      \
    NUMBERS " 1e999 -0 null true \"nan\" [ ] { } , : \" \\u0041 // /* */ \n ( ) ' <f4 \"Desc\": "  \
            "[[[[ {}, \xEF\xBB\xBF \xC3\xA9"

/* Another number in the place of the next one. */
static void change_number(changed_text *t, size_t position) {
    static const char digits[] = "0123456789";
    size_t length = 0;
    while (position < t->size && !memchr(digits, t->bytes[position], 10))
        position++;
    while (position + length < t->size && memchr("0123456789.", t->bytes[position + length], 11))
        length++;
    put_word(t, position, length, NUMBERS);
}

/* A field of 1, 4 or 8 bytes gets its least or greatest number, with a sign or without. */
static void change_field(changed_text *t, size_t position) {
    const size_t size = (size_t[]){1, 4, 8}[draw(t, 3)];
    const int byte = draw(t, 2) ? 0xFF : 0;
    if (size > t->size - position)
        return;
    memset(t->bytes + position, byte, size);
    if (draw(t, 2))
        t->bytes[position + size - 1] ^= 0x80;
}

/* Longer than any buffer that a reader may have for a name or a message. */
#define LONG_STRING 20000

static void change(changed_text *t) {
    static char letters[LONG_STRING];
    const size_t position = draw(t, t->size), rest = t->size - position;
    const size_t some = draw(t, rest < 41 ? rest + 1 : 41), from = draw(t, t->size);
    uint8_t part[64];
    switch (t->size > 0 ? draw(t, 10) : 9) {
    case 0:
        t->bytes[position] ^= (uint8_t)(1U << draw(t, 8));
        break;
    case 1:
        put(t, position, some, "", 0);
        break;
    case 2: { /* a part of the text once more */
        const size_t count = draw(t, t->size - from < 64 ? t->size - from : 64);
        memcpy(part, t->bytes + from, count);
        put(t, position, 0, part, count);
        break;
    }
    case 3:
        memset(letters, 'a', sizeof letters);
        put(t, position, 0, letters, sizeof letters);
        break;
    case 4:
        change_field(t, position);
        break;
    case 5:
    case 6:
    case 7:
        change_number(t, position);
        break;
    default:
        put_word(t, draw(t, t->size + 1), 0, WORDS);
        break;
    }
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

/* What is done with each text of a corpus, and how many there were. */
typedef struct replay {
    unsigned long mutations;
    const char *unpacked; /* the folder, or NULL */
    unsigned long texts;
} replay;

/* Of a short text all beginnings, else as many as mutations. */
static void run_beginnings(const replay *r, const void *text, size_t size) {
    const size_t step = size / r->mutations + 1;
    for (size_t end = 0; end <= size; end += step)
        run(text, end);
}

static void run_mutations(const replay *r, const void *text, size_t size) {
    changed_text t = {.room = size + 2 * LONG_STRING, .random = size};
    t.bytes = malloc(t.room);
    FUZZ_CHECK(t.bytes);
    for (unsigned long i = 0; i < r->mutations; i++) {
        memcpy(t.bytes, text, size);
        t.size = size;
        for (size_t times = 1 + draw(&t, 3); times > 0; times--)
            change(&t);
        run(t.bytes, t.size);
    }
    free(t.bytes);
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
    run_beginnings(r, text, size);
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
    for (size_t i = 0; argc > 3 && i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(argv[1], targets[i].name) == 0)
            target = targets[i].run;
    if (!target) {
        fprintf(stderr, "usage: fuzz_replay TARGET MUTATIONS CORPUS... or TARGET --unpack FOLDER "
                        "CORPUS...\n");
        return 2;
    }
    limit_memory();
    if (strcmp(argv[2], "--unpack") == 0)
        r.unpacked = argv[3];
    r.mutations = r.unpacked ? 1 : strtoul(argv[2], NULL, 10);
    for (int i = r.unpacked ? 4 : 3; i < argc && r.mutations > 0; i++)
        use_corpus(&r, argv[i]);
    printf("%lu texts, %lu mutations of each\n", r.texts, r.mutations);
    return r.texts > 0 ? 0 : 1;
}
