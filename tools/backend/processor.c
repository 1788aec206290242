/* SPDX-License-Identifier: MIT */
/* Name, features and caches of the processor, as cpuinfo knows them. A build without cpuinfo knows
 * nothing of the processor. */
#include "processor.h"

#ifdef CUMSUM_TOOL_CPUINFO

#include <cpuinfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void add_feature(processor *out, const char *name, bool has) {
    size_t used = strlen(out->features);
    if (has)
        snprintf(out->features + used, sizeof out->features - used, "%s%s", used ? " " : "", name);
}

/* The features that a kernel or a test of this project asks for. */
static void list_features(processor *out) {
#if CPUINFO_ARCH_X86 || CPUINFO_ARCH_X86_64
    add_feature(out, "sse4.1", cpuinfo_has_x86_sse4_1());
    add_feature(out, "avx", cpuinfo_has_x86_avx());
    add_feature(out, "f16c", cpuinfo_has_x86_f16c());
    add_feature(out, "fma", cpuinfo_has_x86_fma3());
    add_feature(out, "avx2", cpuinfo_has_x86_avx2());
    add_feature(out, "avx512f", cpuinfo_has_x86_avx512f());
    add_feature(out, "avx512bw", cpuinfo_has_x86_avx512bw());
    add_feature(out, "avx512dq", cpuinfo_has_x86_avx512dq());
    add_feature(out, "avx512vl", cpuinfo_has_x86_avx512vl());
#elif CPUINFO_ARCH_ARM || CPUINFO_ARCH_ARM64
    add_feature(out, "neon", cpuinfo_has_arm_neon());
    add_feature(out, "fp16-arith", cpuinfo_has_arm_fp16_arith());
    add_feature(out, "sve", cpuinfo_has_arm_sve());
#endif
}

static void list_caches(processor *out) {
    const struct cpuinfo_cache *caches[] = {cpuinfo_get_l1d_cache(0), cpuinfo_get_l2_cache(0),
                                            cpuinfo_get_l3_cache(0)};
    for (size_t i = 0; i < 3; i++)
        out->cache_bytes[i] = caches[i] ? caches[i]->size : 0;
}

bool processor_describe(processor *out, const char **reason) {
    *out = (processor){0};
#ifdef __linux__
    /* cpuinfo would write a complaint of its own. */
    if (access("/proc/cpuinfo", R_OK) != 0) {
        *reason = "/proc/cpuinfo cannot be read";
        return false;
    }
#endif
    if (!cpuinfo_initialize()) {
        *reason = "cpuinfo does not know this processor";
        return false;
    }
    const struct cpuinfo_package *package = cpuinfo_get_package(0);
    snprintf(out->name, sizeof out->name, "%s", package ? package->name : "");
    out->cores = cpuinfo_get_cores_count();
    out->logical_processors = cpuinfo_get_processors_count();
    list_features(out);
    list_caches(out);
    cpuinfo_deinitialize();
    return true;
}

#else

bool processor_describe(processor *out, const char **reason) {
    *out = (processor){0};
    *reason = "this build has no cpuinfo";
    return false;
}

#endif
