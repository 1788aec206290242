/* SPDX-License-Identifier: MIT */
/* Maps, places and fills the tensors of a case. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "case_memory.h"

#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

enum {
    ROOM = 68 << 20, /* bytes for a tensor */
    GUARD_BAND = 128 /* bytes before and behind it that must not change */
};

#ifdef _WIN32

static size_t page_size(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

/* Addresses that nothing may touch; NULL if there are none. */
static unsigned char *reserve(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_NOACCESS);
}

static bool make_writable(unsigned char *begin, size_t bytes) {
    return VirtualAlloc(begin, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

#else

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Addresses that nothing may touch; NULL if there are none. */
static unsigned char *reserve(size_t bytes) {
    void *all = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all == MAP_FAILED ? NULL : all;
}

static bool make_writable(unsigned char *begin, size_t bytes) {
    return mprotect(begin, bytes, PROT_READ | PROT_WRITE) == 0;
}

#endif

/* At least `bytes` bytes; memory is taken when it is written. False if there is none. */
static bool guarded_memory_map(guarded_memory *memory, size_t bytes) {
    const size_t page = page_size();
    const size_t whole = (bytes + page - 1) / page * page;
    unsigned char *all = reserve(whole + 2 * page);
    if (!all || !make_writable(all + page, whole))
        return false;
    memory->begin = all + page;
    memory->end = memory->begin + whole;
    return true;
}

/* Where a tensor of `bytes` bytes lies, `offset` bytes from the guard page at one of the ends. NULL
 * if it does not fit. */
static unsigned char *guarded_memory_place(const guarded_memory *memory, size_t bytes,
                                           size_t offset, bool at_end) {
    const size_t room = (size_t)(memory->end - memory->begin);
    if (bytes > room || offset > room - bytes)
        return NULL;
    return at_end ? memory->end - bytes - offset : memory->begin + offset;
}

bool case_memory_init(case_memory *memory) {
    memset(memory, 0, sizeof *memory);
    for (int operand = 0; operand < CASE_OPERANDS; operand++)
        if (!guarded_memory_map(&memory->pages[operand], ROOM) ||
            !guarded_memory_map(&memory->initial_pages[operand], ROOM))
            return false;
    if (!guarded_memory_map(&memory->expected_pages, ROOM) ||
        !guarded_memory_map(&memory->packed_pages, ROOM))
        return false;
    for (int operand = 0; operand < CASE_OPERANDS; operand++)
        memory->initial[operand] = memory->initial_pages[operand].begin;
    memory->expected = memory->expected_pages.begin;
    memory->packed = memory->packed_pages.begin;
    return true;
}

void copy_elements(unsigned char *to, int64_t to_step, const unsigned char *from, int64_t from_step,
                   uint64_t count, uint32_t element_size) {
    const int64_t to_bytes = to_step * (int64_t)element_size;
    const int64_t from_bytes = from_step * (int64_t)element_size;
    for (; count > 0; count--, to += to_bytes, from += from_bytes)
        if (element_size == 2)
            memcpy(to, from, 2);
        else if (element_size == 4)
            memcpy(to, from, 4);
        else
            memcpy(to, from, 8);
}

static bool place(case_memory *memory, const kernel_case *c, int operand, size_t bytes) {
    const case_operand *s = &c->operand[operand];
    const guarded_memory *pages = &memory->pages[operand];
    case_window *window = &memory->window[operand];
    window->tensor =
        guarded_memory_place(pages, bytes, (size_t)s->offset * case_element_size(c), s->at_end);
    if (!window->tensor)
        return false;
    const size_t room_before = (size_t)(window->tensor - pages->begin);
    const size_t room_behind = (size_t)(pages->end - window->tensor) - bytes;
    window->before = room_before < GUARD_BAND ? room_before : GUARD_BAND;
    window->begin = window->tensor - window->before;
    window->bytes = window->before + bytes + (room_behind < GUARD_BAND ? room_behind : GUARD_BAND);
    return window->bytes <= ROOM;
}

static bool place_both(case_memory *memory, const kernel_case *c) {
    case_descriptor descriptor;
    case_describe(c, &descriptor);
    for (int operand = 0; operand < CASE_OPERANDS; operand++)
        if (!place(memory, c, operand,
                   (size_t)descriptor.buffer[operand].total_tensor_size_in_bytes))
            return false;
    if (c->in_place)
        memory->window[CASE_INPUT] = memory->window[CASE_OUTPUT];
    return case_elements(c) * case_element_size(c) <= ROOM;
}

/* Fills with bytes that a kernel would not write by chance. */
static void fill_with_noise(case_window *window, uint64_t seed) {
    uint64_t random = ~seed;
    size_t i = 0;
    for (; i + 8 <= window->bytes; i += 8) {
        const uint64_t noise = random_next(&random);
        memcpy(window->begin + i, &noise, sizeof noise);
    }
    for (; i < window->bytes; i++)
        window->begin[i] = (unsigned char)random_next(&random);
}

/* If elements share an address, the last one in row-major order of lines is the input. */
static void fill_elements(case_memory *memory, const kernel_case *c) {
    const uint32_t size = case_element_size(c);
    const uint64_t length = c->sizes[c->axis];
    const case_window *window = &memory->window[CASE_INPUT];
    line_walk walk;
    line_walk_begin(&walk, c);
    do {
        pattern_line line;
        pattern_line_begin(&line, c->pattern, c->data_seed, walk.line, length);
        pattern_fill(&line, c->type, memory->packed);
        copy_elements(window->tensor + walk.offset[CASE_INPUT] * (int64_t)size,
                      case_step(c, CASE_INPUT), memory->packed, 1, length, size);
    } while (line_walk_next(&walk));
}

bool case_memory_prepare(case_memory *memory, const kernel_case *c) {
    if (!place_both(memory, c))
        return false;
    fill_with_noise(&memory->window[CASE_OUTPUT], c->data_seed);
    if (!c->in_place) /* all bits set: NaN, or -1 */
        memset(memory->window[CASE_INPUT].begin, 0xFF, memory->window[CASE_INPUT].bytes);
    fill_elements(memory, c);
    for (int operand = 0; operand < CASE_OPERANDS; operand++)
        memcpy(memory->initial[operand], memory->window[operand].begin,
               memory->window[operand].bytes);
    return true;
}

void case_memory_reset(case_memory *memory) {
    const case_window *output = &memory->window[CASE_OUTPUT];
    memcpy(output->begin, memory->initial[CASE_OUTPUT], output->bytes);
}
