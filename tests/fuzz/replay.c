/* SPDX-License-Identifier: MIT */
/* replay MUTATIONS FOLDER...: runs the target on every file of the folders, and on so many
 * mutations of each, the same ones every time. */
#include <dirent.h>
#include <string.h>

#include "file.h"
#include "fuzz_target.h"
#include "memory_limit.h"
#include "mutate.h"

/* Each input has memory of exactly its size, so that a tool sees a byte too far. */
static void run(const uint8_t *data, size_t size) {
    uint8_t *exact = malloc(size ? size : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void run_mutations(const file_contents *file, unsigned long mutations) {
    size_t capacity = file->size + 256;
    uint8_t *data = malloc(capacity);
    uint64_t random = file->size;
    FUZZ_CHECK(data);
    for (unsigned long i = 0; i < mutations; i++) {
        memcpy(data, file->bytes, file->size);
        run(data, mutate(data, file->size, capacity, &random));
    }
    free(data);
}

static int is_file(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static unsigned long run_folder(const char *folder, unsigned long mutations) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_file, alphasort);
    unsigned long files = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        file_contents file;
        tool_error error;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (file_read(path, &file, &error) != TOOL_OK) {
            fprintf(stderr, "%s\n", error.message);
            abort();
        }
        run(file.bytes, file.size);
        run_mutations(&file, mutations);
        memory_release(file.bytes);
        free(entries[i]);
        files++;
    }
    if (count >= 0)
        free(entries);
    return files;
}

int main(int argc, char **argv) {
    unsigned long mutations = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    unsigned long files = 0;
    for (int i = 2; i < argc; i++)
        files += run_folder(argv[i], mutations);
    printf("%lu files, %lu mutations of each\n", files, mutations);
    return files > 0 ? 0 : 1;
}
