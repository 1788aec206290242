/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGEMENT_WORDS_H
#define CUMSUM_TOOLS_JUDGEMENT_WORDS_H

#include <cumsum/oracle.h>

/* One word for a tensor: "FAIL"; "exact" where every output is; the first model that fits every
 * output; "indeterminate" where only such outputs stand beside exact ones; "mixed" where each
 * output fits a model but no model fits them all. */
const char *judgement_verdict_word(const cumsum_judgement *j);

#endif
