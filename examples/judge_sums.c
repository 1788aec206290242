/* SPDX-License-Identifier: MIT */
/* Judges somebody's sums and prints what is wrong. */
#include <cumsum/explain.h>
#include <stdio.h>

int main(void) {
    const float x[] = {0.3f, -1.7f, 2.9f, 0.1f, -0.6f, 1.3f, 4.7f, -2.1f};
    float y[8], sum = 0;
    for (int i = 0; i < 8; i++)
        y[i] = sum += i == 4 ? 0 : x[i]; /* somebody's sums: one term is lost */

    const cumsum_buffer_tensor_desc packed = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 1,
                                              .sizes = (const uint32_t[]){8},
                                              .total_tensor_size_in_bytes = sizeof x};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &packed};
    const cumsum_operator_desc desc = {&tensor, &tensor, .axis = 0};

    cumsum_judgement judgement;
    cumsum_explanation explanation;
    cumsum_diagnostic why;
    const cumsum_judged judged = {.desc = &desc,
                                  .input = x,
                                  .input_in_bytes = sizeof x,
                                  .actual = y,
                                  .actual_in_bytes = sizeof y,
                                  .judgement = &judgement};
    if (cumsum_judge(&desc, x, sizeof x, y, sizeof y, NULL, NULL, &judgement, &why) != CUMSUM_OK ||
        cumsum_explain(&judged, &explanation, &why) != CUMSUM_OK) {
        fprintf(stderr, "cumsum: %s\n", why.message);
        return 2;
    }
    char text[1000];
    cumsum_judgement_text(&judged, &explanation, CUMSUM_TEXT_STATUS, text, sizeof text);
    puts(text);
    return judgement.pass ? 0 : 1;
}
