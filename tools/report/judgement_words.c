/* SPDX-License-Identifier: MIT */
#include "judgement_words.h"

const char *judgement_verdict_word(const cumsum_judgement *j) {
    uint64_t exact = j->counts[CUMSUM_VERDICT_EXACT];
    uint64_t judged = 0; /* fewer than the outputs where some lie under others */
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        judged += j->counts[v];
    if (!j->pass)
        return cumsum_verdict_name(CUMSUM_VERDICT_FAIL);
    if (exact == judged)
        return cumsum_verdict_name(CUMSUM_VERDICT_EXACT);
    for (int v = CUMSUM_VERDICT_CONFORMANT; v < CUMSUM_VERDICT_INDETERMINATE; v++)
        if (j->models & (1u << v))
            return cumsum_verdict_name((cumsum_verdict)v);
    bool rest = exact + j->counts[CUMSUM_VERDICT_INDETERMINATE] == judged;
    return rest ? cumsum_verdict_name(CUMSUM_VERDICT_INDETERMINATE) : "mixed";
}
