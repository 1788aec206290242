/* SPDX-License-Identifier: MIT */
/*
 * The names of the oracle's enums, in the order of their values. They are an interface: reports,
 * JSON and the documents use them, and case files and scripts read them back. A name may be added;
 * none may change.
 */
#include <cumsum/oracle.h>

#include <stddef.h>

/* Any other number has a name too, so that a caller can print it unchecked. */
static const char *name_of(const char *const *names, size_t count, unsigned value) {
    return value < count ? names[value] : "unknown";
}

const char *cumsum_verdict_name(cumsum_verdict verdict) {
    static const char *const names[CUMSUM_VERDICT_COUNT] = {
        "exact",
        "conformant",
        "conformant-with-flush",
        "binary32-nearest-even",
        "binary32-toward-zero",
        "binary32-ieee",
        "binary16",
        "binary16-truncating",
        "binary16-saturating",
        "bfloat16",
        "wider",
        "may-overflow",
        "FAIL",
        "SUSPECT",
    };
    return name_of(names, CUMSUM_VERDICT_COUNT, (unsigned)verdict);
}

const char *cumsum_error_class_name(cumsum_error_class error_class) {
    static const char *const names[] = {
        "correctly-rounded", "h<=1",         "h<=log2(m)", "h<=2*log2(m)",
        "worst-case",        "may-overflow", "FAIL",
    };
    return name_of(names, sizeof names / sizeof names[0], (unsigned)error_class);
}

const char *cumsum_doubt_reason_name(cumsum_doubt_reason reason) {
    static const char *const names[] = {"none", "not-by-neighbours", "error-jumps",
                                        "nothing-known"};
    return name_of(names, sizeof names / sizeof names[0], (unsigned)reason);
}

const char *cumsum_named_order_name(cumsum_named_order order) {
    static const char *const names[CUMSUM_NAMED_ORDER_COUNT] = {
        "sequential",          "blocked",  "exact", "hillis-steele", "sklansky", "blelloch",
        "sequential-binary64", "composed",
    };
    return name_of(names, CUMSUM_NAMED_ORDER_COUNT, (unsigned)order);
}
