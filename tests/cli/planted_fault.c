/* SPDX-License-Identifier: MIT */
/*
 * planted_fault CUMSUM SCRATCH PLACES FILE...: flips one bit in expected values of golden files,
 * at PLACES places spread over each file, and checks each time that `cumsum verify` exits 1 and
 * names the coordinates, that one element alone differs, and that the number beside it is right. A
 * bit flipped in a gap, which the output tensor does not address, must not be noticed.
 */
#include <cumsum/oracle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "case_file.h"
#include "element.h"
#include "file.h"
#include "layout.h"
#include "memory_limit.h"

typedef struct planting {
    const char *cumsum;
    const char *scratch; /* the file with the planted fault */
    file_contents source;
    uint64_t state; /* of the random number generator */
    unsigned planted;
    unsigned gaps;
    unsigned missed;
} planting;

static uint64_t next_random(planting *p, uint64_t below) {
    p->state = p->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (p->state >> 33) % below;
}

/* Finds the text of element `index` of the array that initializes `name`. The golden files hold it
 * as "NAME": { ... "initialValues": [a,b,...] }. */
static bool find_token(const planting *p, const char *name, uint64_t index, size_t *begin,
                       size_t *end) {
    char key[300];
    const char *text = (const char *)p->source.bytes;
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(text, key);
    at = at ? strstr(at, "\"initialValues\":") : NULL;
    at = at ? at + strlen("\"initialValues\":") : NULL;
    at = at ? at + strspn(at, " ") : NULL;
    if (!at || *at != '[')
        return false;
    for (at++; index > 0; index--)
        at += strcspn(at, ",]") + 1;
    at += strspn(at, " \n");
    *begin = (size_t)(at - text);
    *end = *begin + strcspn(at, ",] \n");
    return true;
}

/* Writes the case file with another element. Values that are no JSON numbers become strings. */
static bool write_fault(const planting *p, size_t begin, size_t end, cumsum_data_type type,
                        uint64_t bits) {
    char decimal[ELEMENT_TEXT];
    char token[ELEMENT_TEXT + 2];
    element_decimal(decimal, type, bits);
    const char *quote = element_is_finite(type, bits) ? "" : "\"";
    snprintf(token, sizeof token, "%s%s%s", quote, decimal, quote);
    file_part parts[] = {{p->source.bytes, begin},
                         {token, strlen(token)},
                         {p->source.bytes + end, p->source.size - end}};
    return file_write(p->scratch, parts, 3, NULL) == TOOL_OK;
}

/* Runs verify on the faulty file. Returns the exit status; the output is in `text`. */
static int verify(const planting *p, char *text, size_t room) {
    char command[4096];
    snprintf(command, sizeof command, "'%s' verify -q '%s'", p->cumsum, p->scratch);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return -1;
    size_t length = fread(text, 1, room - 1, pipe);
    text[length] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(planting *p, const case_file_command *c, bool right, const char *what,
                   const char *output) {
    if (!right) {
        p->missed++;
        printf("%s: %s\n%s\n", c->dispatchable->name, what, output);
    }
}

/* Flips a bit of the expected element with these coordinates. */
static void plant(planting *p, const case_file_command *c, const layout *output,
                  const uint32_t *coordinates) {
    uint64_t offset = layout_offset(output, coordinates);
    const unsigned char *bytes = c->output.resource->expected->bytes + offset;
    uint64_t bits = element_load(bytes, output->type);
    uint64_t faulty = bits ^ UINT64_C(1) << next_random(p, 8 * (uint64_t)output->element_size);
    char place[LAYOUT_TEXT];
    char hex[ELEMENT_TEXT];
    char wanted[300];
    char text[16384];
    size_t begin;
    size_t end;
    if (cumsum_same_bits(output->type, bits, faulty))
        return; /* a NaN would become another NaN, which verify treats as equal */
    element_hex(hex, output->type, faulty);
    layout_coordinates_text(place, output->rank, coordinates);
    snprintf(wanted, sizeof wanted, "first and worst %s: expected ", place);
    if (!find_token(p, c->output.resource->expected->name, offset / output->element_size, &begin,
                    &end) ||
        !write_fault(p, begin, end, output->type, faulty)) {
        expect(p, c, false, "cannot plant the fault", "");
        return;
    }
    int status = verify(p, text, sizeof text);
    bool was_nan = !element_is_finite(output->type, faulty);
    expect(p, c, status == 1, "the fault was not noticed (exit status)", text);
    expect(p, c, strstr(text, wanted) != NULL, wanted, text);
    expect(p, c, was_nan || strstr(text, hex) != NULL, hex, text);
    expect(p, c, strstr(text, "      1 of ") != NULL, "one element differs", text);
    p->planted++;
}

/* Flips a bit after the first element, if a gap is there. verify must ignore it. */
static void plant_in_gap(planting *p, const case_file_command *c, const layout *output) {
    uint64_t lowest = UINT64_MAX;
    char text[16384];
    size_t begin;
    size_t end;
    for (uint32_t d = 0; d < output->rank; d++)
        lowest = output->sizes[d] > 1 && output->strides[d] < lowest ? output->strides[d] : lowest;
    if (lowest == UINT64_MAX || lowest < 2 || c->input.resource == c->output.resource)
        return;
    if (find_token(p, c->output.resource->expected->name, 1, &begin, &end) &&
        write_fault(p, begin, end, output->type, 77)) {
        int status = verify(p, text, sizeof text);
        expect(p, c, status == 0, "a gap was compared", text);
        p->gaps++;
    }
}

static void plant_in_case_file(planting *p, const case_file *file, unsigned places) {
    for (unsigned i = 0; i < places; i++) {
        const case_file_command *c = &file->commands[next_random(p, file->command_count)];
        if (c->type != CASE_FILE_COMMAND_DISPATCH)
            continue;
        layout output = layout_of(c->dispatchable->op.desc.output_tensor->desc);
        uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
        for (uint32_t d = 0; d < output.rank; d++)
            coordinates[d] = (uint32_t)next_random(p, output.sizes[d]);
        plant(p, c, &output, coordinates);
        plant_in_gap(p, c, &output);
    }
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fputs("usage: planted_fault CUMSUM SCRATCH PLACES FILE...\n", stderr);
        return 2;
    }
    planting p = {.cumsum = argv[1], .scratch = argv[2], .state = 1};
    for (int i = 4; i < argc; i++) {
        case_file *file;
        tool_error error;
        if (file_read(argv[i], &p.source, &error) != TOOL_OK ||
            case_file_read(argv[i], &file, &error) != TOOL_OK) {
            puts(error.message);
            return 1;
        }
        plant_in_case_file(&p, file, (unsigned)atoi(argv[3]));
        case_file_free(file);
        memory_free(p.source.bytes);
    }
    remove(p.scratch);
    printf("%u faults planted, %u in gaps, %u checks failed\n", p.planted, p.gaps, p.missed);
    return p.missed == 0 && p.planted > 0 && p.gaps > 0 ? 0 : 1;
}
