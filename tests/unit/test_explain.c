/* SPDX-License-Identifier: MIT */
/*
 * The interface of cumsum/explain.h: its arguments, buffers of every size, and the same text in
 * every locale. What the texts say is recorded in tests/cli.
 */
#include "check.h"
#include "explained.h"
#include "words.h"

#include <locale.h>
#include <stdio.h>

static const float x[6] = {1, 0.1F, 0.2F, 0.3F, 1e20F, 0.7F};
static const float wrong[6] = {1, 1.1F, 3, 1.6F, 1e20F, 1e20F};
static const uint32_t sizes[2] = {2, 3};
static const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                                 .dimension_count = 2,
                                                 .sizes = sizes,
                                                 .total_tensor_size_in_bytes = sizeof x};
static const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
static const cumsum_operator_desc desc = {
    .input_tensor = &tensor, .output_tensor = &tensor, .axis = 1};

static cumsum_judgement judgement;
static cumsum_explanation said;
static const cumsum_judge_options options = {.near_order = true, .power = true};
static const cumsum_judged judged = {.desc = &desc,
                                     .input = x,
                                     .input_in_bytes = sizeof x,
                                     .actual = wrong,
                                     .actual_in_bytes = sizeof wrong,
                                     .options = &options,
                                     .judgement = &judgement,
                                     .profile = "a \"name\"\n"};

static void judge_them(void) {
    assert_int_equal(
        cumsum_judge(&desc, x, sizeof x, wrong, sizeof wrong, &options, NULL, &judgement, NULL),
        CUMSUM_OK);
    assert_int_equal(cumsum_explain(&judged, &said, NULL), CUMSUM_OK);
}

/* All parts, or the JSON object, or the legend of the words. */
static size_t write_part(int part, char *text, size_t room) {
    return part == 0   ? cumsum_judgement_text(&judged, &said, 31, text, room)
           : part == 1 ? cumsum_judgement_json(&judged, &said, text, room)
                       : cumsum_judgement_legend("conformant h=2", NULL, true, text, room);
}

static void texts_are_cut_at_the_room(void) {
    char whole[8000], cut[8000];
    for (int part = 0; part < 3; part++) {
        const size_t length = write_part(part, whole, sizeof whole);
        assert_in_range(length, 100, sizeof whole - 1);
        assert_int_equal(strlen(whole), length);
        assert_int_equal(write_part(part, NULL, 0), length);
        for (size_t room = 1; room <= length + 1; room++) {
            memset(cut, '~', sizeof cut);
            assert_int_equal(write_part(part, cut, room), length);
            assert_memory_equal(cut, whole, room - 1);
            assert_int_equal(cut[room - 1], '\0');
            assert_int_equal(cut[room], '~');
        }
    }
}

static void parts_follow_each_other(void) {
    char all[8000], part[8000], joined[8000] = "";
    cumsum_judgement_text(&judged, &said, 31, all, sizeof all);
    static const uint32_t parts[] = {CUMSUM_TEXT_STATUS, CUMSUM_TEXT_NOTES,
                                     CUMSUM_TEXT_FINDINGS | CUMSUM_TEXT_ALL};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        cumsum_judgement_text(&judged, &said, parts[i], part, sizeof part);
        strcat(joined, part);
    }
    assert_string_equal(joined, all);
    cumsum_judgement_text(&judged, &said, CUMSUM_TEXT_VERDICT, part, sizeof part);
    assert_memory_equal(all, "FAIL: ", 6);
    assert_memory_equal(all + 6, part, strlen(part));
}

/* Explains a jump of the error in the middle of a line: the outputs behind it are suspect. */
static void explain_a_jump(char *text, size_t room) {
    static float terms[4096], sums[4096];
    cumsum_judgement found;
    cumsum_explanation jump;
    scan_case line;
    scan_case_init_line(&line, CUMSUM_DATA_TYPE_FLOAT32, 4096);
    const cumsum_judged of = {.desc = &line.desc,
                              .input = terms,
                              .input_in_bytes = sizeof terms,
                              .actual = sums,
                              .actual_in_bytes = sizeof sums,
                              .judgement = &found};
    for (int i = 0; i < 4096; i++) {
        terms[i] = (float)((uint32_t)i * 2654435761U >> 8) / 0x1p24F - 0.5F;
        sums[i] = (i ? sums[i - 1] : 0) + terms[i] - (i == 2048 ? 0.03F : 0);
    }
    assert_int_equal(
        cumsum_judge(&line.desc, terms, sizeof terms, sums, sizeof sums, NULL, NULL, &found, NULL),
        CUMSUM_OK);
    assert_int_equal(cumsum_explain(&of, &jump, NULL), CUMSUM_OK);
    assert_memory_equal(jump.text, "the error jumps by -0.03", 24);
    snprintf(text, room, "%s", jump.text);
}

static void write_everywhere(int part, char *text, size_t room) {
    if (part < 2)
        write_part(part, text, room);
    else
        explain_a_jump(text, room);
}

static void locales_do_not_matter(void) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    char here[8000], there[8000];
    for (int part = 0; part < 3; part++) {
        write_everywhere(part, here, sizeof here);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            if (!setlocale(LC_ALL, names[i]))
                continue; /* few systems have all of them */
            write_everywhere(part, there, sizeof there);
            setlocale(LC_ALL, "C");
            assert_string_equal(here, there);
        }
    }
}

static void strings_are_escaped(void) {
    char text[8000];
    cumsum_judgement_json(&judged, NULL, text, sizeof text);
    assert_non_null(strstr(text, "\"judgedAs\":\"a \\\"name\\\"\\u000a\","));
    assert_null(strstr(text, "explanation"));
}

static void null_pointers_are_errors(void) {
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    cumsum_judged some = judged;
    char text[10];
    assert_int_equal(cumsum_explain(NULL, &said, &why), CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(why.field, "judged");
    assert_int_equal(cumsum_explain(&judged, NULL, &why), CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(why.field, "explanation");
    some.input = NULL;
    assert_int_equal(cumsum_explain(&some, &said, &why), CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(why.field, "judged.input");
    some.judgement = NULL;
    assert_int_equal(cumsum_explain(&some, &said, NULL), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_judgement_text(&some, &said, 31, text, sizeof text), 0);
    assert_int_equal(cumsum_judgement_json(NULL, &said, text, sizeof text), 0);
    assert_int_equal(cumsum_judgement_legend(NULL, NULL, false, text, sizeof text), 0);
    assert_string_equal(text, "");
}

/* Of sums and pieces there are words and members, and nothing is explained. */
static void sums_have_texts(void) {
    static const float sums[2] = {1, 2};
    static const uint32_t axis = 1, ones[2] = {2, 1};
    scan_case narrow;
    scan_case_init(&narrow, CUMSUM_DATA_TYPE_FLOAT32, 2, ones, axis);
    const cumsum_sums_desc of = {&tensor, &narrow.tensor[1], 1, &axis};
    cumsum_sums_judgement found;
    cumsum_explanation none;
    char text[4000];
    assert_int_equal(
        cumsum_judge_sums(&of, x, sizeof x, sums, sizeof sums, NULL, NULL, &found, NULL),
        CUMSUM_OK);
    const cumsum_judged reduced = {.sums = &of,
                                   .input = x,
                                   .input_in_bytes = sizeof x,
                                   .actual = sums,
                                   .actual_in_bytes = sizeof sums,
                                   .judgement = &found.judgement,
                                   .closer = 7};
    assert_int_equal(cumsum_explain(&reduced, &none, NULL), CUMSUM_OK);
    assert_null(none.hypothesis);
    cumsum_judgement_text(&reduced, &none, 31, text, sizeof text);
    assert_memory_equal(text, "FAIL: 2 of 2 outputs fail", 25);
    cumsum_judgement_json(&reduced, &none, text, sizeof text);
    assert_non_null(strstr(text, "\"coordinates\":[1,0]"));
    assert_non_null(strstr(text, "\"closer\":7}"));
}

/* 5,000 ones in FLOAT16: 2048 passes, and says little. */
static void sums_that_are_stuck_are_noted(void) {
    static uint16_t ones[5000];
    static const uint16_t y[2] = {0x6800, 0};
    static const uint32_t axis = 0, many = 5000;
    scan_case from, to;
    scan_case_init_line(&from, CUMSUM_DATA_TYPE_FLOAT16, many);
    scan_case_init_line(&to, CUMSUM_DATA_TYPE_FLOAT16, 1);
    const cumsum_sums_desc of = {&from.tensor[0], &to.tensor[1], 1, &axis};
    cumsum_sums_judgement found;
    cumsum_explanation note;
    const cumsum_judged sums = {.sums = &of,
                                .input = ones,
                                .input_in_bytes = sizeof ones,
                                .actual = y,
                                .actual_in_bytes = sizeof y,
                                .judgement = &found.judgement,
                                .measure = true};
    for (uint32_t i = 0; i < many; i++)
        ones[i] = 0x3C00;
    assert_int_equal(
        cumsum_judge_sums(&of, ones, sizeof ones, y, sizeof y, NULL, NULL, &found, NULL),
        CUMSUM_OK);
    assert_true(found.judgement.pass);
    assert_int_equal(cumsum_explain(&sums, &note, NULL), CUMSUM_OK);
    assert_int_equal(note.notes[CUMSUM_NOTE_WEAK_PASS].count, 1);
    assert_true(note.stuck);
    assert_true(note.off > 0.59 && note.off < 0.591);
    assert_int_equal(note.errors.outputs, 1);
    assert_true(note.errors.greatest == 2952 && note.errors.mean == -2952);
    ones[7] = 0x4200; /* 3 is not lost beside 2048 */
    assert_int_equal(cumsum_explain(&sums, &note, NULL), CUMSUM_OK);
    assert_false(note.stuck);
}

/* Both ways through a line, inclusive and exclusive, of a layout of its own: two known errors. */
static void errors_are_measured(void) {
    static const float values[6] = {1, 2, 3, 4, 5, 6};
    static const uint32_t strides[2] = {1, 2};
    for (int kind = 0; kind < 4; kind++) {
        float sums[6];
        const cumsum_judgement any = {.outputs = 6};
        cumsum_explanation said_of_it;
        scan_case scan;
        scan_case_init(&scan, CUMSUM_DATA_TYPE_FLOAT32, 2, sizes, 1);
        scan_case_set_strides(&scan, NULL, strides);
        scan.desc.axis_direction = direction_of(kind & 1);
        scan.desc.has_exclusive_sum = kind > 1;
        const cumsum_judged of = {.desc = &scan.desc,
                                  .input = values,
                                  .input_in_bytes = sizeof values,
                                  .actual = sums,
                                  .actual_in_bytes = sizeof sums,
                                  .judgement = &any,
                                  .measure = true};
        assert_int_equal(
            cumsum_exact_sums(&scan.desc, values, sizeof values, sums, sizeof sums, NULL),
            CUMSUM_OK);
        sums[2] += 0.5F; /* [0,1] */
        sums[5] -= 2;    /* [1,2] */
        assert_int_equal(cumsum_explain(&of, &said_of_it, NULL), CUMSUM_OK);
        const cumsum_errors *e = &said_of_it.errors;
        assert_int_equal(e->outputs, 6);
        assert_true(e->greatest == 2 && e->coordinates[0] == 1 && e->coordinates[1] == 2);
        assert_true(e->mean == -0.25 && e->mean_magnitude == 2.5 / 6);
    }
}

CHECK_GROUP_WITH(test_explain, judge_them, NULL, T(texts_are_cut_at_the_room),
                 T(parts_follow_each_other), T(locales_do_not_matter), T(strings_are_escaped),
                 T(null_pointers_are_errors), T(sums_have_texts), T(sums_that_are_stuck_are_noted),
                 T(errors_are_measured));
