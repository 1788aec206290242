/* SPDX-License-Identifier: MIT */
/* Files of orders of addition: what is written is read back; malformed files are rejected. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fingerprint.h"
#include "line_fakes.h"

static saved_order find(const line_runner *runner, const line_block *block) {
    saved_order order;
    tool_error error;
    assert_int_equal(order_discover(runner, block, &order, &error), TOOL_OK);
    return order;
}

/* An order without a name keeps every bit through its file. */
static void files(void) {
    static const char path[] = "test_order_file_order.json";
    line_fake fake = {.scan = fake_pairwise};
    const line_runner runner = {line_fake_run, &fake, NULL};
    const line_block block = {.type = CUMSUM_DATA_TYPE_FLOAT32, .lines = 12, .length = 61};
    saved_order order = find(&runner, &block);
    tool_error error;
    saved_order back;
    line_trial t;
    line_difference d;
    line_trial_init(&t, &block, block.lines, 5);
    assert_int_equal(line_trial_run(&runner, &t, NULL), TOOL_OK);
    assert_true(order_fit(&order, &t, &d));
    assert_int_equal(order_file_write(path, &order, "a \"device\"", NULL), TOOL_OK);
    assert_int_equal(order_file_read(path, &back, &error), TOOL_OK);
    assert_int_equal(back.outputs, 61);
    assert_int_equal(order_compare(&back, &t).kind, LINES_EQUAL);
    assert_false(order_reach(&back, 62, false));
    back.graph.sums[7][0] = 0; /* one addition of another term */
    assert_int_equal(order_compare(&back, &t).kind, BITS_DIFFER);
    line_trial_free(&t);
    saved_order_free(&back);
    saved_order_free(&order);
    remove(path);
}

#define HEAD                                                                                       \
    "{\"type\":\"FLOAT32\",\"accumulator\":\"binary32\",\"store\":\"ieee\",\"denormals\":"         \
    "\"flush\","                                                                                   \
    "\"minusZero\":false,"

/* What is wrong with a file is said, with its place. */
static void malformed_files(void) {
    static const char *const texts[][2] = {
        {"[]", "an object"},
        {"{}", "type"},
        {HEAD "\"order\":\"sideways\",\"terms\":4}", "no order has the name"},
        {HEAD "\"order\":\"blocked-1\",\"terms\":4}", "no order has the name"},
        {HEAD "\"order\":\"sequential\",\"terms\":0}", "terms"},
        {HEAD "\"order\":\"sequential\",\"terms\":-1}", "from 1 to"},
        {HEAD "\"order\":\"sequential\",\"terms\":-9223372036854775808}", "from 1 to"},
        {HEAD "\"order\":\"sequential\",\"terms\":99999999999}", "terms"},
        {HEAD "\"order\":\"unnamed\",\"terms\":2}", "sums"},
        {HEAD "\"order\":\"unnamed\",\"terms\":2,\"sums\":[[0,2]],\"outputs\":[0,2]}",
         "sums[0][1]"},
        {HEAD "\"order\":\"unnamed\",\"terms\":2,\"sums\":[[1,1]],\"outputs\":[0,2]}", "itself"},
        {HEAD "\"order\":\"unnamed\",\"terms\":2,\"sums\":[[0,1],[1,0]],\"outputs\":[0,2]}",
         "already"},
        {HEAD "\"order\":\"unnamed\",\"terms\":2,\"sums\":[[0]],\"outputs\":[0,2]}", "two nodes"},
        {HEAD "\"order\":\"unnamed\",\"terms\":2,\"sums\":[[0,1]],\"outputs\":[0,3]}",
         "outputs[1]"},
        {HEAD "\"order\":\"unnamed\",\"terms\":2,\"sums\":[[0,1]],\"outputs\":[0]}", "1 outputs"},
    };
    static const char path[] = "test_order_file_malformed.json";
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        saved_order order;
        tool_error error;
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(texts[i][0], file);
        fclose(file);
        assert_int_equal(order_file_read(path, &order, &error), TOOL_MALFORMED);
        if (!strstr(error.message, texts[i][1]))
            fail_msg("'%s' does not say '%s'", error.message, texts[i][1]);
    }
    remove(path);
}

CHECK_GROUP(test_order_file, T(files), T(malformed_files));
