/* SPDX-License-Identifier: MIT */
/* Whole files: read into memory, mapped, and written atomically. tests/cli/cases/unreadable has
 * what cannot be read. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "file.h"
#include "memory_limit.h"
#include "scratch_folder.h"

static tool_error error;

static void expect_read(const char *path, const char *contents) {
    file_contents file;
    assert_int_equal(file_read(path, &file, &error), TOOL_OK);
    assert_int_equal(file.size, strlen(contents));
    assert_string_equal((const char *)file.bytes, contents);
    assert_int_equal((uintptr_t)file.bytes % 64, 0);
    memory_free(file.bytes);
}

static void reading(void) {
    expect_read(scratch_write("a", "hello", 5), "hello");
    expect_read(scratch_write("empty", "", 0), "");
}

static tool_status write_two(const char *path, const char *first, const char *second) {
    const file_part parts[2] = {{first, strlen(first)}, {second, strlen(second)}};
    return file_write(path, parts, 2, &error);
}

static void writing(void) {
    struct stat status;
    mode_t mask = umask(027);
    const char *path = scratch_path("w");
    assert_int_equal(write_two(path, "one", "two"), TOOL_OK);
    expect_read(path, "onetwo");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0604), 0); /* a file that is replaced keeps its mode */
    assert_int_equal(write_two(path, "", "3"), TOOL_OK);
    expect_read(path, "3");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0604);
    assert_int_equal(umask(mask), 027);
}

static void writing_through_a_link(void) {
    struct stat status;
    const char *target = scratch_write("target", "old", 3);
    const char *link = scratch_path("link");
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(write_two(link, "n", "ew"), TOOL_OK);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    expect_read(target, "new");
    /* The same through a chain of links, and where the last one points to nothing yet. */
    const char *chain = scratch_path("chain");
    assert_int_equal(symlink(link, chain), 0);
    assert_int_equal(unlink(target), 0);
    assert_int_equal(write_two(chain, "a", "gain"), TOOL_OK);
    expect_read(target, "again");
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(chain, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    const char *circle = scratch_path("circle");
    assert_int_equal(symlink("circle", circle), 0);
    assert_int_equal(write_two(circle, "a", "b"), TOOL_ENVIRONMENT);
    assert_int_equal(lstat(circle, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void end_by_hangup(int number) {
    (void)number;
    (void)raise(SIGHUP);
}

/* A file may not grow beyond ten bytes, so a signal comes while it is written: it ends the program
 * with SIGHUP. */
static void write_and_end(const char *path) {
    const struct rlimit limit = {10, 10};
    (void)signal(SIGXFSZ, end_by_hangup);
    if (setrlimit(RLIMIT_FSIZE, &limit) == 0)
        (void)write_two(path, "0123456789", "more");
    _exit(0);
}

static int is_beside(const struct dirent *entry) {
    return strncmp(entry->d_name, "signalled", 9) == 0;
}

/* A signal that ends the program leaves the old file, and nothing beside it. */
static void writing_is_ended(void) {
    struct dirent **entries;
    int status;
    const char *path = scratch_write("signalled", "old", 3);
    const pid_t child = fork();
    if (child == 0)
        write_and_end(path);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGHUP);
    expect_read(path, "old");
    const int count = scandir(scratch_path("."), &entries, is_beside, NULL);
    assert_int_equal(count, 1);
    free(entries[0]);
    free(entries);
}

/* An output that cannot be closed or renamed leaves what was there before, and nothing else. */
static void finishing(void) {
    file_output out;
    const char *path = scratch_write("finished", "old", 3);
    assert_int_equal(file_begin(&out, path, &error), TOOL_OK);
    file_remove_unfinished();
    assert_int_equal(file_finish(&out, &error), TOOL_ENVIRONMENT);
    expect_read(path, "old");
    const char *fresh = scratch_path("fresh");
    assert_int_equal(file_begin(&out, fresh, &error), TOOL_OK);
    assert_int_equal(close(out.descriptor), 0);
    assert_int_equal(file_finish(&out, &error), TOOL_ENVIRONMENT);
    assert_false(file_exists(fresh));
}

/* A file of long ago, mapped. */
static const char *map_old(const void *bytes, size_t size, file_contents *file) {
    static const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    const char *path = scratch_write("mapped", bytes, size);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(file_map(path, file, &error), TOOL_OK);
    assert_true(file->mapped);
    assert_int_equal(file->size, size);
    return path;
}

/* The check says that a file was changed until its bytes are freed. */
static void free_changed(const file_contents *file, const char *path) {
    char expected[300];
    assert_int_equal(file_check_maps(&error), TOOL_ENVIRONMENT);
    snprintf(expected, sizeof expected, "%s: was changed while it was read", path);
    assert_string_equal(error.message, expected);
    file_free(file->bytes + 5);
    assert_int_equal(file_check_maps(&error), TOOL_OK);
}

/* Mapped bytes may be changed, which the file does not notice. Where the file becomes shorter,
 * zeros are read. */
static void mapping(void) {
    static const char bytes[3 << 20] = {'a'};
    file_contents file;
    const char *path = map_old(bytes, sizeof bytes, &file);
    assert_int_equal(file.bytes[0], 'a');
    file.bytes[0] = file.bytes[2 << 20] = 'b';
    assert_int_equal(file_check_maps(&error), TOOL_OK);
    assert_int_equal(truncate(path, 1 << 20), 0);
    assert_int_equal(file.bytes[(1 << 20) + 5000], 0);
    assert_int_equal(file.bytes[sizeof bytes - 1], 0);
    assert_int_equal(file.bytes[0], 'b');
    free_changed(&file, path);

    /* Inside its last page nothing is raised. */
    path = map_old(bytes, 5000, &file);
    assert_int_equal(truncate(path, 4999), 0);
    free_changed(&file, path);

    path = map_old(bytes, 5000, &file);
    const int descriptor = open(path, O_WRONLY);
    assert_int_equal(write(descriptor, "b", 1), 1);
    assert_int_equal(close(descriptor), 0);
    free_changed(&file, path);

    assert_int_equal(file_map(scratch_write("small", "abc", 3), &file, &error), TOOL_OK);
    assert_false(file.mapped);
    assert_memory_equal(file.bytes, "abc", 3);
    file_free(file.bytes);
    assert_int_equal(file_map(scratch_path("."), &file, &error), TOOL_MALFORMED);
}

CHECK_GROUP_WITH(test_file, scratch_make, scratch_remove, T(reading), T(writing),
                 T(writing_through_a_link), T(writing_is_ended), T(finishing), T(mapping));
