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
#include "memory.h"
#include "memory_limit.h"
#include "model_arrays.h"
#include "onnx_graph.h"

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
    if (status == TOOL_SKIPPED) /* a type or sizes that no axis has */
        status = TOOL_MALFORMED;
    if (status == TOOL_OK)
        status = onnx_tensor_axis(&tensor, folder, axis, error);
    onnx_tensor_free(&tensor);
    return status;
}

/* Moves the tensor's bytes to the array. */
static npy_array array_of(onnx_tensor *from) {
    npy_array array = {.type = from->type,
                       .rank = from->rank,
                       .bytes = from->bytes,
                       .size = from->count * cumsum_data_type_size(from->type)};
    memcpy(array.sizes, from->sizes, sizeof array.sizes);
    from->bytes = NULL;
    return array;
}

static tool_status read_array(const char *folder, const char *kind, size_t number, npy_array *out,
                              tool_error *error) {
    onnx_tensor tensor = {0};
    tool_status status = read_tensor(folder, kind, number, &tensor, error);
    if (status == TOOL_OK)
        *out = array_of(&tensor);
    onnx_tensor_free(&tensor);
    return status;
}

/* A data set as a model of one dispatch. Returns what onnx_tensor_read returns, and TOOL_MALFORMED
 * for tensors that do not fit together. */
static tool_status read_data_set(const onnx_graph *graph, const char *folder, model **out,
                                 tool_error *error) {
    model_arrays set = {.path = folder,
                        .name = graph->node,
                        .decreasing = graph->reverse,
                        .exclusive = graph->exclusive};
    *out = NULL;
    tool_status status = read_array(folder, "input", graph->x, &set.input, error);
    if (status == TOOL_OK)
        status = read_array(folder, "output", graph->y, &set.expected, error);
    if (status == TOOL_OK)
        status = read_axis(graph, folder, &set.axis, error);
    if (status == TOOL_OK)
        status = model_of_arrays(&set, out, error);
    model_arrays_free(&set);
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
