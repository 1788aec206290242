/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_path.h"
#include "file_read.h"
#include "memory.h"
#include "memory_limit.h"
#include "onnx_case.h"
#include "onnx_model.h"

/* Deeper than any collection of tests. */
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

/* Links are not followed: they may lead round in a circle. */
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
    tool_status status = onnx_model_read(graph, folder, &m, &error);
    if (status != TOOL_OK) {
        report(w, folder, status, &error);
        return;
    }
    w->visited++;
    w->visit(w->state, folder, m, TOOL_OK, NULL);
    model_free(m);
}

/* The names in a folder, in their order, but those that begin with a point. To be freed. */
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
