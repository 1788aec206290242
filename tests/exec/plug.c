/* SPDX-License-Identifier: MIT */
/*
 * An implementation for --exec that sums with the library: plug [WORD]... The words say what it
 * declares that it can do, and how it misbehaves: in the handshake (words that begin with "ready"),
 * or when it is asked for INT64, so that the cases of other types around it show what is lost.
 */
#include <cumsum/cumsum.h>
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HELLO = 1,
    READY,
    SCAN,
    SUMS,
    UNSUPPORTED,
    ERROR,
    CUTS = 9
};

typedef struct request {
    uint32_t type, rank, axis, flags;
    uint32_t sizes[8], input_strides[8], output_strides[8];
    uint64_t input_size, output_size, input_at, output_at;
} request;

typedef struct header {
    char magic[4];
    uint32_t kind;
    uint64_t size;
} header;

static char **words;
static int shared_file = -1;
static unsigned char *shared;
static uint64_t shared_size;

static bool has(const char *word) {
    for (char **at = words; *at; at++)
        if (strcmp(*at, word) == 0)
            return true;
    return false;
}

static void put(const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        const ssize_t written = write(STDOUT_FILENO, at, size);
        if (written <= 0)
            exit(1);
        at += written;
        size -= (size_t)written;
    }
}

/* Ends the program where the input ends. */
static void get(void *bytes, size_t size) {
    for (char *at = bytes; size > 0;) {
        const ssize_t got = read(STDIN_FILENO, at, size);
        if (got <= 0)
            exit(0);
        at += got;
        size -= (size_t)got;
    }
}

static void put_header(uint32_t kind, uint64_t size) {
    const header h = {{'C', 'S', 'U', 'M'}, kind, size};
    put(&h, sizeof h);
}

static void send_frame(uint32_t kind, const void *bytes, size_t size) {
    put_header(kind, size);
    put(bytes, size);
}

static void send_text(uint32_t kind, const char *text) {
    send_frame(kind, text, strlen(text));
}

static _Noreturn void hang(void) {
    for (;;)
        pause();
}

static void send_many(uint32_t kind, size_t size) {
    char *bytes = malloc(size);
    memset(bytes, '[', size);
    send_frame(kind, bytes, size);
    free(bytes);
}

/* ---- the handshake ---- */

static void misbehave_in_ready(void) {
    bool misbehaves = false;
    for (char **at = words; *at; at++)
        misbehaves = misbehaves || strncmp(*at, "ready-", 6) == 0;
    if (!misbehaves)
        return;
    if (has("ready-error"))
        send_text(ERROR, "this needs a GPU");
    if (has("ready-exit"))
        exit(4);
    if (has("ready-prints"))
        put("Loading the model\n", 18);
    if (has("ready-sums"))
        send_text(SUMS, "");
    if (has("ready-long"))
        send_many(READY, 100000);
    if (has("ready-malformed"))
        send_text(READY, "{\"protocol\": 1,\n \"name\": plug}");
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

static void answer_hello(const unsigned char *payload) {
    char text[600];
    int32_t file;
    memcpy(&file, payload + 8, sizeof file);
    if (has("looks"))
        look_around();
    misbehave_in_ready();
    shared_file = has("pipe") ? -1 : file;
    snprintf(
        text, sizeof text,
        "{\"protocol\": 1, \"name\": \"plug\", \"version\": \"1.0\", \"sharedMemory\": %s%s%s%s%s}",
        shared_file >= 0 ? "true" : "false",
        has("plain") ? ", \"directions\": [\"INCREASING\"], \"sums\": [\"INCLUSIVE\"]"
                     : ", \"strides\": true, \"inPlace\": true",
        has("half")     ? ", \"halfAccumulator\": \"FLOAT16\", \"denormals\": \"PRESERVE\""
        : has("single") ? ", \"halfAccumulator\": \"FLOAT32\", \"halfStore\": \"NEAREST_EVEN\", "
                          "\"denormals\": \"PRESERVE\""
                        : "",
        has("few") ? ", \"types\": [\"INT32\"], \"ranks\": [2, 3]" : "",
        has("random")     ? ", \"deterministic\": false"
        : has("numerics") ? ", \"numerics\": true"
        : has("segments") ? ", \"segments\": true"
        : has("totals")   ? ", \"sums\": [\"TOTAL\"]"
        : has("wgsl")     ? ", \"profile\": \"wgsl\""
        : has("toward")   ? ", \"profile\": \"rounding=toward-zero\""
        : has("narrow")   ? ", \"profile\": \"accumulator=BFLOAT16\""
        : has("misspelt") ? ", \"profile\": \"wgls\""
                          : "");
    send_text(READY, text);
}

/* ---- sums ---- */

static cumsum_status sum(const request *r, const void *input, void *output,
                         cumsum_diagnostic *why) {
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_tensor_desc tensors[2];
    const uint32_t asked = has("deaf") ? 0 : r->flags;
    const cumsum_plan_options options = {
        .numerics = {
            .order = asked & 32 ? CUMSUM_ORDER_BLOCKED : CUMSUM_ORDER_SEQUENTIAL,
            .half_accumulator = has("half") || asked & 64 ? CUMSUM_HALF_ACCUMULATOR_FLOAT16
                                                          : CUMSUM_HALF_ACCUMULATOR_FLOAT32,
            .half_store = asked & 128   ? CUMSUM_HALF_STORE_TOWARD_ZERO
                          : asked & 256 ? CUMSUM_HALF_STORE_IEEE
                                        : CUMSUM_HALF_STORE_NEAREST_EVEN,
            .denormals = asked & 512 ? CUMSUM_DENORMALS_FLUSH : CUMSUM_DENORMALS_PRESERVE}};
    cumsum_plan *plan;
    for (int i = 0; i < 2; i++) {
        buffers[i] = (cumsum_buffer_tensor_desc){
            .data_type = (cumsum_data_type)r->type,
            .dimension_count = r->rank,
            .sizes = r->sizes,
            .strides = i ? r->output_strides : r->input_strides,
            .total_tensor_size_in_bytes = ((i ? r->output_size : r->input_size) + 3) / 4 * 4};
        tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffers[i]};
    }
    const cumsum_operator_desc desc = {&tensors[0], &tensors[1], r->axis,
                                       r->flags & 2 ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                    : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       r->flags & 1};
    cumsum_status status = cumsum_plan_create(&desc, &options, &plan, why);
    if (status == CUMSUM_OK) {
        status = cumsum_plan_execute(plan, input, buffers[0].total_tensor_size_in_bytes, output,
                                     buffers[1].total_tensor_size_in_bytes, why);
        cumsum_plan_destroy(plan);
    }
    return status;
}

/* Of packed, increasing and inclusive sums of FLOAT32: the third one of each line is added in an
 * order that has no name. */
static void regroup(const request *r, const float *x, float *sums) {
    const uint32_t step = r->input_strides[r->axis];
    for (uint32_t at = 0; at < r->output_size / sizeof *sums; at++)
        if (at / step % r->sizes[r->axis] == 2)
            sums[at] = x[at - 2 * step] + (x[at - step] + x[at]);
}

/* Answers that are no sums. */
static const struct {
    const char *word;
    uint32_t kind;
    const char *text;
} answers[] = {{"kind", READY, "{}"},
               {"unknown-kind", 77, ""},
               {"unsupported", UNSUPPORTED, "no INT64 on \033[31mthis\033[0m device\n"},
               {"error", ERROR, "CUDA error 700"},
               {"error-empty", ERROR, ""}};

/* Returns whether that was the answer. */
static bool misbehave(const request *r, const void *sums) {
    const uint64_t size = r->output_size;
    bool answered =
        has("short") || has("long") || has("trailing") || has("twice") || has("error-long");
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (has(answers[i].word)) {
            send_text(answers[i].kind, answers[i].text);
            answered = true;
        }
    if (has("prints"))
        put("Hello world\n", 12);
    if (has("short"))
        send_frame(SUMS, sums, size - 1);
    if (has("long")) {
        put_header(SUMS, size + 8);
        put(sums, size);
        put(sums, 8);
    }
    if (has("trailing")) { /* in one piece, so that it comes at once */
        char bytes[1000] = "CSUM\4";
        memcpy(bytes + 8, &size, sizeof size);
        memcpy(bytes + 16, sums, size);
        put(bytes, 16 + size + 8);
    }
    if (has("huge"))
        put_header(SUMS, UINT64_C(1) << 63);
    if (has("huge-text"))
        put_header(ERROR, UINT64_C(1) << 63);
    if (has("middle")) {
        put_header(SUMS, size);
        put(sums, size / 2);
        exit(0);
    }
    if (has("header"))
        put("CSU", 3);
    if (has("header"))
        exit(0);
    if (has("hangs"))
        hang();
    if (has("hangs-in-frame"))
        put_header(SUMS, size);
    if (has("hangs-in-frame"))
        hang();
    if (has("closes-output"))
        close(STDOUT_FILENO);
    if (has("closes-output"))
        hang();
    while (has("floods"))
        put("0123456789abcde\n", 16);
    for (int i = 0; has("floods-errors") && i < 200000; i++)
        fputs("0123456789abcdefghijklmnopqrstuvwxyz\n", stderr);
    if (has("crashes"))
        raise(SIGKILL);
    if (has("exits"))
        exit(3);
    if (has("twice")) {
        const header h = {{'C', 'S', 'U', 'M'}, SUMS, 0};
        const header twice[2] = {h, h};
        put(twice, sizeof twice);
    }
    if (has("error-long"))
        send_many(ERROR, 65536);
    return answered;
}

static void map(void) {
    struct stat about;
    if (shared)
        munmap(shared, shared_size);
    if (fstat(shared_file, &about) != 0)
        exit(1);
    shared_size = (uint64_t)about.st_size;
    shared = mmap(NULL, shared_size, PROT_READ | PROT_WRITE, MAP_SHARED, shared_file, 0);
    if (shared == MAP_FAILED)
        exit(1);
}

/* In lanes, whose number is a power of 2, and then in halves; of one lane, one after the other. */
static void add_up(const float *x, uint32_t n, uint32_t lanes, float *total) {
    float sums[8] = {0};
    for (uint32_t i = 0; i < n - has("drops"); i++)
        sums[i % lanes] = i < lanes ? x[i] : sums[i % lanes] + x[i];
    for (lanes /= 2; lanes > 0; lanes /= 2)
        for (uint32_t i = 0; i < lanes; i++)
            sums[i] += sums[i + lanes];
    *total = sums[0];
}

/* Of the tensor's elements in the order of the indices, those of one total are gathered. */
static void answer_total(const request *r, unsigned char *data) {
    const uint64_t count = r->output_size / sizeof(float);
    const bool in_shared = r->flags & 16;
    const float *x = (const float *)(const void *)data;
    uint32_t terms = 1, *filled = calloc(count, sizeof *filled);
    for (uint32_t d = 0; d < r->rank; d++)
        terms *= r->axis >> d & 1 ? r->sizes[d] : 1;
    float *lines = calloc(count * terms, sizeof *lines),
          *totals = calloc(count + 2, sizeof *totals);
    if (!filled || !lines || !totals)
        exit(1);
    if (in_shared && (!shared || r->output_at + r->output_size > shared_size))
        map();
    if (in_shared)
        x = (const float *)(const void *)(shared + r->input_at);
    for (uint64_t i = 0; i < count * terms; i++) {
        uint64_t rest = i, to = 0;
        for (uint32_t d = r->rank; d-- > 0; rest /= r->sizes[d])
            to += r->axis >> d & 1 ? 0 : rest % r->sizes[d] * r->output_strides[d];
        lines[to * terms + filled[to]++] = x[i];
    }
    for (uint64_t k = 0; k < count; k++)
        add_up(lines + k * terms, terms, has("lanes") ? 8 : 1, totals + k);
    if (in_shared)
        memcpy(shared + r->output_at, totals, r->output_size);
    if (r->type != CUMSUM_DATA_TYPE_FLOAT32)
        send_text(UNSUPPORTED, "totals of FLOAT32 only");
    else
        send_frame(SUMS, totals, in_shared ? 0 : r->output_size + (has("long") ? 4 : 0));
    free(totals);
    free(lines);
    free(filled);
}

static void answer_scan(const request *r, unsigned char *data) {
    const bool in_shared = r->flags & 16;
    const bool in_place = r->flags & 4;
    const bool prefilled = r->flags & 8;
    cumsum_diagnostic why = {.message = ""};
    if (in_shared &&
        (r->input_at + r->input_size > shared_size || r->output_at + r->output_size > shared_size))
        map();
    /* The library takes multiples of 4 bytes. */
    unsigned char *from = calloc(r->input_size + 8, 1);
    unsigned char *apart = calloc(r->output_size + 8, 1);
    unsigned char *to = in_place ? from : apart;
    memcpy(from, in_shared ? shared + r->input_at : data, r->input_size);
    if (!in_place && (in_shared || prefilled))
        memcpy(to, in_shared ? shared + r->output_at : data + r->input_size, r->output_size);
    const cumsum_status status = has("lazy") ? CUMSUM_OK : sum(r, from, to, &why);
    if (has("regroups") && r->type == CUMSUM_DATA_TYPE_FLOAT32)
        regroup(r, (const float *)(const void *)from, (float *)(void *)to);
    if (has("closes-input"))
        close(STDIN_FILENO);
    const bool answered = r->type == CUMSUM_DATA_TYPE_INT64 && misbehave(r, to);
    if (status != CUMSUM_OK) {
        send_text(ERROR, why.message);
    } else if (!answered) {
        if (in_shared)
            memcpy(shared + r->output_at, to, r->output_size);
        send_frame(SUMS, to, in_shared ? 0 : r->output_size);
    }
    if (has("closes-input"))
        hang();
    free(from);
    free(apart);
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
    (void)argc;
    words = argv + 1;
    leave_child();
    for (;;) {
        header h;
        get(&h, sizeof h);
        unsigned char *payload = calloc(h.size + 1, 1);
        get(payload, h.size);
        if (h.kind == HELLO) {
            answer_hello(payload);
        } else if (h.kind != CUTS) { /* a planted fault: it sums whole lines from 0 on */
            request r;
            memcpy(&r, payload, sizeof r);
            if (r.flags & 2048)
                answer_total(&r, payload + sizeof r);
            else
                answer_scan(&r, payload + sizeof r);
        }
        free(payload);
    }
}
