/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_SWEEP_HEADER_DIFFERENCE_H
#define CUMSUM_SWEEP_HEADER_DIFFERENCE_H

/* Two first lines of results, which say what a sweep is. */

#include <json-c/json.h>

/* The first member that the two do not share; NULL where there is none. `apart`, which NULL ends,
 * names those in which they may differ. */
const char *header_difference(json_object *a, json_object *b, const char *const *apart);

/* The member as JSON, or "absent". It lives as long as the object. */
const char *header_member_text(json_object *header, const char *key);

#endif
