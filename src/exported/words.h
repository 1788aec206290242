/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPORTED_WORDS_H
#define CUMSUM_EXPORTED_WORDS_H

/*
 * Words that this project's own programs share with the texts of cumsum/explain.h: elements as
 * decimals, distances, the lines of a scan around a place, types of sums, and a legend. The library
 * exports these functions, but its interface does not have them: the header is not installed, and
 * any version may change them.
 *
 * Every function may be called from any thread at any time.
 */

#include <cumsum/explain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A text that is written to a buffer, as far as there is room. */
typedef struct cumsum_writer {
    char *text; /* ends with 0 after each call, unless room is 0 */
    size_t room;
    size_t length; /* of the whole text */
    bool begun;    /* of JSON: the object or the array that is open has a member */
} cumsum_writer;

/* Are outputs suspect, and does none fail? */
CUMSUM_API bool cumsum_judged_suspect(const cumsum_judgement *judgement);

/* The name of an order: a constant, or, of levels, `text`, which receives it. */
CUMSUM_API const char *cumsum_order_words(const cumsum_order_match *match,
                                          char text[CUMSUM_ORDER_TEXT]);

/* Room for any element in decimal or hexadecimal, the 0 byte included. */
#define CUMSUM_ELEMENT_TEXT 40

/* The decimal of fewest digits that reads back as the same value, and of these the nearest; "nan",
 * "inf" and "-inf". Plain notation where that is short, an exponent otherwise. Whole numbers in
 * plain notation have all of their digits. "?" for a type without a byte size. The locale does not
 * matter. */
CUMSUM_API void cumsum_element_decimal(char text[CUMSUM_ELEMENT_TEXT], cumsum_data_type type,
                                       uint64_t bits);

/* "0x3f800000", as many digits as the type has. */
CUMSUM_API void cumsum_element_hex(char text[CUMSUM_ELEMENT_TEXT], cumsum_data_type type,
                                   uint64_t bits);

/* Beyond this a distance in ulp tells little. */
#define CUMSUM_MANY_ULPS (UINT64_C(1) << 20)

/* "5 (0x40a00000)" */
CUMSUM_API void cumsum_write_value(cumsum_writer *w, cumsum_data_type type, uint64_t bits);

/* "3 ulp apart", or for more than 2^20 ulps "relative error 0.35"; for integers "3 apart". */
CUMSUM_API void cumsum_write_distance(cumsum_writer *w, cumsum_data_type type, uint64_t expected,
                                      uint64_t actual, uint64_t ulps);

/* "outputs: 21 conformant, 3 FAIL" */
CUMSUM_API void cumsum_write_counts(cumsum_writer *w, const uint64_t counts[CUMSUM_VERDICT_COUNT]);

/* The line of a scan around an output: valid tensors of the same sizes, and the addresses of their
 * elements with all indices 0. */
typedef struct cumsum_line_view {
    const cumsum_operator_desc *desc;
    const void *input;    /* NULL: unknown */
    const void *expected; /* laid out as the output; NULL: the exact sums of the input */
    const void *actual;
} cumsum_line_view;

/* Writes the elements around these coordinates along the axis, a line for each, and marks that
 * place with '>'. Without memory for the exact sums it leaves them out. */
CUMSUM_API void cumsum_write_line(cumsum_writer *w, const cumsum_line_view *view,
                                  const uint32_t *coordinates);

/*
 * The type that a library gives the sums of a type along an axis, where nobody names one.
 *
 * library  "numpy", "torch", "array-api" or "onnx": numpy.cumsum, torch.cumsum, cumulative_sum of
 *          the array API standard 2023.12, or the operator CumSum
 * boolean  the input, UINT8, is the library's bool
 * Returns the type; UNKNOWN for another text or NULL.
 */
CUMSUM_API cumsum_data_type cumsum_type_of_sums(const char *library, cumsum_data_type input,
                                                bool boolean);

/* Writes "the type is UINT8, and numpy sums UINT8 in UINT64" of sums that have another type than
 * cumsum_type_of_sums gives, whose other arguments these are; "" of those that have that type. */
CUMSUM_API size_t cumsum_type_text(const char *library, cumsum_data_type input, bool boolean,
                                   cumsum_data_type sums, char *text, size_t room);

/*
 * Explains words of judgements that readers may not know, if they occur in `words` and have not
 * been explained yet.
 *
 * words       a text of cumsum_judgement_text, or several; NULL is none
 * explained   which words have been explained, 0 before the first call; receives those of this one.
 *             NULL: none have been
 * in_full     a line or two for each word; else a few words, all on one line
 * text, room  receive whole lines, or nothing
 * Returns the length of the text.
 */
CUMSUM_API size_t cumsum_judgement_legend(const char *words, uint32_t *explained, bool in_full,
                                          char *text, size_t room);

#ifdef __cplusplus
}
#endif

#endif
