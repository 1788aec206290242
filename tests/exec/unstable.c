/* SPDX-License-Identifier: MIT */
/*
 * An implementation for --exec whose bits may depend on the run: unstable MANNER [promises]. It
 * sums lines of FLOAT32 in one of two correct orders: one by one, or in pairs. MANNER says when it
 * adds in pairs:
 *   stable   never
 *   counter  in every other request
 *   line     in the second line of every third request
 *   race     while another process has the lock on the file CUMSUM_LOCK
 *   carry    never, but the carry into element 3000 of lines of 4000 elements or more lacks 1/16
 *   tile     never, but that carry lacks it for 128 elements only
 *   bits     never, but the eighth output of a line has other bits in every request
 *   nan      never, but that output is a NaN of other bits
 *   gap      never, but the third request writes what is behind each line
 *   lost     never, but the third request ends the process
 * If CUMSUM_MEET is set, a process that has the lock waits until another one has failed to get it.
 * With "promises" the implementation says that it is deterministic.
 */
#include <cumsum/exec.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>

typedef struct manner {
    const char *word;
    uint32_t requests;
} manner;

/* by_twos: each pair x0 + x1 is added to the sum of the pairs before it. The output between them is
 * that sum plus x0. */
static void add(const cumsum_exec_line *line, const cumsum_exec_request *r, bool by_twos,
                const char *fault) {
    const uint32_t lacks = strcmp(fault, "carry") == 0  ? line->length
                           : strcmp(fault, "tile") == 0 ? 3128
                                                        : 0;
    float sum = 0;    /* of whole pairs, or of all elements */
    float before = 0; /* the sum before this element */
    float x0 = 0;
    for (uint32_t i = 0; i < line->length; i++) {
        const ptrdiff_t at = (ptrdiff_t)i;
        const float x = ((const float *)line->input)[at * line->input_step];
        const bool second = by_twos && i % 2 == 1;
        const float now = second ? sum + (x0 + x) : sum + x;
        const bool wrong = line->length >= 4000 && i >= 3000 && i < lacks;
        ((float *)line->output)[at * line->output_step] =
            (r->exclusive ? before : now) - (wrong ? 0.0625F : 0);
        sum = !by_twos || second ? now : sum;
        before = now;
        x0 = x;
    }
}

/* False if another process has the lock. */
static bool take_lock(int file, const char *meet) {
    const bool taken = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (!taken && meet)
        close(open(meet, O_CREAT | O_WRONLY, 0666));
    for (int i = 0; taken && meet && i < 20000 && access(meet, F_OK) != 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return taken;
}

static bool goes_by_twos(manner *m, uint64_t line) {
    if (strcmp(m->word, "counter") == 0)
        return m->requests % 2 == 0;
    return strcmp(m->word, "line") == 0 && line == 1 && m->requests % 3 == 0;
}

/* What a request does to a line beside its sums. */
static void spoil(const manner *m, const cumsum_exec_line *line) {
    float *output = (float *)line->output;
    uint32_t bits = 0x7FC00000 + m->requests;
    if (strcmp(m->word, "bits") == 0) {
        memcpy(&bits, &output[7 * line->output_step], sizeof bits);
        bits ^= m->requests;
    }
    if (strcmp(m->word, "bits") == 0 || strcmp(m->word, "nan") == 0)
        memcpy(&output[7 * line->output_step], &bits, sizeof bits);
    if (strcmp(m->word, "gap") == 0 && m->requests == 3)
        output[(ptrdiff_t)line->length * line->output_step] = 1;
    if (strcmp(m->word, "lost") == 0 && m->requests == 3)
        exit(5);
}

static int scan(void *state, const cumsum_exec_request *r, char *text) {
    manner *m = (manner *)state;
    const char *path = strcmp(m->word, "race") == 0 ? getenv("CUMSUM_LOCK") : NULL;
    const int file = path ? open(path, O_CREAT | O_RDWR, 0666) : -1;
    const bool raced = path && !take_lock(file, getenv("CUMSUM_MEET"));
    (void)text;
    m->requests++;
    for (uint64_t n = 0; n < cumsum_exec_line_count(r); n++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, n);
        add(&line, r, raced || goes_by_twos(m, n), m->word);
        spoil(m, &line);
    }
    if (path)
        close(file);
    return CUMSUM_EXEC_OK;
}

int main(int count, char **arguments) {
    manner m = {.word = count > 1 ? arguments[1] : "stable"};
    const cumsum_exec_implementation implementation = {.name = m.word,
                                                       .types = "FLOAT32",
                                                       .directions = "INCREASING",
                                                       .strides = true,
                                                       .in_place = true,
                                                       .deterministic = count > 2};
    return cumsum_exec_serve(&implementation, scan, &m);
}
