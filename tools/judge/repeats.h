/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_REPEATS_H
#define CUMSUM_TOOLS_REPEATS_H

/* The outputs of several runs of one sum on the same input: whether their bits depend on the run,
 * where, and how many different outputs there are. Two NaNs are equal, as in a comparison. */

#include <stdio.h>

#include "compare.h"

/* The first different outputs, which are kept. Of later ones a digest is kept. */
#define REPEATS_KEPT 4

typedef struct repeated_output {
    unsigned char *bytes; /* the whole buffer; all NaN have the same bits */
    uint64_t digest;      /* of the elements */
    uint64_t runs;        /* that gave it */
} repeated_output;

/* All zero before repeats_init. */
typedef struct repeats {
    layout tensor;
    uint64_t offset; /* bytes of a buffer before its first element */
    uint64_t size;   /* bytes of a buffer */
    bool promised;   /* the implementation promises the same bits in every run */
    uint64_t runs;   /* that have been added */
    repeated_output kept[REPEATS_KEPT];
    uint32_t kept_count;
    uint64_t *digests;     /* of the different outputs */
    uint64_t distinct;     /* how many; what is between the elements does not count */
    comparison difference; /* of the first two of them; "expected" is the first run's */
} repeats;

void repeats_init(repeats *r, const layout *tensor, uint64_t offset, uint64_t size);

/* Takes the buffer of one more run, and copies what it keeps. False without memory. */
bool repeats_add(repeats *r, const unsigned char *buffer);

void repeats_free(repeats *r);

static inline bool repeats_unstable(const repeats *r) {
    return r->difference.differing > 0;
}

/* "3 different outputs in 10 runs: 12 of 400 elements differ, the first at [0,5]: 1 (0x3f800000)
 * and 2 (0x40000000), relative error 1", and a promise. Of outputs that are unstable. The caller
 * frees it. */
char *repeats_sentence(const repeats *r);

/* Lines "output 1, of 6 runs: VERDICT", one for each kept output. */
void repeats_explain(FILE *out, const repeats *r, char *const verdicts[REPEATS_KEPT]);

/* The same as JSON: runs, distinct, differing, first, outputs, promised. */
json_object *repeats_object(const repeats *r, char *const verdicts[REPEATS_KEPT]);

#endif
