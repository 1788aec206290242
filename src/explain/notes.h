/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPLAIN_NOTES_H
#define CUMSUM_EXPLAIN_NOTES_H

/* What is worth a look in an output that passes, or is suspect. */

#include <cumsum/explain.h>

/* Adds the notes on a judgement of a scan or of sums; there are none on outputs that fail, or where
 * elements may share an address. Integers have only the note on sums that wrap. */
void cumsum_note_output(const cumsum_judged *judged, cumsum_explanation *explanation);

#endif
