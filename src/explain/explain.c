/* SPDX-License-Identifier: MIT */
/* cumsum_explain: checks the arguments, and chooses the hypotheses and notes. */
#include "diagnose.h"
#include "errors.h"
#include "failure_context.h"
#include "notes.h"

static void explain_failure(const cumsum_judged *judged, cumsum_explanation *explanation) {
    failure_context c;
    const bool ready = cumsum_failure_open(&c, judged);
    if (ready && c.suspect)
        cumsum_try_error_jumps(&c);
    else if (ready)
        cumsum_try_hypotheses(&c);
    cumsum_failure_close(&c);
    *explanation = c.best;
}

cumsum_status cumsum_explain(const cumsum_judged *judged, cumsum_explanation *explanation,
                             cumsum_diagnostic *diagnostic) {
    const char *missing = !judged              ? "judged"
                          : !explanation       ? "explanation"
                          : !judged->judgement ? "judged.judgement"
                                               : NULL;
    if (!missing && (judged->desc || judged->sums))
        missing = !judged->input ? "judged.input" : !judged->actual ? "judged.actual" : NULL;
    if (missing)
        return cumsum_diagnose_argument(diagnostic, missing, 0, "NULL",
                                        "must not be a null pointer");
    *explanation = (cumsum_explanation){0};
    if (!judged->desc && !judged->sums)
        return CUMSUM_OK;
    if (judged->desc)
        explain_failure(judged, explanation);
    cumsum_note_output(judged, explanation);
    if (judged->measure)
        cumsum_measure_errors(judged, &explanation->errors);
    return CUMSUM_OK;
}
