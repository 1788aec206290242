/* SPDX-License-Identifier: MIT */
#include "sweep_select.h"

#include <fnmatch.h>

#include "case_select.h"

static bool matches_any(const char *name, const pattern_list *patterns) {
    for (size_t i = 0; i < patterns->count; i++)
        if (fnmatch(patterns->list[i], name, 0) == 0)
            return true;
    return false;
}

static bool is_wanted(const tool_options *o, const sweep_shard *shard, const char *name) {
    return (!o->include.count || matches_any(name, &o->include)) &&
           !matches_any(name, &o->exclude) && sweep_shard_has(shard, name);
}

void sweep_select(const sweep_shard *shard, report *r, name_set *names) {
    const tool_options *options = r->options;
    name_set all = {0};
    tool_error error;
    for (size_t i = 0; i < options->file_count; i++) {
        tool_status status = case_select(options->files[i], &all, &error);
        if (status != TOOL_OK)
            report_error(r, status, options->files[i], error.message);
    }
    for (size_t i = 0; i < all.count; i++)
        if (is_wanted(options, shard, all.names[i]))
            name_set_add(names, all.names[i]);
    name_set_free(&all);
}
