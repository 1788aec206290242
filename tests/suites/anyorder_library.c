/* SPDX-License-Identifier: MIT */
/* anyorder.h as a library for Python: anyorder.py calls it. */
#include "anyorder.h"

#include <string.h>

#if defined(__GNUC__)
#define SUITES_EXPORT __attribute__((visibility("default")))
#else
#define SUITES_EXPORT
#endif

/* The profile of a specification; 0 if there is none of this name. */
SUITES_EXPORT int suites_profile(const char *name, int type, ao_profile *profile);
/* The verdicts on the outputs of an inclusive scan; of its last output alone, as a sum. */
SUITES_EXPORT void suites_scan(const ao_profile *profile, size_t count, const uint64_t *terms,
                               const uint64_t *outputs, unsigned char *verdicts);
SUITES_EXPORT int suites_sum(const ao_profile *profile, size_t count, const uint64_t *terms,
                             uint64_t output);

int suites_profile(const char *name, int type, ao_profile *profile) {
    static const struct {
        const char *name;
        ao_profile (*make)(ao_type type);
    } named[] = {{"ieee", ao_ieee}, {"cuda", ao_cuda},     {"hlsl", ao_hlsl}, {"opencl", ao_opencl},
                 {"sycl", ao_sycl}, {"vulkan", ao_vulkan}, {"wgsl", ao_wgsl}};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(name, named[i].name) == 0) {
            *profile = named[i].make((ao_type)type);
            return 1;
        }
    return 0;
}

void suites_scan(const ao_profile *profile, size_t count, const uint64_t *terms,
                 const uint64_t *outputs, unsigned char *verdicts) {
    ao_line line;
    ao_begin(&line, profile);
    for (size_t i = 0; i < count; i++) {
        ao_add(&line, terms[i]);
        verdicts[i] = (unsigned char)ao_judge(&line, outputs[i]);
    }
}

int suites_sum(const ao_profile *profile, size_t count, const uint64_t *terms, uint64_t output) {
    ao_line line;
    ao_begin(&line, profile);
    for (size_t i = 0; i < count; i++)
        ao_add(&line, terms[i]);
    return (int)ao_judge_sum(&line, output);
}
