/* SPDX-License-Identifier: MIT */
/*
 * wave_plug MODE FOLDER: HLSL's own sums of the lanes of a wave, through Direct3D 12, as an
 * implementation for --exec:
 *
 *     cumsum sweep subgroups --accept conformant --exec 'wave_plug scan examples/exec/waves'
 *
 * MODE is scan, add or group (waves.hlsl). FOLDER has the bytecode, MODE_float32.dxil and so on.
 * In the modes scan and add a line is scanned in a wave, and each line has other active lanes.
 */
#include "driver_registry.h"

#include <cumsum/exec.h>

enum {
    THREADS = 128, /* of a group; Direct3D's waves have at most as many lanes */
    TYPES = 4,
    HEADER = 4, /* words before the masks, and words of a mask */
    MASK = 4
};

/* `idle` is 12345 or so, which an inactive lane has: any sum with one of them is wrong. */
static const struct {
    cumsum_exec_type type;
    const char *name;
    uint32_t idle;
} types[TYPES] = {
    {CUMSUM_EXEC_FLOAT32, "float32", 0x4640e400},
    {CUMSUM_EXEC_FLOAT16, "float16", 0x7207},
    {CUMSUM_EXEC_INT32, "int32", 12345},
    {CUMSUM_EXEC_UINT32, "uint32", 12345},
};

typedef struct plug {
    const char *mode;
    const char *folder;
    const gpu_driver *driver;
    gpu_device *device;
    gpu_shader *shaders[TYPES]; /* by need */
    uint32_t lanes[TYPES];      /* of the shader's waves; 0: not known yet */
    char device_name[512];
} plug;

/* What a shader gets and gives: words[0] has HEADER words, masks and elements, words[1] the sums,
 * words[2] the next line and the lanes of the smallest wave. */
typedef struct dispatch {
    uint32_t *words[GPU_SLOTS];
    size_t counts[GPU_SLOTS];
    uint32_t groups;
} dispatch;

static int failed(const gpu_failure *why, char *text) {
    snprintf(text, CUMSUM_EXEC_TEXT, "%s", why->message);
    switch (why->status) {
    case GPU_UNAVAILABLE:
    case GPU_OUT_OF_MEMORY:
        return CUMSUM_EXEC_UNSUPPORTED;
    case GPU_DEVICE_REMOVED:
        return CUMSUM_EXEC_LOST;
    case GPU_TIMEOUT:
        return CUMSUM_EXEC_LATE;
    default:
        return CUMSUM_EXEC_ERROR;
    }
}

static int open_device(void *state, cumsum_exec_implementation *self, char *text) {
    plug *p = (plug *)state;
    gpu_failure why = {GPU_OK, 0, ""};
    size_t count = 0;
    if (cumsum_gpu_choose_driver(cumsum_gpu_drivers, &p->driver, NULL, 0, &count, &why) != GPU_OK ||
        p->driver->open(NULL, &p->device, &why) != GPU_OK)
        return failed(&why, text);
    const cumsum_d3d12_device_info *info = &p->device->info;
    if (info->shader_model < 0x60) {
        snprintf(text, CUMSUM_EXEC_TEXT,
                 "%s: Direct3D has shader model %u.%u there, waves need 6.0", info->adapter.name,
                 (unsigned)(info->shader_model >> 4), (unsigned)(info->shader_model & 15));
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    snprintf(p->device_name, sizeof p->device_name, "HLSL %s on %s", p->mode, info->adapter.name);
    p->device_name[255] = '\0';
    self->device = p->device_name;
    if (!info->native_16bit_shader_ops)
        self->types = "FLOAT32 INT32 UINT32";
    return CUMSUM_EXEC_OK;
}

static int open_shader(plug *p, unsigned type, char *text) {
    static uint32_t bytecode[1 << 16];
    gpu_failure why = {GPU_OK, 0, ""};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s_%s.dxil", p->folder, p->mode, types[type].name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(text, CUMSUM_EXEC_TEXT, "cannot read %.400s", path);
        return CUMSUM_EXEC_ERROR;
    }
    const size_t bytes = fread(bytecode, 1, sizeof bytecode, file);
    fclose(file);
    if (p->driver->shader_open(p->device, bytecode, bytes, &p->shaders[type], &why) != GPU_OK)
        return failed(&why, text);
    return CUMSUM_EXEC_OK;
}

/* Executes the shader; its output replaces words[1] and words[2]. */
static int run(const plug *p, const gpu_shader *shader, const dispatch *d, char *text) {
    const gpu_driver *driver = p->driver;
    gpu_buffer *buffers[GPU_SLOTS] = {NULL};
    gpu_command command = {.type = GPU_DISPATCH, .shader = shader, .groups = {d->groups, 1, 1}};
    gpu_failure why = {GPU_OK, 0, ""};
    gpu_status status = GPU_OK;
    for (int i = 0; i < GPU_SLOTS && status == GPU_OK; i++) {
        status = driver->buffer_open(p->device, 4 * d->counts[i], &buffers[i], &why);
        command.writable[i].buffer = buffers[i];
        if (status == GPU_OK)
            status = driver->upload(p->device, buffers[i], 0, d->words[i], 4 * d->counts[i], &why);
    }
    if (status == GPU_OK)
        status = driver->submit(p->device, &command, 1, NULL, &why);
    for (int i = 1; i < GPU_SLOTS && status == GPU_OK; i++) {
        const gpu_part all = {0, d->words[i], 4 * d->counts[i]};
        status = driver->download(p->device, buffers[i], &all, 1, &why);
    }
    for (int i = 0; i < GPU_SLOTS; i++)
        driver->buffer_close(buffers[i]);
    return status == GPU_OK ? CUMSUM_EXEC_OK : failed(&why, text);
}

/* Asks the shader for the lanes of its waves, with a dispatch that has no lines. */
static int find_lanes(plug *p, unsigned type, char *text) {
    uint32_t header[HEADER + MASK + 1] = {0};
    uint32_t sum[4] = {0};
    uint32_t found[4] = {0, THREADS};
    const dispatch d = {{header, sum, found}, {HEADER + MASK + 1, 4, 4}, 1};
    const int status = run(p, p->shaders[type], &d, text);
    p->lanes[type] = found[1];
    return status;
}

/* The lanes of a line: the first ones, the last ones, some far apart, and then any. */
static void choose_lanes(uint32_t chosen[THREADS], uint64_t line, uint32_t length, uint32_t lanes) {
    uint32_t random = (uint32_t)line * 2654435761u;
    uint32_t count = 0;
    for (uint32_t k = 0; k < length && line < 3; k++)
        chosen[k] = line == 0 ? k : line == 1 ? lanes - length + k : k * lanes / length;
    for (uint32_t lane = 0; count < length && line >= 3; lane++) {
        random = random * 1664525 + 1013904223;
        if ((uint64_t)random * (lanes - lane) < (uint64_t)(length - count) << 32)
            chosen[count++] = lane;
    }
}

/* Copies the elements to their lanes, or the sums back. A total is the last sum of a line: in the
 * mode add, WaveActiveSum of all its lanes. */
static void move_lines(const cumsum_exec_request *r, const dispatch *d, uint32_t lanes, bool masked,
                       bool back) {
    const uint32_t lines = d->words[0][0];
    uint32_t *masks = d->words[0] + HEADER;
    uint32_t *elements = masks + (size_t)MASK * lines;
    for (uint32_t i = 0; i < lines; i++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, i);
        uint32_t chosen[THREADS];
        choose_lanes(chosen, masked ? i : 0, line.length, lanes);
        for (uint32_t k = 0; k < line.length; k++) {
            const size_t place = (size_t)lanes * i + chosen[k];
            if (back) {
                const ptrdiff_t at = r->total ? 0 : (ptrdiff_t)k * line.output_step;
                memcpy((char *)line.output + at * (ptrdiff_t)r->element_bytes, &d->words[1][place],
                       r->element_bytes);
                continue;
            }
            elements[place] = 0;
            memcpy(&elements[place],
                   (const char *)line.input +
                       (ptrdiff_t)k * line.input_step * (ptrdiff_t)r->element_bytes,
                   r->element_bytes);
            masks[(size_t)MASK * i + chosen[k] / 32] |= 1u << (chosen[k] % 32);
        }
    }
}

static int scan_lines(const plug *p, const cumsum_exec_request *r, unsigned type, uint32_t lanes,
                      bool masked, char *text) {
    const uint32_t lines = (uint32_t)cumsum_exec_line_count(r);
    const size_t elements = (size_t)lines * lanes;
    const size_t count = HEADER + (size_t)MASK * lines + elements;
    uint32_t *work = (uint32_t *)calloc(count + elements, sizeof *work);
    uint32_t found[4] = {0, THREADS};
    if (!work) {
        snprintf(text, CUMSUM_EXEC_TEXT, "out of memory");
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    const dispatch d = {{work, work + count, found}, {count, elements, 4}, lines};
    work[0] = lines;
    work[1] = lanes;
    work[2] = r->exclusive;
    for (size_t i = HEADER + (size_t)MASK * lines; i < count + elements; i++)
        work[i] = types[type].idle;
    move_lines(r, &d, lanes, masked, false);
    int status = run(p, p->shaders[type], &d, text);
    if (status == CUMSUM_EXEC_OK && masked && found[1] < lanes) {
        snprintf(text, CUMSUM_EXEC_TEXT, "a wave has %u lanes, and had %u", (unsigned)found[1],
                 (unsigned)lanes);
        status = CUMSUM_EXEC_UNSUPPORTED;
    }
    if (status == CUMSUM_EXEC_OK)
        move_lines(r, &d, lanes, masked, true);
    free(work);
    return status;
}

static int scan(void *state, const cumsum_exec_request *r, char *text) {
    plug *p = (plug *)state;
    const bool masked = strcmp(p->mode, "group") != 0;
    const uint32_t length = r->sizes[r->axis];
    unsigned type = 0;
    int status = CUMSUM_EXEC_OK;
    while (types[type].type != r->type)
        type++;
    if (!p->shaders[type] && (status = open_shader(p, type, text)) != CUMSUM_EXEC_OK)
        return status;
    if (masked && !p->lanes[type] && (status = find_lanes(p, type, text)) != CUMSUM_EXEC_OK)
        return status;
    const uint32_t most = masked ? p->lanes[type] : THREADS;
    if (length > most) {
        snprintf(text, CUMSUM_EXEC_TEXT, "a line of %u; a %s has %u", (unsigned)length,
                 masked ? "wave" : "group", (unsigned)most);
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    if (cumsum_exec_line_count(r) > GPU_MAX_GROUPS) {
        snprintf(text, CUMSUM_EXEC_TEXT, "more than %d lines", GPU_MAX_GROUPS);
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    return scan_lines(p, r, type, masked ? most : length, masked, text);
}

int main(int argc, char **argv) {
    if (argc != 3 || (strcmp(argv[1], "scan") != 0 && strcmp(argv[1], "add") != 0 &&
                      strcmp(argv[1], "group") != 0)) {
        fputs("usage: wave_plug scan|add|group FOLDER\n", stderr);
        return 2;
    }
    plug p = {.mode = argv[1], .folder = argv[2]};
    const cumsum_exec_implementation implementation = {
        .name = "HLSL waves",
        .types = "FLOAT32 FLOAT16 INT32 UINT32",
        .directions = "INCREASING",
        .sums = strcmp(p.mode, "add") == 0     ? "INCLUSIVE TOTAL"
                : strcmp(p.mode, "group") == 0 ? "INCLUSIVE EXCLUSIVE TOTAL"
                                               : NULL,
        .strides = true,
        .profile = "hlsl",
        .begin = open_device,
    };
    const int status = cumsum_exec_serve(&implementation, scan, &p);
    if (status != 0) /* after a timeout the driver's threads may still run */
        _Exit(status);
    for (int type = 0; type < TYPES && p.device; type++)
        p.driver->shader_close(p.shaders[type]);
    if (p.device)
        p.driver->close(p.device);
    return 0;
}
