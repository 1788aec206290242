/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPLAIN_H
#define CUMSUM_EXPLAIN_H

/*
 * A judgement in words and as JSON, and what a wrong or suspect output is instead of the sums. The
 * command-line tool, Python and the page print these texts:
 *
 *     cumsum_judged judged = {.desc = &desc, .input = x, .input_in_bytes = x_size, .actual = y,
 *                             .actual_in_bytes = y_size, .judgement = &judgement};
 *     status = cumsum_judge(&desc, x, x_size, y, y_size, NULL, NULL, &judgement, &why);
 *     if (status == CUMSUM_OK)
 *         status = cumsum_explain(&judged, &explanation, &why);
 *     if (status == CUMSUM_OK) {
 *         char text[4096];
 *         cumsum_judgement_text(&judged, &explanation, CUMSUM_TEXT_STATUS, text, sizeof text);
 *         puts(text); // "FAIL: 5 of 6 outputs fail: they are the exclusive sums"
 *     }
 *
 * Texts are in ASCII but for what the caller's profile has. Functions that write one take the
 * caller's buffer and its size. They return the length of the whole text without its terminating 0,
 * as snprintf does: a length of `room` or more says that the text was cut there. With a room of 0
 * the buffer may be NULL.
 *
 * Every function may be called from any thread at any time. cumsum_explain and the text of findings
 * allocate scratch memory during the call; nothing has to be freed.
 */

#include <cumsum/cumsum.h>
#include <cumsum/oracle.h>
#include <cumsum/sums.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An output that was judged: the arguments of the call that judged it, and its result. Everything
 * belongs to the caller, and is only read. */
typedef struct cumsum_judged {
    const cumsum_operator_desc *desc; /* of cumsum_judge; else NULL */
    const cumsum_sums_desc *sums;     /* of cumsum_judge_sums; else NULL */
    cumsum_data_type type;            /* where both are NULL, which is a judgement of pieces: the */
    uint32_t rank;                    /* type, and the number of dimensions */
    const void *input;                /* as for the call; NULL for pieces */
    uint64_t input_in_bytes;
    const void *actual;
    uint64_t actual_in_bytes;
    const void *before; /* the output before the operator ran, laid out as `actual`; NULL if it is
                           not known: then nothing is said about outputs that were not written */
    const cumsum_judge_options *options; /* NULL: all zero */
    const cumsum_judgement *judgement;   /* the result */
    uint64_t closer;                     /* of cumsum_sums_judgement; else 0 */
    const char *profile;                 /* the text of options->profile, which is shown; or NULL */
    const uint64_t (*places)[CUMSUM_MAX_DIMENSIONS]; /* of pieces: the coordinates of `first`, of
                                                        `worst` and of the doubt; else NULL */
    bool measure; /* cumsum_explain measures the errors of all outputs. It works out every exact sum
                     once more, with memory for two binary64 numbers for each term of a line */
    bool range;   /* cumsum_explain counts the sums of integers that their type does not hold */
} cumsum_judged;

/* The errors y - S of the outputs, in the unit of the elements: y is an output, S the exact sum of
 * its terms. Those that are not finite are left out. */
typedef struct cumsum_errors {
    uint64_t outputs; /* that were measured; 0: the other members say nothing */
    double greatest;  /* the greatest magnitude */
    uint64_t ulps;    /* of that output from the exact sum, rounded */
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS]; /* the first output that has it */
    double mean;                                 /* the bias */
    double mean_magnitude;
} cumsum_errors;

/* What is worth a look in an output that passes, or is suspect. Notes are no verdicts.
 * docs/oracle.md, "What a pass leaves open", says what each one means. */
typedef enum cumsum_note_kind {
    CUMSUM_NOTE_WEAK_PASS = 0,     /* the worst output is off by a 128th of its terms' magnitudes or
                                      more, and by 16 roundings */
    CUMSUM_NOTE_MOVED_AT_ZERO = 1, /* an output differs from the one before, and the term between
                                      them is 0 */
    CUMSUM_NOTE_NOT_MONOTONIC = 2, /* an output goes back, and all of its terms have one sign */
    CUMSUM_NOTE_NARROW_PASS = 3,   /* the output passes as a sum of a 16-bit accumulator alone */
    CUMSUM_NOTE_NEARLY_SEQUENTIAL = 4, /* a few outputs are not the one before plus their newest
                                          term; also of suspect outputs */
    CUMSUM_NOTE_WRAPPED = 5, /* the exact sums of integers leave the range of their type; if that
                                was to be counted */
    CUMSUM_NOTE_COUNT = 6
} cumsum_note_kind;

typedef struct cumsum_note {
    uint64_t count;                        /* of outputs; of a weak pass 1; 0: there is no note */
    uint32_t first[CUMSUM_MAX_DIMENSIONS]; /* the first of them in row-major order; of a narrow pass
                                              the place of the doubt */
} cumsum_note;

/* What an output is instead of the sums, or what is worth a look in it. All zero: nothing is said.
 */
typedef struct cumsum_explanation {
    const char *hypothesis; /* "inclusive", a constant; NULL if nothing explains the outputs that
                               fail. docs/explanations.md has the list */
    char text[400];         /* "the inclusive sums" */
    bool certain;           /* else they could be, but chance might do it too */
    uint64_t explained;     /* outputs that fail, and that the hypothesis explains */
    uint64_t failing;       /* of those that were looked at */
    uint64_t looked_at;     /* fewer than the outputs if the tensor is large */
    cumsum_note notes[CUMSUM_NOTE_COUNT];
    double off;           /* of a weak pass: the error as a share of the sum of magnitudes */
    uint64_t terms;       /* of that output */
    bool stuck;           /* it is so large that no element of the input changes it any more */
    cumsum_errors errors; /* if they were to be measured; of floating-point types */
} cumsum_explanation;

/*
 * Explains a judgement. What is wrong is compared with hypotheses: other kinds of sums, other axes,
 * other elements, lost terms and carries. The one that explains most of the failing outputs is the
 * answer, the simplest of equals, if it explains at least nine of ten. Nothing is looked for where
 * a named order gives the output, and where outputs may share addresses. It takes a second at most
 * for 2^18 elements; of a larger tensor it looks at a part that holds the first failure.
 *
 * judged       a judgement. Of sums there are notes and errors alone, of pieces nothing
 * explanation  receives the result
 * Returns CUMSUM_OK, also if nothing explains the output; CUMSUM_INVALID_ARGUMENT for a null
 * pointer. Where memory is out, nothing is explained.
 */
CUMSUM_API cumsum_status cumsum_explain(const cumsum_judged *judged,
                                        cumsum_explanation *explanation,
                                        cumsum_diagnostic *diagnostic);

/* The parts of a text, which can be combined. Status, verdict and class are one line without its
 * end; the others are whole lines. A verdict has at most 100 characters, unless an explanation or
 * an order of levels is longer. */
typedef enum cumsum_text_parts {
    CUMSUM_TEXT_STATUS = 1,  /* "PASS: ", "FAIL: " or "SUSPECT: ", and then the verdict */
    CUMSUM_TEXT_VERDICT = 2, /* "worst output 1.2e-07 off (6.9 digits), order sequential": the error
                                of the output with the greatest h, relative to its exact sum */
    CUMSUM_TEXT_NOTES = 4,   /* a line for each note */
    CUMSUM_TEXT_FINDINGS = 8, /* the power of a doubt; unless all is well, the counts of verdicts;
                                 the first and the worst failure, and the lines around them */
    CUMSUM_TEXT_ALL = 16,     /* with FINDINGS: power and counts in any case */
    CUMSUM_TEXT_CLASS = 32    /* "conformant, h<=log2(m), h=1.04", or the numbers of a failure. It
                                 follows status and verdict after "; ", and may be empty */
} cumsum_text_parts;

/*
 * Writes a judgement in words.
 *
 * judged       the judgement. If it has no desc, no lines around failures are shown
 * explanation  what cumsum_explain said of it; NULL: nothing
 * parts        the sum of some cumsum_text_parts
 * text, room   receive the text
 * Returns the length of the text; 0 for a null judged or judgement.
 */
CUMSUM_API size_t cumsum_judgement_text(const cumsum_judged *judged,
                                        const cumsum_explanation *explanation, uint32_t parts,
                                        char *text, size_t room);

/*
 * Writes a judgement as one JSON object (RFC 8259), without spaces and line ends.
 * docs/formats.md, "JSON and JUnit", has its members. Elements are the shortest decimals that
 * read back as the same value, other numbers have six digits; NaN and infinities are the strings
 * "nan", "inf" and "-inf". Arguments and result are those of cumsum_judgement_text.
 */
CUMSUM_API size_t cumsum_judgement_json(const cumsum_judged *judged,
                                        const cumsum_explanation *explanation, char *text,
                                        size_t room);

#ifdef __cplusplus
}
#endif

#endif
