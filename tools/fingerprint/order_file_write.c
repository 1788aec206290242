/* SPDX-License-Identifier: MIT */
/* Orders into files. Those without a name are there with every sum. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "file_write.h"
#include "json_make.h"
#include "saved_order.h"
#include "text.h"

static void write_sums(FILE *out, const saved_order *order) {
    const order_graph *g = &order->graph;
    fputs(",\n  \"sums\": [", out);
    for (uint32_t i = 0; i < g->count - g->terms; i++)
        fprintf(out, "%s[%u,%u]", i ? "," : "", g->sums[i][0], g->sums[i][1]);
    fputs("],\n  \"outputs\": [", out);
    for (uint32_t k = 0; k < order->outputs; k++)
        fprintf(out, "%s%u", k ? "," : "", order->roots[k]);
    fputs("]", out);
}

tool_status order_file_write(const char *path, const saved_order *order, const char *device,
                             tool_error *error) {
    text_buffer buffer;
    char name[ORDER_NAME_TEXT];
    const order_arithmetic *how = &order->arithmetic;
    json_object *quoted = json_make_string(device);
    order_name_text(name, order->name);
    text_buffer_begin(&buffer);
    fprintf(buffer.stream, "{\n  \"device\": %s,\n",
            json_print(quoted, JSON_C_TO_STRING_NOSLASHESCAPE));
    fprintf(buffer.stream, "  \"type\": \"%s\",\n  \"order\": \"%s\",\n  \"terms\": %u,\n",
            cumsum_data_type_name(order->type), name, order->outputs);
    fprintf(buffer.stream, "  \"tally\": \"%s\",\n  \"store\": \"%s\",\n",
            order_tally_words[how->tally], order_store_words[how->store]);
    fprintf(buffer.stream, "  \"denormals\": \"%s\",\n  \"minusZero\": %s",
            order_denormals_words[how->denormals], how->keeps_minus_zero ? "true" : "false");
    if (order->name.kind == ORDER_UNNAMED)
        write_sums(buffer.stream, order);
    fputs("\n}\n", buffer.stream);
    char *text = text_buffer_end(&buffer);
    json_object_put(quoted);
    const file_part part = {text, buffer.length};
    const tool_status status = file_write(path, &part, 1, error);
    free(text);
    return status;
}
