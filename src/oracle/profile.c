/* SPDX-License-Identifier: MIT */
/*
 * Profiles: what their names stand for, their text, and which members contradict each other. Texts
 * are read member by member, so that an error names the one that is wrong.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "diagnose.h"
#include "judge_steps.h"

arithmetic cumsum_profile_arithmetic(const cumsum_profile *profile, const binary_format *elements) {
    const binary_format *wider = judge_format_of(profile->accumulator);
    return (arithmetic){.accumulator = wider ? wider : elements,
                        .rounding = profile->rounding,
                        .flush_inputs = profile->flush_inputs,
                        .flush_results = profile->flush_results,
                        .order = profile->order,
                        .specials_absent = profile->specials_absent,
                        .wider_allowed = profile->wider_allowed};
}

/* "profile.accumulator is FLOAT16, but it contradicts the type of the elements, FLOAT32: ..." */
static cumsum_status contradicts(cumsum_diagnostic *diagnostic, const char *member,
                                 const char *word, const char *other, const char *other_word,
                                 const char *why) {
    const cumsum_status status =
        cumsum_diagnose_argument(diagnostic, member, 0, NULL, "must not contradict another member");
    if (diagnostic)
        snprintf(diagnostic->message, sizeof diagnostic->message,
                 "%s is %s, but it contradicts %s, %s: %s.", member, word, other, other_word, why);
    return status;
}

/* Does a format hold all numbers of another one? */
static bool holds(const binary_format *sums, const binary_format *elements) {
    return sums->precision >= elements->precision && sums->quantum <= elements->quantum;
}

static cumsum_status check_accumulator(const cumsum_profile *profile, cumsum_data_type type,
                                       cumsum_diagnostic *diagnostic) {
    static const char member[] = "profile.accumulator", other[] = "the type of the elements";
    const cumsum_data_type accumulator = profile->accumulator;
    const binary_format *sums = judge_format_of(accumulator), *elements = judge_format_of(type);
    const char *word = cumsum_data_type_name(accumulator), *type_word = cumsum_data_type_name(type);
    if (accumulator == CUMSUM_DATA_TYPE_UNKNOWN || accumulator == type)
        return CUMSUM_OK;
    if (!cumsum_data_type_size(accumulator))
        return cumsum_diagnose_argument(diagnostic, member, (uint64_t)accumulator, NULL,
                                        "must be a type of the elements");
    if (!elements || !sums)
        return contradicts(diagnostic, member, word, other, type_word,
                           "sums of integers are of their type, and only of theirs");
    if (!holds(sums, elements))
        return contradicts(diagnostic, member, word, other, type_word,
                           "it does not hold all of their values");
    return CUMSUM_OK;
}

cumsum_status cumsum_profile_check(const cumsum_profile *profile, cumsum_data_type type,
                                   bool promised, cumsum_diagnostic *diagnostic) {
    if (!profile)
        return CUMSUM_OK;
    const struct {
        const char *name;
        uint32_t value;
        uint32_t last;
    } members[] = {
        {"profile.rounding", (uint32_t)profile->rounding, CUMSUM_ROUNDING_EITHER},
        {"profile.flush_inputs", (uint32_t)profile->flush_inputs, CUMSUM_FLUSH_MUST},
        {"profile.flush_results", (uint32_t)profile->flush_results, CUMSUM_FLUSH_MUST},
        {"profile.order", (uint32_t)profile->order, CUMSUM_ALLOWED_SEQUENTIAL},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (members[i].value > members[i].last)
            return cumsum_diagnose_argument(diagnostic, members[i].name, members[i].value, NULL,
                                            "must be one of the values that oracle.h lists");
    if (promised)
        return contradicts(diagnostic, "options.promised", "true", "options.profile", "not NULL",
                           "both say in which arithmetic sums are");
    return check_accumulator(profile, type, diagnostic);
}

#define MOST_IS_ALLOWED                                                                            \
    "rounding=either,flush-inputs=may,flush-results=may,specials=absent,wider=allowed"

/* A name, and the members that it stands for. A row for each type that differs; the first that fits
 * counts. UNKNOWN is any type. */
static const struct {
    const char *name;
    cumsum_data_type type;
    const char *members;
} names[] = {
    {"ieee", CUMSUM_DATA_TYPE_UNKNOWN, ""},
    {"cuda", CUMSUM_DATA_TYPE_UNKNOWN, ""},
    {"hlsl", CUMSUM_DATA_TYPE_FLOAT32, "flush-inputs=must,flush-results=must"},
    {"hlsl", CUMSUM_DATA_TYPE_UNKNOWN, ""},
    {"sycl", CUMSUM_DATA_TYPE_UNKNOWN, "order=contiguous"},
    {"opencl", CUMSUM_DATA_TYPE_FLOAT32, "flush-inputs=may,flush-results=may,wider=allowed"},
    {"opencl", CUMSUM_DATA_TYPE_FLOAT16, "flush-inputs=may,flush-results=may,wider=allowed"},
    {"opencl", CUMSUM_DATA_TYPE_UNKNOWN, "wider=allowed"},
    {"vulkan", CUMSUM_DATA_TYPE_UNKNOWN, MOST_IS_ALLOWED},
    {"wgsl", CUMSUM_DATA_TYPE_UNKNOWN, MOST_IS_ALLOWED},
};

/* The members of a text, with their words in the order of the values. */
enum {
    MEMBER_ACCUMULATOR,
    MEMBER_ROUNDING,
    MEMBER_FLUSH_INPUTS,
    MEMBER_FLUSH_RESULTS,
    MEMBER_SPECIALS,
    MEMBER_ORDER,
    MEMBER_WIDER,
    MEMBER_COUNT,
    MEMBER_WORDS = 3
};
static const struct {
    const char *name;
    const char *shown;
    const char *words[MEMBER_WORDS];
    const char *rule;
} member_texts[MEMBER_COUNT] = {
    {"accumulator", "profile.accumulator", {NULL}, "must be the name of a type that is judged"},
    {"rounding",
     "profile.rounding",
     {"nearest", "toward-zero", "either"},
     "must be nearest, toward-zero or either"},
    {"flush-inputs",
     "profile.flush-inputs",
     {"never", "may", "must"},
     "must be never, may or must"},
    {"flush-results",
     "profile.flush-results",
     {"never", "may", "must"},
     "must be never, may or must"},
    {"specials", "profile.specials", {"ieee", "absent"}, "must be ieee or absent"},
    {"order",
     "profile.order",
     {"any", "contiguous", "sequential"},
     "must be any, contiguous or sequential"},
    {"wider", "profile.wider", {"forbidden", "allowed"}, "must be allowed or forbidden"},
};

/* A piece of a text. */
typedef struct text_piece {
    const char *begin;
    size_t length;
} text_piece;

static bool piece_is(text_piece piece, const char *word) {
    return strlen(word) == piece.length && !memcmp(piece.begin, word, piece.length);
}

/* "profile.order is 'every', but it must be any, contiguous or sequential." The piece is cut. */
static cumsum_status wrong_piece(cumsum_diagnostic *diagnostic, const char *member,
                                 text_piece piece, const char *rule) {
    char shown[32];
    const int length = piece.length > 28 ? 28 : (int)piece.length;
    snprintf(shown, sizeof shown, "'%.*s'", length, piece.begin);
    return cumsum_diagnose_argument(diagnostic, member, 0, shown, rule);
}

/* The members that a name stands for; NULL if it is none. */
static const char *find_name(text_piece piece, cumsum_data_type type) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (piece_is(piece, names[i].name) &&
            (names[i].type == type || names[i].type == CUMSUM_DATA_TYPE_UNKNOWN))
            return names[i].members;
    return NULL;
}

/* A type by its name; UNKNOWN if there is none. */
static cumsum_data_type find_type(text_piece piece) {
    for (int type = 0; type <= CUMSUM_DATA_TYPE_BFLOAT16; type++)
        if (cumsum_data_type_size((cumsum_data_type)type) &&
            piece_is(piece, cumsum_data_type_name((cumsum_data_type)type)))
            return (cumsum_data_type)type;
    return CUMSUM_DATA_TYPE_UNKNOWN;
}

static void set_member(cumsum_profile *profile, int member, int value) {
    switch (member) {
    case MEMBER_ROUNDING:
        profile->rounding = (cumsum_rounding)value;
        break;
    case MEMBER_FLUSH_INPUTS:
        profile->flush_inputs = (cumsum_flush)value;
        break;
    case MEMBER_FLUSH_RESULTS:
        profile->flush_results = (cumsum_flush)value;
        break;
    case MEMBER_SPECIALS:
        profile->specials_absent = value != 0;
        break;
    case MEMBER_ORDER:
        profile->order = (cumsum_allowed_order)value;
        break;
    default:
        profile->wider_allowed = value != 0;
        break;
    }
}

/* Sums of integers are exact, and need no more than a word that says so. */
static bool is_vain(cumsum_data_type type, int member, int value) {
    return !judge_format_of(type) && member != MEMBER_ORDER && value != 0;
}

static cumsum_status read_word(text_piece word, int member, cumsum_data_type type,
                               cumsum_profile *profile, cumsum_diagnostic *diagnostic) {
    const char *shown = member_texts[member].shown;
    if (member == MEMBER_ACCUMULATOR) {
        profile->accumulator = find_type(word);
        return profile->accumulator != CUMSUM_DATA_TYPE_UNKNOWN
                   ? CUMSUM_OK
                   : wrong_piece(diagnostic, shown, word, member_texts[member].rule);
    }
    for (int value = 0; value < MEMBER_WORDS && member_texts[member].words[value]; value++) {
        if (!piece_is(word, member_texts[member].words[value]))
            continue;
        if (is_vain(type, member, value))
            return contradicts(diagnostic, shown, member_texts[member].words[value],
                               "the type of the elements", cumsum_data_type_name(type),
                               "sums of integers are exact");
        set_member(profile, member, value);
        return CUMSUM_OK;
    }
    return wrong_piece(diagnostic, shown, word, member_texts[member].rule);
}

/* "order=contiguous". `given` has a bit for each member that was read before. */
static cumsum_status read_member(text_piece piece, cumsum_data_type type, unsigned *given,
                                 cumsum_profile *profile, cumsum_diagnostic *diagnostic) {
    const char *equals = memchr(piece.begin, '=', piece.length);
    const size_t length = equals ? (size_t)(equals - piece.begin) : 0;
    for (int member = 0; member < MEMBER_COUNT && equals; member++) {
        const text_piece name = {piece.begin, length},
                         word = {equals + 1, piece.length - length - 1};
        if (!piece_is(name, member_texts[member].name))
            continue;
        if (*given & 1u << member)
            return wrong_piece(diagnostic, member_texts[member].shown, word,
                               "must not be given twice");
        *given |= 1u << member;
        return read_word(word, member, type, profile, diagnostic);
    }
    return wrong_piece(
        diagnostic, "profile", piece,
        equals ? "must be accumulator, rounding, flush-inputs, flush-results, specials, order or "
                 "wider, and a word"
               : "must begin with ieee, cuda, hlsl, sycl, opencl, vulkan or wgsl, or be members "
                 "with their words");
}

/* Members that are separated by commas. */
static cumsum_status read_members(const char *text, cumsum_data_type type, cumsum_profile *profile,
                                  cumsum_diagnostic *diagnostic) {
    unsigned given = 0;
    cumsum_status status = CUMSUM_OK;
    while (text && status == CUMSUM_OK) {
        const char *comma = strchr(text, ',');
        const text_piece piece = {text, comma ? (size_t)(comma - text) : strlen(text)};
        status = read_member(piece, type, &given, profile, diagnostic);
        text = comma ? comma + 1 : NULL;
    }
    return status;
}

cumsum_status cumsum_profile_read(const char *text, cumsum_data_type type, cumsum_profile *profile,
                                  cumsum_diagnostic *diagnostic) {
    cumsum_profile p = {.accumulator = CUMSUM_DATA_TYPE_UNKNOWN};
    if (!text || !profile)
        return cumsum_diagnose_argument(diagnostic, !text ? "text" : "profile", 0, "NULL",
                                        "must not be a null pointer");
    const text_piece first = {text, strcspn(text, ",")};
    const char *members = find_name(first, type), *rest = text;
    if (members) { /* its words count for all types */
        rest = text[first.length] ? text + first.length + 1 : NULL;
        read_members(*members ? members : NULL, CUMSUM_DATA_TYPE_FLOAT32, &p, NULL);
    }
    cumsum_status status = read_members(rest, type, &p, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_profile_check(&p, type, false, diagnostic);
    if (status == CUMSUM_OK)
        *profile = p;
    return status;
}
