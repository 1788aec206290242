/* SPDX-License-Identifier: MIT */
/*
 * The checker of the kernels: runs every kernel that this processor has against the reference, bit
 * for bit, on hundreds of thousands of cases that are the same each time. With --broken it checks
 * itself: it must find planted defects. `check_kernels --help` has the options.
 */
#include "case_group.h"
#include "check_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL_AGREE = 0,
    SOME_DIFFER = 1,
    USAGE = 2,
    ENVIRONMENT = 3,
    FAILURES_SHOWN = 5,
    FEWEST_BY_NAME = 4 /* cases that a share leaves of a group, if there are as many */
};

typedef struct request {
    const char *program;
    const char *group;  /* NULL: all */
    const char *kernel; /* NULL: all that run here */
    const char *broken; /* NULL: the kernels themselves */
    const char *run;    /* "pieces", "stack"; NULL: each case in one call */
    uint64_t seed;
    uint64_t only; /* the number of a single case */
    bool has_only;
    uint32_t share;  /* one case in `share` runs */
    uint64_t turn;   /* which one; as many turns as the share are all cases */
    uint32_t margin; /* elements */
    bool list;
} request;

static const char help[] =
    "usage: check_kernels [--group G] [--kernel K] [--seed N] [--case M] [--share N]\n"
    "                     [--margin N] [--run pieces|stack]\n"
    "       check_kernels --broken NAME|all [...]\n"
    "       check_kernels --list\n"
    "\n"
    "Compares the outputs of kernels and the memory around them with the reference's, bit for\n"
    "bit. Without options: all groups, all kernels that run here, all cases.\n"
    "\n"
    "--group G      cases of one group\n"
    "--kernel K     one kernel\n"
    "--seed N       other random choices\n"
    "--case M       one case of the group\n"
    "--share N      one case in N, spread evenly; CUMSUM_TEST_SEED of the environment chooses it\n"
    "--margin N     keep N more elements between tensors and guard pages, for emulators that load\n"
    "               the masked lanes of a vector too\n"
    "--run pieces   execute each case in random pieces, from carries\n"
    "--run stack    measure the stack that the calls take\n"
    "--broken NAME  plant a defect, which must be found; all: each of them\n"
    "--list         print the groups and the defects\n"
    "\n"
    "Exit status: 0 all agree (with --broken: all defects were found); 1 otherwise; 2 usage;\n"
    "3 no memory, or the kernel does not run here.\n";

/* A planted defect: a mutant, or a broken candidate. */
typedef struct defect {
    const char *name;
    const char *what;
    candidate_function *run;
    const mutant *mutant; /* NULL for a broken candidate */
} defect;

enum {
    MAX_DEFECTS = 250
};

/* All that this checker can see. */
static size_t list_defects(defect defects[MAX_DEFECTS]) {
    size_t count = 0;
    for (const mutant *const *family = mutant_families; *family; family++)
        for (const mutant *m = *family; m->name && count < MAX_DEFECTS; m++)
            if (!m->needs_offset)
                defects[count++] = (defect){m->name, m->bug, candidate_run_mutant, m};
    for (const broken_candidate *b = broken_candidates; b->name && count < MAX_DEFECTS; b++)
        defects[count++] = (defect){b->name, b->what, b->run, NULL};
    return count;
}

static bool read_number(const char *text, uint64_t *number) {
    char *end = NULL;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

static bool read_small_number(const char *text, uint32_t least, uint32_t *number) {
    uint64_t wide = 0;
    if (!read_number(text, &wide) || wide < least || wide > 1000000)
        return false;
    *number = (uint32_t)wide;
    return true;
}

/* Takes an option and its value; false if there is no such option or value. */
static bool read_option(request *r, const char *option, const char *value) {
    if (strcmp(option, "--share") == 0)
        return read_small_number(value, 1, &r->share);
    if (strcmp(option, "--margin") == 0)
        return read_small_number(value, 0, &r->margin);
    if (strcmp(option, "--group") == 0)
        r->group = value;
    else if (strcmp(option, "--kernel") == 0)
        r->kernel = value;
    else if (strcmp(option, "--broken") == 0)
        r->broken = value;
    else if (strcmp(option, "--run") == 0)
        return (r->run = strcmp(value, "pieces") && strcmp(value, "stack") ? NULL : value) != NULL;
    else if (strcmp(option, "--seed") == 0)
        return read_number(value, &r->seed);
    else if (strcmp(option, "--case") == 0)
        return r->has_only = read_number(value, &r->only);
    else
        return false;
    return true;
}

static bool read_request(request *r, int count, char **arguments) {
    const char *folder = strrchr(arguments[0], '/');
    *r = (request){.program = folder ? folder + 1 : arguments[0],
                   .seed = 1,
                   .share = 1,
                   .turn = random_share_seed()};
    for (int i = 1; i < count; i += 2) {
        if (strcmp(arguments[i], "--list") == 0 && count == 2) {
            r->list = true;
            return true;
        }
        if (i + 1 == count || !read_option(r, arguments[i], arguments[i + 1])) {
            fprintf(stderr, "check_kernels: '%s' is not an option with a value that it takes\n",
                    arguments[i]);
            return false;
        }
    }
    if (r->broken) /* these cases find every defect */
        r->turn = 0;
    return true;
}

static void list_all(void) {
    for (const case_group *const *g = case_groups; *g; g++)
        printf("%-13s %7" PRIu64 " cases: %s\n", (*g)->name, (*g)->count, (*g)->what);
    defect defects[MAX_DEFECTS];
    const size_t count = list_defects(defects);
    for (size_t i = 0; i < count; i++)
        printf("broken %-24s %s\n", defects[i].name, defects[i].what);
}

/* Chooses the kernels to check. The reference is one: it shares the planner with the others. */
static bool choose_kernels(checker *checks, const request *r) {
    for (int k = CUMSUM_KERNEL_REFERENCE; k <= CUMSUM_KERNEL_NEON; k++) {
        const char *reason = NULL;
        const char *name = cumsum_kernel_name((cumsum_kernel)k);
        const bool wanted = !r->kernel || strcmp(r->kernel, name) == 0;
        if (wanted && cumsum_kernel_available((cumsum_kernel)k, &reason))
            checks->kernels[checks->kernel_count++] = (cumsum_kernel)k;
        else if (wanted)
            printf("kernel %s does not run here: %s\n", name, reason);
    }
    return checks->kernel_count > 0;
}

static uint64_t hash_name(const char *name) {
    uint64_t hash = 0;
    for (; *name; name++)
        hash = random_mix(hash + (unsigned char)*name + 1);
    return hash;
}

static void make_case(kernel_case *c, const case_group *group, uint64_t seed, uint64_t index) {
    uint64_t random = random_mix(seed ^ hash_name(group->name)) + random_mix(index);
    group->make(c, index, &random);
}

/* A guaranteed alignment holds at the guard page only, so it is dropped. */
static void keep_apart(kernel_case *c, uint32_t margin) {
    for (int operand = 0; operand < CASE_OPERANDS && margin > 0; operand++) {
        c->operand[operand].offset += margin;
        c->operand[operand].alignment = 0;
    }
}

/* The request with a share that leaves at least `fewest` of the group's cases, if it has as many.
 */
static request at_least(const request *r, const case_group *group, uint32_t fewest) {
    request enough = *r;
    const uint64_t most = group->count / fewest;
    if (enough.share > most)
        enough.share = most ? (uint32_t)most : 1;
    return enough;
}

static bool in_share(const request *r, uint64_t index) {
    return r->has_only ? index == r->only : (random_mix(index + 1) + r->turn) % r->share == 0;
}

/* How many of a group's cases ran, and how many of them differ. */
typedef struct outcome {
    uint64_t cases;
    uint64_t differ;
} outcome;

static bool run_case(checker *checks, const request *r, const case_group *group, uint64_t index) {
    kernel_case c;
    make_case(&c, group, r->seed, index);
    keep_apart(&c, r->margin);
    return checker_run(checks, &c,
                       &(case_origin){r->program, group->name, r->seed, index, r->margin});
}

static outcome run_group(checker *checks, const request *r, const case_group *group,
                         uint64_t stop_after) {
    outcome o = {0, 0};
    for (uint64_t i = 0; i < group->count && o.differ < stop_after; i++) {
        if (!in_share(r, i))
            continue;
        o.cases++;
        o.differ += !run_case(checks, r, group, i);
    }
    return o;
}

static bool wants_group(const request *r, const case_group *group) {
    return !r->group || strcmp(r->group, group->name) == 0;
}

static void print_kernels(const checker *checks) {
    for (unsigned i = 0; i < checks->kernel_count; i++)
        printf("kernel %s: %" PRIu64 " runs, %" PRIu64 " of them by the reference\n",
               cumsum_kernel_name(checks->kernels[i]), checks->runs[i], checks->by_reference[i]);
}

static int check_kernels(checker *checks, const request *r) {
    outcome all = {0, 0};
    for (const case_group *const *g = case_groups; *g; g++) {
        if (!wants_group(r, *g))
            continue;
        const request enough = r->group ? at_least(r, *g, FEWEST_BY_NAME) : *r;
        const outcome o = run_group(checks, &enough, *g, FAILURES_SHOWN);
        printf("%s: %" PRIu64 " cases of %" PRIu64 ", %" PRIu64 " differ%s\n", (*g)->name, o.cases,
               (*g)->count, o.differ, o.differ == FAILURES_SHOWN ? " (and stopped there)" : "");
        all.cases += o.cases;
        all.differ += o.differ;
    }
    print_kernels(checks);
    printf("%" PRIu64 " cases, seed %" PRIu64 ", %" PRIu64 " differ\n", all.cases, r->seed,
           all.differ);
    if (all.cases == 0) {
        fprintf(stderr, "check_kernels: no such group or case; see --list\n");
        return USAGE;
    }
    return all.differ ? SOME_DIFFER : ALL_AGREE;
}

/* Does a case find what is planted? Tries 20 cases of each group, then 200. */
static bool find_defect(checker *checks, const request *r, const defect *d) {
    checks->candidate = d->run;
    checks->mutant = d->mutant;
    for (uint32_t fewest = 20; fewest <= 200; fewest *= 10)
        for (const case_group *const *g = case_groups; *g; g++) {
            const request enough = at_least(r, *g, fewest);
            if (wants_group(r, *g) && run_group(checks, &enough, *g, 1).differ)
                return true;
        }
    return false;
}

/* Are the implementations without a defect right? Else a defect that is found proves nothing. */
static bool finds_too_much(checker *checks, const request *r) {
    const mutant *const right[] = {&mutant_right, &mutant_right_blocked};
    bool found = false;
    for (int i = 0; i < 2; i++)
        found |= find_defect(checks, r, &(defect){"right", "none", candidate_run_mutant, right[i]});
    return found;
}

static int check_checker(checker *checks, const request *r) {
    defect defects[MAX_DEFECTS];
    const size_t count = list_defects(defects);
    unsigned tried = 0;
    unsigned found = 0;
    checks->quiet = strcmp(r->broken, "all") == 0;
    checks->kernels[0] = CUMSUM_KERNEL_REFERENCE;
    checks->kernel_count = 1;
    for (size_t i = 0; i < count; i++)
        if (checks->quiet || strcmp(r->broken, defects[i].name) == 0) {
            const bool one = find_defect(checks, r, &defects[i]);
            printf("%-24s%s\n", defects[i].name, one ? "" : " NOT FOUND");
            tried++;
            found += one;
        }
    const bool too_much = finds_too_much(checks, r);
    printf("%u defects, %u found%s\n", tried, found, too_much ? ", and one where none is" : "");
    return tried == 0 ? USAGE : found == tried && !too_much ? ALL_AGREE : SOME_DIFFER;
}

int main(int count, char **arguments) {
    static checker checks;
    request r;
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        fputs(help, stdout);
        return ALL_AGREE;
    }
    if (!read_request(&r, count, arguments))
        return USAGE;
    if (r.list) {
        list_all();
        return ALL_AGREE;
    }
    if (!checker_init(&checks)) {
        fprintf(stderr, "check_kernels: no memory\n");
        return ENVIRONMENT;
    }
    if (r.run)
        checks.candidate = *r.run == 'p' ? candidate_run_pieces : candidate_run_stack;
    if (r.broken)
        return check_checker(&checks, &r);
    return choose_kernels(&checks, &r) ? check_kernels(&checks, &r) : ENVIRONMENT;
}
