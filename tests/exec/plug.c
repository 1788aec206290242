/* SPDX-License-Identifier: MIT */
/*
 * An implementation for --exec over cumsum/exec.h that sums with the library: plug [WORD]... The
 * words say what it declares that it can do, and how it misbehaves: in the handshake (words that
 * begin with "ready"), or when it is asked for INT64, so that the cases of other types around it
 * show what is lost. What it then sends goes past exec.h.
 */
#include <cumsum/cumsum.h>
#include <cumsum/exec.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>

static char **words;
static cumsum_exec_server server;
static int frames; /* the descriptor that frames go to */

static bool has(const char *word) {
    for (char **at = words; *at; at++)
        if (strcmp(*at, word) == 0)
            return true;
    return false;
}

static void put(const void *bytes, size_t size) {
    if (!cumsum_exec_flush(frames, bytes, size))
        exit(1);
}

static void put_header(uint32_t kind, uint64_t size) {
    char header[sizeof(cumsum_exec_frame)];
    cumsum_exec_header(header, kind, size);
    put(header, sizeof header);
}

static void put_many(uint32_t kind, size_t size) {
    put_header(kind, size);
    for (; size > 0; size--)
        put("[", 1);
}

static _Noreturn void hang(void) {
    for (;;)
        pause();
}

/* ---- the handshake ---- */

/* When HELLO has been read. */
static void misbehave_in_ready(void) {
    char hello[sizeof(cumsum_exec_frame) + sizeof(cumsum_exec_hello)];
    if (!cumsum_exec_read(hello, sizeof hello))
        exit(1);
    if (has("ready-error"))
        cumsum_exec_say(&server, CUMSUM_EXEC_KIND_ERROR, "this needs a GPU");
    if (has("ready-exit"))
        exit(4);
    if (has("ready-prints"))
        put("Loading the model\n", 18);
    if (has("ready-sums"))
        put_header(CUMSUM_EXEC_KIND_SUMS, 0);
    if (has("ready-long"))
        put_many(CUMSUM_EXEC_KIND_READY, 100000);
    if (has("ready-malformed"))
        cumsum_exec_say(&server, CUMSUM_EXEC_KIND_READY, "{\"protocol\": 1,\n \"name\": plug}");
    hang();
}

/* Shows the descriptors that the process was given. */
static void look_around(void) {
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder))
            fprintf(stderr, "descriptor %s\n", entry->d_name);
    if (folder)
        closedir(folder);
}

static cumsum_exec_implementation describe(void) {
    const bool plain = has("plain"), half = has("half"), single = has("single");
    return (cumsum_exec_implementation){
        .name = "plug",
        .version = "1.0",
        .types = has("few") ? "INT32" : NULL,
        .least_rank = has("few") ? 2 : 0,
        .greatest_rank = has("few") ? 3 : 0,
        .directions = plain ? "INCREASING" : NULL,
        .sums = has("totals") ? "TOTAL"
                : plain       ? "INCLUSIVE"
                              : NULL,
        .several_axes = true,
        .strides = !plain,
        .in_place = !plain,
        .deterministic = has("random") ? -1 : 0,
        .half_accumulator = half     ? "FLOAT16"
                            : single ? "FLOAT32"
                                     : NULL,
        .half_store = single ? "NEAREST_EVEN" : NULL,
        .denormals = half || single ? "PRESERVE" : NULL,
        .numerics = has("numerics"),
        .segments = has("segments"), /* a planted fault: it sums whole lines */
        .profile = has("wgsl")       ? "wgsl"
                   : has("toward")   ? "rounding=toward-zero"
                   : has("narrow")   ? "accumulator=BFLOAT16"
                   : has("misspelt") ? "wgls"
                                     : NULL};
}

/* ---- sums ---- */

static cumsum_status sum(const cumsum_exec_request *r, cumsum_diagnostic *why) {
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_tensor_desc tensors[2];
    cumsum_plan_options options = {.numerics.half_accumulator =
                                       (cumsum_half_accumulator)has("half")};
    cumsum_plan *plan;
    if (!has("deaf") && !has("half"))
        options.numerics =
            (cumsum_numerics){.order = (cumsum_order)r->order,
                              .half_accumulator = (cumsum_half_accumulator)r->half_sums,
                              .half_store = (cumsum_half_store)r->half_store,
                              .denormals = (cumsum_denormals)r->flush};
    for (int i = 0; i < 2; i++) {
        buffers[i] =
            (cumsum_buffer_tensor_desc){.data_type = (cumsum_data_type)r->type,
                                        .dimension_count = r->rank,
                                        .sizes = r->sizes,
                                        .strides = i ? r->output_strides : r->input_strides,
                                        .total_tensor_size_in_bytes = cumsum_exec_round_up(
                                            i ? r->output_bytes : r->input_bytes)};
        tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffers[i]};
    }
    const cumsum_operator_desc desc = {&tensors[0], &tensors[1], r->axis,
                                       r->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                     : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       r->exclusive};
    cumsum_status status = cumsum_plan_create(&desc, &options, &plan, why);
    if (status == CUMSUM_OK) {
        status = cumsum_plan_execute(plan, r->input, buffers[0].total_tensor_size_in_bytes,
                                     r->output, buffers[1].total_tensor_size_in_bytes, why);
        cumsum_plan_destroy(plan);
    }
    return status;
}

/* Of packed, increasing and inclusive sums of FLOAT32: the third one of each line is added in an
 * order that has no name. */
static void regroup(const cumsum_exec_request *r) {
    for (uint64_t n = 0; n < cumsum_exec_line_count(r); n++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, n);
        const float *x = (const float *)line.input;
        const ptrdiff_t step = line.input_step;
        if (line.length > 2)
            ((float *)line.output)[2 * line.output_step] = x[0] + (x[step] + x[2 * step]);
    }
}

/* In lanes, whose number is a power of 2, and then in halves; of one lane, one after the other. */
static float add_up(const float *x, uint32_t n, uint32_t lanes) {
    float sums[8] = {0};
    for (uint32_t i = 0; i < n - has("drops"); i++)
        sums[i % lanes] = i < lanes ? x[i] : sums[i % lanes] + x[i];
    for (lanes /= 2; lanes > 0; lanes /= 2)
        for (uint32_t i = 0; i < lanes; i++)
            sums[i] += sums[i + lanes];
    return sums[0];
}

/* Of the tensor's elements in the order of the indices, those of one total are gathered. */
static int add_totals(const cumsum_exec_request *r, char *text) {
    const uint64_t count = r->output_bytes / sizeof(float);
    uint32_t terms = 1, *filled = calloc(count, sizeof *filled);
    for (uint32_t d = 0; d < r->rank; d++)
        terms *= r->axes >> d & 1 ? r->sizes[d] : 1;
    float *lines = calloc(count * terms, sizeof *lines);
    snprintf(text, CUMSUM_EXEC_TEXT, "totals of FLOAT32 only");
    for (uint64_t i = 0; r->type == CUMSUM_EXEC_FLOAT32 && i < count * terms; i++) {
        uint64_t rest = i, to = 0;
        for (uint32_t d = r->rank; d-- > 0; rest /= r->sizes[d])
            to += r->axes >> d & 1 ? 0 : rest % r->sizes[d] * r->output_strides[d];
        lines[to * terms + filled[to]++] = ((const float *)r->input)[i];
    }
    for (uint64_t k = 0; r->type == CUMSUM_EXEC_FLOAT32 && k < count; k++)
        ((float *)r->output)[k] = add_up(lines + k * terms, terms, has("lanes") ? 8 : 1);
    free(lines);
    free(filled);
    return r->type == CUMSUM_EXEC_FLOAT32 ? CUMSUM_EXEC_OK : CUMSUM_EXEC_UNSUPPORTED;
}

/* Answers that are no sums. */
static const struct {
    const char *word;
    int answer;
    const char *text;
} answers[] = {{"unsupported", CUMSUM_EXEC_UNSUPPORTED, "no INT64 on \033[31mthis\033[0m device\n"},
               {"error", CUMSUM_EXEC_ERROR, "CUDA error 700"},
               {"error-empty", CUMSUM_EXEC_ERROR, " "}};

/* Frames in the place of SUMS with 48 bytes, after which it ends or hangs. */
static const struct {
    const char *word;
    uint32_t kind;
    uint64_t more; /* bytes than the output has, says the header */
    int sent;      /* bytes more than a right answer has */
    bool ends;
} others[] = {{"kind", CUMSUM_EXEC_KIND_READY, 0, 0, false},
              {"unknown-kind", 77, 0, 0, false},
              {"short", CUMSUM_EXEC_KIND_SUMS, UINT64_MAX, -1, false},
              {"long", CUMSUM_EXEC_KIND_SUMS, 8, 8, false},
              {"trailing", CUMSUM_EXEC_KIND_SUMS, 0, 8, false},
              {"huge", CUMSUM_EXEC_KIND_SUMS, (UINT64_C(1) << 63) - 48, 0, false},
              {"huge-text", CUMSUM_EXEC_KIND_ERROR, (UINT64_C(1) << 63) - 48, 0, false},
              {"middle", CUMSUM_EXEC_KIND_SUMS, 0, -24, true},
              {"header", CUMSUM_EXEC_KIND_SUMS, 0, -61, true},
              {"hangs-in-frame", CUMSUM_EXEC_KIND_SUMS, 0, -48, false},
              {"hangs", CUMSUM_EXEC_KIND_SUMS, 0, -64, false}};

/* Each in one piece. */
static void send_others(const cumsum_exec_request *r) {
    const uint64_t size = r->output_bytes;
    char frame[1000] = "";
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (!has(others[i].word))
            continue;
        cumsum_exec_header(frame, others[i].kind, size + others[i].more);
        memcpy(frame + 16, r->output, size);
        put(frame, 16 + size + (uint64_t)others[i].sent);
        if (others[i].ends)
            exit(0);
        hang();
    }
}

static void misbehave(const cumsum_exec_request *r) {
    send_others(r);
    if (has("prints"))
        put("Hello world\n", 12);
    if (has("error-long")) {
        put_many(CUMSUM_EXEC_KIND_ERROR, 65536);
        server.output = open("/dev/null", O_WRONLY); /* where exec.h answers to this request */
    }
    if (has("closes-output")) {
        close(frames);
        hang();
    }
    while (has("floods"))
        put("0123456789abcde\n", 16);
    for (int i = 0; has("floods-errors") && i < 200000; i++)
        fputs("0123456789abcdefghijklmnopqrstuvwxyz\n", stderr);
    if (has("crashes"))
        raise(SIGKILL);
    if (has("exits"))
        exit(3);
}

/* Answers what it was asked, and never reads again. */
static _Noreturn void close_input(const cumsum_exec_request *r) {
    close(STDIN_FILENO);
    put_header(CUMSUM_EXEC_KIND_SUMS, r->output_bytes);
    put(r->output, r->output_bytes);
    hang();
}

static int scan(void *state, const cumsum_exec_request *r, char *text) {
    cumsum_diagnostic why = {.message = ""};
    (void)state;
    server.output = frames;
    if (r->total)
        return add_totals(r, text);
    const cumsum_status status = has("lazy") ? CUMSUM_OK : sum(r, &why);
    if (has("regroups") && r->type == CUMSUM_EXEC_FLOAT32)
        regroup(r);
    if (has("closes-input"))
        close_input(r);
    for (size_t i = 0; r->type == CUMSUM_EXEC_INT64 && i < 3; i++) {
        if (has(answers[i].word)) {
            snprintf(text, CUMSUM_EXEC_TEXT, "%s", answers[i].text);
            return answers[i].answer;
        }
    }
    if (r->type == CUMSUM_EXEC_INT64)
        misbehave(r);
    snprintf(text, CUMSUM_EXEC_TEXT, "%s", why.message);
    return status == CUMSUM_OK ? CUMSUM_EXEC_OK : CUMSUM_EXEC_ERROR;
}

/* leaves-child FILE: a process of its group, whose number it writes into the file. */
static void leave_child(void) {
    for (char **at = words; *at; at++) {
        if (strcmp(*at, "leaves-child") == 0) {
            FILE *file = fopen(at[1], "w");
            const pid_t process = fork();
            if (process == 0)
                hang();
            fprintf(file, "%ld %ld\n", (long)process, (long)getpid());
            fclose(file);
        }
    }
}

int main(int argc, char **argv) {
    cumsum_exec_json ready;
    (void)argc;
    words = argv + 1;
    leave_child();
    if (has("looks"))
        look_around();
    if (!cumsum_exec_open(&server))
        return 1;
    frames = server.output;
    server.program = "plug";
    server.implementation = describe();
    for (char **at = words; *at; at++)
        if (strncmp(*at, "ready-", 6) == 0)
            misbehave_in_ready();
    if (!cumsum_exec_start(&server, NULL, &ready))
        return 2;
    return cumsum_exec_loop(&server, &ready, scan, NULL);
}
