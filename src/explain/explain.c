/* SPDX-License-Identifier: MIT */
/* cumsum_explain: arguments, and what is tried of which output. */
#include "diagnose.h"
#include "failure_context.h"
#include "notes.h"

static void explain_failure(const cumsum_judged *judged, cumsum_explanation *explanation) {
    failure_context c;
    const bool ready = cumsum_failure_open(&c, judged);
    if (ready && c.doubtful)
        cumsum_try_error_jumps(&c);
    else if (ready)
        cumsum_try_hypotheses(&c);
    cumsum_failure_close(&c);
    *explanation = c.best;
}

cumsum_status cumsum_explain(const cumsum_judged *judged, cumsum_explanation *explanation,
                             cumsum_diagnostic *diagnostic) {
    const char *missing = !judged                           ? "judged"
                          : !explanation                    ? "explanation"
                          : !judged->judgement              ? "judged.judgement"
                          : judged->desc && !judged->input  ? "judged.input"
                          : judged->desc && !judged->actual ? "judged.actual"
                                                            : NULL;
    if (missing)
        return cumsum_diagnose_argument(diagnostic, missing, 0, "NULL",
                                        "must not be a null pointer");
    *explanation = (cumsum_explanation){0};
    if (!judged->desc)
        return CUMSUM_OK;
    explain_failure(judged, explanation);
    cumsum_note_output(judged, explanation);
    return CUMSUM_OK;
}
