/* SPDX-License-Identifier: MIT */
/*
 * The process of --exec where there are none: a device of the JavaScript program that runs this
 * one. A frame goes to its function `exchange`, which answers with a frame, perhaps much later;
 * Asyncify lets this program wait for it. web/cumsum.js has the functions that are called here.
 */
#include "child_process.h"

#include <emscripten.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "memory.h"

struct child_process {
    child_bytes pieces[CHILD_PIECES];
    size_t count; /* 0: nothing is to be sent */
};

/* clang-format off: these are JavaScript */

EM_JS(int, device_is_there, (void), { return Module.device ? 1 : 0; });

/* Adds a piece to the frame that is sent next. */
EM_JS(void, device_add, (const void *bytes, size_t size),
      { Module.device.add(HEAPU8.subarray(bytes, bytes + size)); });

/* Sends the frame, and waits for the answer. An child_event. */
EM_ASYNC_JS(int, device_exchange, (double milliseconds),
            { return Module.device.exchange(milliseconds); });

/* The bytes of the answer that come next, at most `most`. */
EM_JS(
    size_t, device_take, (void *to, size_t most),
    {
        const bytes = Module.device.take(most);
        HEAPU8.set(bytes, to);
        return bytes.length;
    });

EM_JS(void, device_end, (char *how, size_t room),
      { stringToUTF8(Module.device.end(), how, room); });

/* clang-format on */

tool_status child_process_open(child_process **process, const child_program *program,
                               tool_error *error) {
    if (!program->command || !device_is_there())
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "cannot start '%.200s': there are no processes here; the rule: `device` "
                         "is set, and answers",
                         program->command ? program->command : "a process");
    *process = tool_calloc(1, sizeof **process);
    return TOOL_OK;
}

/* A device answers one frame with one. */
bool child_process_has_spoken(const child_process *process) {
    (void)process;
    return false;
}

void child_process_send(child_process *child, const child_bytes *pieces, size_t count) {
    child->count = count;
    for (size_t i = 0; i < count; i++)
        child->pieces[i] = pieces[i];
}

static child_event exchange(child_process *p, uint64_t end) {
    const uint64_t now = clock_monotonic();
    for (size_t i = 0; i < p->count; i++)
        device_add(p->pieces[i].bytes, p->pieces[i].size);
    p->count = 0;
    const child_event event =
        (child_event)device_exchange(end > now ? (double)(end - now) / 1e6 : 0);
    errno = event == CHILD_BROKEN ? ECANCELED : 0;
    return event;
}

child_event child_process_receive(child_process *child, void *to, size_t least, size_t most,
                                  size_t *got, uint64_t end) {
    const child_event event = child->count ? exchange(child, end) : CHILD_CAME;
    *got = event == CHILD_CAME && most ? device_take(to, most) : 0;
    return event == CHILD_CAME && *got < least ? CHILD_CLOSED : event;
}

bool child_process_close(child_process *process, uint32_t milliseconds, char *how, size_t room) {
    char unused[1];
    (void)milliseconds;
    device_end(how ? how : unused, how ? room : sizeof unused);
    free(process);
    return true;
}
