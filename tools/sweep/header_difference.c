/* SPDX-License-Identifier: MIT */
#include "header_difference.h"

#include <stdbool.h>
#include <string.h>

#include "json_make.h"

static bool is_among(const char *key, const char *const *keys) {
    for (; *keys; keys++)
        if (strcmp(*keys, key) == 0)
            return true;
    return false;
}

/* The first member of a that b has not, or otherwise. */
static const char *missing_in(json_object *b, json_object *a, const char *const *apart) {
    json_object *other = NULL;
    json_object_object_foreach(a, key, value) {
        bool same = json_object_object_get_ex(b, key, &other) && json_object_equal(value, other);
        if (!same && !is_among(key, apart))
            return key;
    }
    return NULL;
}

const char *header_difference(json_object *a, json_object *b, const char *const *apart) {
    const char *key = missing_in(b, a, apart);
    return key ? key : missing_in(a, b, apart);
}

const char *header_member_text(json_object *header, const char *key) {
    json_object *member;
    return json_object_object_get_ex(header, key, &member)
               ? json_print(member, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)
               : "absent";
}
