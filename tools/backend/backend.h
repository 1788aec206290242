/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BACKEND_H
#define CUMSUM_TOOLS_BACKEND_H

/* Backends: the CPU, Direct3D 12, DirectML, CUDA and a process that sums behind one interface, and
 * their settings. */

#include <cumsum/d3d12.h>
#include <cumsum/segments.h>
#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "word_table.h"

typedef enum backend_choice {
    BACKEND_CPU,
    BACKEND_D3D12,
    BACKEND_DIRECTML,
    BACKEND_CUDA,
    BACKEND_EXEC, /* the process of --exec */
    BACKEND_ALL   /* verify: all, one after the other */
} backend_choice;

typedef struct backend_settings {
    backend_choice backend;
    cumsum_kernel kernel; /* of the CPU, as all_kernels and threads */
    bool all_kernels;     /* verify: one after the other */
    uint32_t threads;     /* 0: one for each processor */
    char adapter[160];    /* a substring of the device's name; "": the first device */
    bool debug_layer;
    const char *exec; /* the command of BACKEND_EXEC; else NULL */
    bool isolated;    /* in a process of its own, `cumsum serve`: see backend_isolate */
    uint32_t timeout; /* milliseconds that one submission may take; 0: the default */
    bool has_numerics;
    cumsum_numerics numerics;  /* in the place of those of a case file */
    const char *numerics_word; /* that says it on the command line, or NULL */
} backend_settings;

/* Reads a text of --backend: "cpu", "cpu:avx2,threads=4", "d3d12:NAME,debug". all: "all" and
 * "cpu:all" may stand there. What the text does not say stays as it is. TOOL_MALFORMED, with the
 * text, the part and what is known. */
tool_status backend_read(const char *spec, bool all, backend_settings *to, tool_error *error);

/* The text of --backend for these settings, other than of BACKEND_EXEC. Returns text. */
#define BACKEND_SPEC 240
const char *backend_spec(const backend_settings *settings, char text[BACKEND_SPEC]);

/* Has a process of its own execute if this is a device, or if `always` is true: its crash or hang
 * then ends nothing else. For debuggers the environment variable CUMSUM_ISOLATE=never forbids it.
 */
void backend_isolate(backend_settings *settings, bool always);

/* The numerics of a dispatch: those of the settings, else those of its file. */
cumsum_numerics backend_numerics(const backend_settings *settings, cumsum_numerics from_file);

/* The command line, for a shell, that runs `command` on `file` with the backend of the settings:
 * "cumsum verify --backend d3d12 FILE". more: further options, " --runs 3"; or "". The caller frees
 * it. */
char *backend_command_line(const backend_settings *settings, const char *command, const char *more,
                           const char *file);

/* The number of backends that --backend names. */
#define BACKEND_COUNT 4

/* "all", then "cpu", "d3d12", "directml", "cuda": the words of --backend */
extern const word_row backend_words[];

/* A word of them, or "exec". */
const char *backend_name(backend_choice backend);

/* The kernels, in the order in which they are listed and run. */
#define KERNEL_COUNT 5
extern const cumsum_kernel kernel_list[KERNEL_COUNT];

/* One execution: the arguments of cumsum_plan_create and cumsum_plan_execute. */
typedef struct backend_work {
    const cumsum_operator_desc *desc;
    uint32_t total_axes; /* for a process: not a scan, but totals over these, bit d for axis d; both
                            tensors are packed, and the output has the size 1 there. 0: a scan */
    cumsum_numerics numerics;
    bool any_numerics; /* directml: do not check that it computes these numerics */
    cumsum_feature_level level;
    uint32_t execution_flags;        /* DML_EXECUTION_FLAGS, for directml */
    const cumsum_segments *segments; /* for the CPU and a process; NULL: whole lines, from 0 on */
    const void *input;
    uint64_t input_in_bytes;
    void *output;
    uint64_t output_in_bytes;
    uint64_t
        input_before; /* bytes before the input and the output, for a process: they must stay */
    uint64_t output_before;
} backend_work;

/* What was done to the data of an execution. Bits. */
typedef enum backend_adaptation {
    BACKEND_PACKED = 1,   /* strided tensors were packed */
    BACKEND_REVERSED = 2, /* decreasing sums are increasing ones of reversed lines */
    BACKEND_SHIFTED = 4,  /* exclusive sums are inclusive ones, shifted */
    BACKEND_APART = 8     /* sums in place were computed with an output apart */
} backend_adaptation;

/* "adapted: packed, reversed", with the words packed, reversed, shifted and apart; "" for none. */
#define ADAPTATION_TEXT 50
const char *adaptation_text(uint32_t adapted, char text[ADAPTATION_TEXT]);

/* Adds the words as the list "adapted", if there are any. */
struct json_object;
void adaptation_fields(struct json_object *object, uint32_t adapted);

/* A device; of a process the first member of its own structure. */
typedef struct backend_device {
    const struct backend_methods *methods;
    cumsum_d3d12_device *d3d12; /* of d3d12, directml and cuda */
    struct cumsum_directml *directml;
    char name[256]; /* the adapter and its driver */
    char adapter[160];
    char driver[160];       /* "" if unknown */
    char profile[128];      /* of exec: what sums are judged as; "": not said */
    bool flushes_denormals; /* flushes FLOAT32 subnormals although asked to PRESERVE */
    bool deterministic;     /* it promises the same bits in every run */
    bool nondeterministic;  /* says that its bits may differ from run to run */
    bool any_half_model;    /* does not say how it adds and stores FLOAT16 */
    uint32_t adapted;       /* bits of backend_adaptation: see executor_adapted */
} backend_device;

typedef struct backend_methods {
    /* Opens *device, which close frees. CUMSUM_NO_DEVICE if there is none. */
    cumsum_status (*open)(const backend_settings *settings, backend_device **device,
                          cumsum_diagnostic *diagnostic);
    void (*close)(backend_device *device);
    /* CUMSUM_UNSUPPORTED if this backend does not compute such sums. CUMSUM_NO_DEVICE if this
     * program cannot reach the device: its own failure. */
    cumsum_status (*execute)(backend_device *device, const backend_work *work,
                             cumsum_diagnostic *diagnostic);
    /* The HRESULTs of CreateOperator and CompileOperator for a descriptor. NULL if the backend has
     * no verdicts. */
    cumsum_status (*ask)(backend_device *device, const cumsum_operator_desc *desc,
                         uint32_t execution_flags, int32_t hresults[2],
                         cumsum_diagnostic *diagnostic);
} backend_methods;

/* Remembers a timeout of a Direct3D 12 device. Returns the status, which the device returned. */
cumsum_status backend_note_timeout(cumsum_status status);

/* After a timeout the device may still work. The program must then end by _Exit: exit would free
 * what the threads of the device's driver use. */
bool backend_may_still_work(void);

/* A process: of --exec, or `cumsum serve` for another backend. */
extern const backend_methods backend_exec;

#ifdef CUMSUM_TOOL_D3D12
extern const backend_methods backend_d3d12;
extern const backend_methods backend_directml;
#endif
#ifdef CUMSUM_TOOL_CUDA
extern const backend_methods backend_cuda;
#endif

#endif
