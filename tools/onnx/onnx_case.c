/* SPDX-License-Identifier: MIT */
/*
 * Walks a tree of ONNX test data and makes a model of each data set, so that the rest of the tool
 * need not know where a case comes from. A build without protobuf-c cannot read ONNX files and has
 * none of this.
 */
#include "onnx_case.h"

#ifdef CUMSUM_TOOL_ONNX

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "layout.h"
#include "memory.h"
#include "memory_limit.h"
#include "model.h"
#include "onnx_graph.h"

/* The tensors of a data set. */
typedef struct data_set {
    onnx_tensor x;
    onnx_tensor y;
    uint32_t axis;
} data_set;

static tool_status read_tensor(const char *folder, const char *kind, size_t number,
                               onnx_tensor *out, tool_error *error) {
    char name[64];
    snprintf(name, sizeof name, "%s_%zu.pb", kind, number);
    char *path = file_join(folder, name);
    file_contents contents;
    if (!path)
        return tool_fail(error, TOOL_ENVIRONMENT, "%s: no memory for a file name", folder);
    tool_status status = file_read(path, &contents, error);
    if (status == TOOL_OK) {
        status = onnx_tensor_read(contents.bytes, contents.size, path, out, error);
        memory_release(contents.bytes);
    }
    free(path);
    return status;
}

static tool_status read_axis(const onnx_graph *graph, const char *folder, int64_t *axis,
                             tool_error *error) {
    onnx_tensor tensor = {0};
    *axis = graph->axis;
    if (!graph->axis_is_input)
        return TOOL_OK;
    tool_status status = read_tensor(folder, "input", graph->axis_input, &tensor, error);
    if (status == TOOL_NOTHING_RAN) /* a type or sizes that no axis has */
        status = TOOL_MALFORMED;
    if (status == TOOL_OK)
        status = onnx_tensor_axis(&tensor, folder, axis, error);
    onnx_tensor_free(&tensor);
    return status;
}

static tool_status check_axis(const char *folder, int64_t axis, data_set *set, tool_error *error) {
    const int64_t rank = set->x.rank;
    if (axis < -rank || axis >= rank) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: the axis is %" PRId64 ", and the input has %" PRId64 " dimensions",
                         folder, axis, rank);
    }
    set->axis = (uint32_t)(axis < 0 ? axis + rank : axis);
    return TOOL_OK;
}

static tool_status check_output(const char *folder, const data_set *set, tool_error *error) {
    const onnx_tensor *x = &set->x;
    const onnx_tensor *y = &set->y;
    char x_sizes[LAYOUT_TEXT] = "";
    char y_sizes[LAYOUT_TEXT] = "";
    if (x->type != y->type) {
        return tool_fail(error, TOOL_MALFORMED, "%s: the output is of type %s, the input of %s",
                         folder, cumsum_data_type_name(y->type), cumsum_data_type_name(x->type));
    }
    /* Sizes beyond the rank are 0, and no other size is. */
    if (!memcmp(x->sizes, y->sizes, sizeof x->sizes))
        return TOOL_OK;
    layout_sizes_text(x_sizes, x->rank, x->sizes);
    layout_sizes_text(y_sizes, y->rank, y->sizes);
    return tool_fail(error, TOOL_MALFORMED, "%s: the output is of shape %s, the input of %s",
                     folder, y->rank ? y_sizes : "()", x->rank ? x_sizes : "()");
}

static tool_status read_set(const onnx_graph *graph, const char *folder, data_set *set,
                            tool_error *error) {
    int64_t axis = 0;
    tool_status status = read_tensor(folder, "input", graph->x, &set->x, error);
    if (status == TOOL_OK)
        status = read_tensor(folder, "output", graph->y, &set->y, error);
    if (status == TOOL_OK)
        status = read_axis(graph, folder, &axis, error);
    if (status == TOOL_OK)
        status = check_axis(folder, axis, set, error);
    return status == TOOL_OK ? check_output(folder, set, error) : status;
}

static void make_tensor(const onnx_tensor *from, model_tensor *to) {
    to->sizes = tool_calloc(from->rank, sizeof *to->sizes);
    memcpy(to->sizes, from->sizes, from->rank * sizeof *to->sizes);
    to->buffer = (cumsum_buffer_tensor_desc){.data_type = from->type,
                                             .dimension_count = from->rank,
                                             .sizes = to->sizes,
                                             .total_tensor_size_in_bytes = from->size};
    to->desc = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &to->buffer};
    to->present = true;
}

static void make_operator(const onnx_graph *graph, const data_set *set, model_operator *op) {
    make_tensor(&set->x, &op->input);
    make_tensor(&set->y, &op->output);
    op->desc =
        (cumsum_operator_desc){.input_tensor = &op->input.desc,
                               .output_tensor = &op->output.desc,
                               .axis = set->axis,
                               .axis_direction = graph->reverse ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                                : CUMSUM_AXIS_DIRECTION_INCREASING,
                               .has_exclusive_sum = graph->exclusive};
}

/* Moves the tensor's bytes to the resource. */
static void make_resource(const char *name, onnx_tensor *from, model_resource *to) {
    *to = (model_resource){.name = tool_strdup(name),
                           .type = from->type,
                           .bytes = from->bytes,
                           .size = from->size,
                           .value_bytes = from->count * cumsum_data_type_size(from->type)};
    from->bytes = NULL;
}

/* The output before a backend executes the dispatch: zeros. */
static tool_status make_output(const onnx_tensor *y, onnx_tensor *out, tool_error *error) {
    *out = *y;
    out->bytes = memory_allocate(y->size);
    if (!out->bytes)
        return tool_fail(error, TOOL_ENVIRONMENT, "no memory for %" PRIu64 " bytes", y->size);
    memset(out->bytes, 0, (size_t)y->size);
    return TOOL_OK;
}

static model *make_model(const onnx_graph *graph, const char *folder, data_set *set,
                         onnx_tensor *output) {
    model *m = tool_calloc(1, sizeof *m);
    m->path = tool_strdup(folder);
    m->resource_count = 3;
    m->resources = tool_calloc(m->resource_count, sizeof *m->resources);
    m->dispatchable_count = m->command_count = 1;
    m->dispatchables = tool_calloc(1, sizeof *m->dispatchables);
    m->commands = tool_calloc(1, sizeof *m->commands);
    m->dispatchables[0].name = tool_strdup(graph->node);
    make_operator(graph, set, &m->dispatchables[0].op);
    make_resource("input", &set->x, &m->resources[0]);
    make_resource("output", output, &m->resources[1]);
    make_resource("output.expected", &set->y, &m->resources[2]);
    m->resources[1].expected = &m->resources[2];
    m->commands[0] = (model_command){.type = MODEL_COMMAND_DISPATCH,
                                     .dispatchable = &m->dispatchables[0],
                                     .input = {&m->resources[0], 0, m->resources[0].size},
                                     .output = {&m->resources[1], 0, m->resources[1].size}};
    return m;
}

/* A data set as a model of one dispatch. Returns what onnx_tensor_read returns, and TOOL_MALFORMED
 * for tensors that do not fit together. */
static tool_status read_data_set(const onnx_graph *graph, const char *folder, model **out,
                                 tool_error *error) {
    data_set set = {0};
    onnx_tensor output = {0};
    *out = NULL;
    tool_status status = read_set(graph, folder, &set, error);
    if (status == TOOL_OK)
        status = make_output(&set.y, &output, error);
    if (status == TOOL_OK)
        *out = make_model(graph, folder, &set, &output);
    onnx_tensor_free(&set.x);
    onnx_tensor_free(&set.y);
    return status;
}

/* Deeper than any real tree of tests. */
#define MAX_DEPTH 16

typedef struct walk {
    onnx_visit visit;
    void *state;
    uint64_t visited;
} walk;

static bool is_data_set(const char *name) {
    static const char prefix[] = "test_data_set_";
    return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

/* Links are not followed, since they may form a circle. */
static tool_status is_folder(const char *path, bool *folder, tool_error *error) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: %s", path, strerror(errno));
    *folder = S_ISDIR(status.st_mode);
    return TOOL_OK;
}

static void report(walk *w, const char *path, tool_status status, const tool_error *error) {
    w->visited++;
    w->visit(w->state, path, NULL, status, error->message);
}

static void visit_set(walk *w, const onnx_graph *graph, const char *folder) {
    model *m;
    tool_error error;
    tool_status status = read_data_set(graph, folder, &m, &error);
    if (status != TOOL_OK) {
        report(w, folder, status, &error);
        return;
    }
    w->visited++;
    w->visit(w->state, folder, m, TOOL_OK, NULL);
    model_free(m);
}

/* Names that begin with a dot are hidden. */
static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static tool_status list_folder(const char *folder, struct dirent ***names, int *count,
                               tool_error *error) {
    *count = scandir(folder, names, is_shown, alphasort);
    return *count >= 0 ? TOOL_OK
                       : tool_fail(error, TOOL_ENVIRONMENT, "%.400s: %s", folder, strerror(errno));
}

static void walk_folder(walk *w, const char *folder, int depth);

static char *join(const char *folder, const char *name) {
    char *path = file_join(folder, name);
    if (!path)
        tool_memory_is_out();
    return path;
}

static void walk_name(walk *w, const char *folder, const char *name, const onnx_graph *graph,
                      int depth) {
    char *path = join(folder, name);
    tool_error error;
    bool inner = false;
    const tool_status status = is_folder(path, &inner, &error);
    if (status != TOOL_OK)
        report(w, path, status, &error);
    else if (inner && !is_data_set(name))
        walk_folder(w, path, depth + 1);
    else if (inner && graph->has_cumsum)
        visit_set(w, graph, path);
    free(path);
}

/* The folders in one: data sets of the model, or more tests. */
static void walk_names(walk *w, const char *folder, const onnx_graph *graph, int depth) {
    struct dirent **names;
    int count;
    tool_error error;
    tool_status status = list_folder(folder, &names, &count, &error);
    if (status != TOOL_OK) {
        report(w, folder, status, &error);
        return;
    }
    for (int i = 0; i < count; i++) {
        walk_name(w, folder, names[i]->d_name, graph, depth);
        free(names[i]);
    }
    free(names);
}

static tool_status read_model(const char *path, onnx_graph *graph, tool_error *error) {
    file_contents contents;
    tool_status status = file_read(path, &contents, error);
    if (status == TOOL_OK) {
        status = onnx_graph_read(contents.bytes, contents.size, path, graph, error);
        memory_release(contents.bytes);
    }
    return status;
}

static void walk_folder(walk *w, const char *folder, int depth) {
    onnx_graph graph = {0};
    tool_error error = {"a tree of folders that is too deep"};
    char *path = join(folder, "model.onnx");
    tool_status status = depth > MAX_DEPTH ? TOOL_ENVIRONMENT : TOOL_OK;
    if (status == TOOL_OK && file_exists(path))
        status = read_model(path, &graph, &error);
    if (status == TOOL_OK)
        walk_names(w, folder, &graph, depth);
    else
        report(w, path, status, &error);
    onnx_graph_free(&graph);
    free(path);
}

tool_status onnx_walk(const char *folder, onnx_visit visit, void *state, uint64_t *visited,
                      tool_error *error) {
    walk w = {.visit = visit, .state = state};
    struct dirent **names;
    int count;
    tool_status status = list_folder(folder, &names, &count, error);
    if (status != TOOL_OK)
        return status;
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    walk_folder(&w, folder, 0);
    *visited = w.visited;
    return TOOL_OK;
}

#else

tool_status onnx_walk(const char *folder, onnx_visit visit, void *state, uint64_t *visited,
                      tool_error *error) {
    (void)folder;
    (void)visit;
    (void)state;
    *visited = 0;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "option --onnx: this build cannot read ONNX files: it was made without "
                     "protobuf-c (CUMSUM_WITH_PROTOBUF)");
}

#endif
