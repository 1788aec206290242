/* SPDX-License-Identifier: MIT */
/*
 * What a GPU's compiler makes of the shaders. vkd3d's compiler makes SPIR-V of them, and RADV,
 * Mesa's driver for AMD, compiles that for a processor that need not be there (RADV_FORCE_FAMILY).
 * Nothing runs. RADV shows its code in static single assignment form, after its last optimization:
 * there, every sum of floating-point numbers must go to an exclusive-or, and to nothing else. A
 * shader with sums that are added as they are shows that RADV regroups those.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vkd3d_shader.h>
#include <vulkan/vulkan.h>

#include "check.h"
#include "shader_file.h"

#define SKIPPED 77

enum {
    BUFFERS = 4, /* u0 to u3 */
    VALUES = 1 << 16
};

static VkDevice device;
static VkPipelineLayout layout;
static PFN_vkGetPipelineExecutableInternalRepresentationsKHR get_code;

static void skip_all(const char *reason) {
    printf("SKIPPED: %s\n", reason);
    exit(SKIPPED);
}

static void open_device(void) {
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                .pApplicationInfo = &application};
    const char *extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &extension};
    VkInstance instance;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties;
    uint32_t count = 1;
    if (vkCreateInstance(&instance_info, NULL, &instance) != VK_SUCCESS ||
        vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
        skip_all("there is no RADV, or none that knows RADV_FORCE_FAMILY");
    vkGetPhysicalDeviceProperties(physical, &properties);
    printf("device: %s\n", properties.deviceName);
    if (vkCreateDevice(physical, &info, NULL, &device) != VK_SUCCESS)
        skip_all("the driver does not show its code");
    get_code = (PFN_vkGetPipelineExecutableInternalRepresentationsKHR)(void (*)(
        void))vkGetDeviceProcAddr(device, "vkGetPipelineExecutableInternalRepresentationsKHR");
}

/* Binding 0 is b0, and binding 1 + n is u<n>. */
static void make_layout(void) {
    VkDescriptorSetLayoutBinding bindings[1 + BUFFERS];
    for (uint32_t i = 0; i <= BUFFERS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType =
                                                         i ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                                                           : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1 + BUFFERS,
        .pBindings = bindings};
    VkDescriptorSetLayout set;
    assert_int_equal(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set), VK_SUCCESS);
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set};
    assert_int_equal(vkCreatePipelineLayout(device, &info, NULL, &layout), VK_SUCCESS);
}

static struct vkd3d_shader_code translate(const scan_bytecode *code) {
    struct vkd3d_shader_resource_binding bindings[1 + BUFFERS];
    for (unsigned i = 0; i <= BUFFERS; i++)
        bindings[i] = (struct vkd3d_shader_resource_binding){
            .type = i ? VKD3D_SHADER_DESCRIPTOR_TYPE_UAV : VKD3D_SHADER_DESCRIPTOR_TYPE_CBV,
            .register_index = i ? i - 1 : 0,
            .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
            .flags = VKD3D_SHADER_BINDING_FLAG_BUFFER,
            .binding = {.binding = i, .count = 1}};
    const struct vkd3d_shader_interface_info interface = {
        .type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO,
        .bindings = bindings,
        .binding_count = 1 + BUFFERS};
    const struct vkd3d_shader_compile_info info = {.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
                                                   .next = &interface,
                                                   .source = {code->words, code->bytes},
                                                   .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
                                                   .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY};
    struct vkd3d_shader_code spirv;
    assert_int_equal(vkd3d_shader_compile(&info, &spirv, NULL), 0);
    return spirv;
}

/* RADV's code in static single assignment form. The caller frees it. */
static char *final_code(VkPipeline pipeline) {
    const VkPipelineExecutableInfoKHR executable = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
    VkPipelineExecutableInternalRepresentationKHR code = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    uint32_t count = 1; /* the first one */
    assert_true(get_code(device, &executable, &count, &code) >= 0);
    assert_non_null(strstr(code.name, "NIR"));
    char *text = calloc(1, code.dataSize + 1);
    assert_non_null(text);
    code.pData = text;
    count = 1;
    assert_true(get_code(device, &executable, &count, &code) >= 0);
    return text;
}

static char *compile(const scan_bytecode *code) {
    struct vkd3d_shader_code spirv = translate(code);
    const VkShaderModuleCreateInfo module_info = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = spirv.size,
                                                  .pCode = spirv.code};
    VkShaderModule module;
    VkPipeline pipeline;
    assert_int_equal(vkCreateShaderModule(device, &module_info, NULL, &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout};
    assert_int_equal(vkCreateComputePipelines(device, NULL, 1, &info, NULL, &pipeline), VK_SUCCESS);
    char *text = final_code(pipeline);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    vkd3d_shader_free_shader_code(&spirv);
    return text;
}

typedef struct sums {
    unsigned count;
    unsigned bare; /* uses of a sum other than an exclusive-or */
} sums;

/* The next value in a line, "ssa_12" or "%12"; VALUES if there is none. */
static unsigned next_value(char **at) {
    for (char *c = *at; *c; c++) {
        const unsigned skipped = strncmp(c, "ssa_", 4) == 0 ? 4 : *c == '%' ? 1 : 0;
        if (skipped) {
            const unsigned long value = strtoul(c + skipped, at, 10);
            assert_true(value < VALUES);
            return (unsigned)value;
        }
    }
    return VALUES;
}

/* A line is "vec1 32 ssa_3 = fadd ssa_1, ssa_2". Changes the text. */
static sums count_sums(char *text) {
    static bool is_sum[VALUES];
    sums found = {0};
    memset(is_sum, 0, sizeof is_sum);
    for (int pass = 0; pass < 2; pass++) /* in a loop, a use may come before the sum */
        for (char *line = text; line; line = strchr(line, '\n')) {
            line += *line == '\n';
            char *end = strchr(line, '\n');
            if (end)
                *end = '\0';
            char *at = line;
            char *equals = strstr(line, " = ");
            const bool adds = equals && (strncmp(equals, " = fadd ", 8) == 0 ||
                                         strncmp(equals, " = fsub ", 8) == 0 ||
                                         strncmp(equals, " = ffma ", 8) == 0);
            if (pass == 0 && adds) {
                is_sum[next_value(&at)] = true;
                found.count++;
            }
            if (pass == 1 && !(equals && strncmp(equals, " = ixor ", 8) == 0)) {
                at = equals ? equals : line;
                for (unsigned value = 0; (value = next_value(&at)) < VALUES;)
                    found.bare += is_sum[value];
            }
            if (end)
                *end = '\n';
        }
    return found;
}

static sums sums_of(const scan_bytecode *code) {
    char *text = compile(code);
    const sums found = count_sums(text);
    free(text);
    return found;
}

static void test_no_sum_is_added_as_it_is(void) {
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++) {
            const scan_bytecode *code = &cumsum_scan_bytecodes.of[kernel][element];
            if (!code->bytes)
                continue;
            const sums found = sums_of(code);
            printf("kernel %d, element %d: %u sums\n", kernel, element, found.count);
            if (found.bare)
                fail_msg("%u uses of a sum other than an exclusive-or", found.bare);
            assert_int_equal(found.count > 0,
                             element != SCAN_INTEGER32 && element != SCAN_INTEGER64);
        }
}

/* a + b - b becomes a, so that of four additions two remain, and the last one is stored. */
static void test_bare_sums_are_regrouped(void) {
    const scan_bytecode chain = shader_file_read("regrouped_sums");
    const sums found = sums_of(&chain);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.bare, 1);
}

CHECK_GROUP(test_radv, T(test_no_sum_is_added_as_it_is), T(test_bare_sums_are_regrouped));

int main(void) {
    open_device();
    make_layout();
    return check_run(&test_radv);
}
