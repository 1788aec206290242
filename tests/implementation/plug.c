/* SPDX-License-Identifier: MIT */
/* plug [MANNER]: an implementation over cumsum/exec.h, for the tests of the protocol. Its sums are
 * those of unsigned integers, which are right for all types of integers, and of FLOAT32. MANNER is
 * what it does besides. Where floats are to be summed in another way it tells what it was asked. */
#include <cumsum/exec.h>
#include <time.h>

static bool sum_forever; /* or lose the carry, in long lines only: a planted fault */

#define DEFINE_SCAN(name, element)                                                                 \
    static void name(const cumsum_exec_request *r) {                                               \
        for (uint64_t n = 0; n < cumsum_exec_line_count(r); n++) {                                 \
            const cumsum_exec_line line = cumsum_exec_line_at(r, n);                               \
            element sum = r->initial ? *(const element *)r->initial : 0;                           \
            for (uint32_t i = 0; i < line.length; i++) {                                           \
                sum = i == 60 && !sum_forever ? 0 : sum;                                           \
                const ptrdiff_t at = (ptrdiff_t)i;                                                 \
                const element x = ((const element *)line.input)[at * line.input_step];             \
                ((element *)line.output)[at * line.output_step] =                                  \
                    r->exclusive ? sum : (element)(sum + x);                                       \
                sum = (element)(sum + x);                                                          \
            }                                                                                      \
        }                                                                                          \
    }
DEFINE_SCAN(scan8, uint8_t)
DEFINE_SCAN(scan16, uint16_t)
DEFINE_SCAN(scan32, uint32_t)
DEFINE_SCAN(scan64, uint64_t)
DEFINE_SCAN(scan_float, float)

/* Totals of integers of 32 bits over one axis. */
static int add_totals(const cumsum_exec_request *r, char *text) {
    snprintf(text, CUMSUM_EXEC_TEXT, "totals of this type");
    if (r->type != CUMSUM_EXEC_UINT32 && r->type != CUMSUM_EXEC_INT32)
        return CUMSUM_EXEC_UNSUPPORTED;
    for (uint64_t n = 0; n < cumsum_exec_line_count(r); n++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, n);
        uint32_t sum = 0;
        for (uint32_t i = 0; i < line.length; i++)
            sum += ((const uint32_t *)line.input)[(ptrdiff_t)i * line.input_step];
        *(uint32_t *)line.output = sum;
    }
    return CUMSUM_EXEC_OK;
}

static int scan(void *state, const cumsum_exec_request *r, char *text) {
    const char *manner = state;
    if (r->total)
        return add_totals(r, text);
    if (strcmp(manner, "lazy") == 0)
        return CUMSUM_EXEC_OK; /* it writes nothing */
    if (strcmp(manner, "silent") == 0)
        return CUMSUM_EXEC_ERROR; /* it gives no reason */
    if (strcmp(manner, "slow") == 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (strcmp(manner, "talks") == 0)
        printf("%u dimensions\n", (unsigned)r->rank);
    if (strcmp(manner, "device") == 0 && r->rank > 6) {
        snprintf(text, CUMSUM_EXEC_TEXT, "device lost");
        return r->rank == 7 ? CUMSUM_EXEC_LOST : CUMSUM_EXEC_LATE;
    }
    if (r->order || r->half_store || r->half_sums || r->flush) {
        snprintf(text, CUMSUM_EXEC_TEXT, "order %d, store %d%s%s", (int)r->order,
                 (int)r->half_store, r->half_sums ? ", half sums" : "", r->flush ? ", flush" : "");
        return CUMSUM_EXEC_ERROR;
    }
    if (r->rank == 5) {
        snprintf(text, CUMSUM_EXEC_TEXT, "five dimensions");
        return CUMSUM_EXEC_UNSUPPORTED;
    }
    if (r->rank == 6) {
        snprintf(text, CUMSUM_EXEC_TEXT, "Gerät lost");
        return CUMSUM_EXEC_ERROR;
    }
    sum_forever = strcmp(manner, "forgets") != 0;
    if (r->type == CUMSUM_EXEC_FLOAT32)
        scan_float(r);
    else if (r->element_bytes == 1)
        scan8(r);
    else if (r->element_bytes == 2)
        scan16(r);
    else if (r->element_bytes == 4)
        scan32(r);
    else
        scan64(r);
    return CUMSUM_EXEC_OK;
}

/* Prints, as drivers do when a device is opened. */
static int begin(void *state, cumsum_exec_implementation *self, char *text) {
    printf("a device\n");
    fflush(stdout);
    self->device = "Device 1";
    self->overlap = self->buffers = self->numerics = self->exact = true;
    if (strcmp(state, "device") == 0)
        return CUMSUM_EXEC_OK;
    snprintf(text, CUMSUM_EXEC_TEXT, "no device");
    return strcmp(state, "refuses") == 0 ? CUMSUM_EXEC_UNSUPPORTED : -1;
}

int main(int count, char **arguments) {
    char *manner = count > 1 ? arguments[1] : "";
    cumsum_exec_implementation plug = {
        .name = "a \"plug\"",
        .version = "1\t2",
        .sums = "INCLUSIVE EXCLUSIVE TOTAL",
        .profile = "ieee",
        .types = "FLOAT32 UINT32 UINT16 UINT8 INT32 INT16 INT8 UINT64 INT64",
        .strides = true,
        .in_place = true,
        .segments = true,
        .initial = true,
        .deterministic = 1};
    if (strcmp(manner, "little") == 0) {
        plug = (cumsum_exec_implementation){.name = "little",
                                            .types = " FLOAT32  INT32 ",
                                            .directions = "INCREASING",
                                            .sums = "INCLUSIVE",
                                            .least_rank = 2,
                                            .greatest_rank = 3,
                                            .deterministic = -1,
                                            .half_accumulator = "FLOAT16",
                                            .half_store = "IEEE",
                                            .denormals = "FLUSH"};
    }
    if (strcmp(manner, "device") == 0 || strcmp(manner, "refuses") == 0 ||
        strcmp(manner, "fails") == 0)
        plug.begin = begin;
    if (strcmp(manner, "misspelt") == 0)
        plug.types = "FLOAT32 FLOAT";
    return cumsum_exec_serve(&plug, scan, manner);
}
