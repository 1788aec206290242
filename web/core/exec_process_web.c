/* SPDX-License-Identifier: MIT */
/*
 * The process of --exec where there are none: a device of the JavaScript program that runs this
 * one. A frame goes to its function `exchange`, which answers with a frame, perhaps much later;
 * Asyncify lets this program wait for it. web/cumsum.js has the functions that are called here.
 */
#include "exec_process.h"

#include <emscripten.h>
#include <errno.h>
#include <stdlib.h>

#include "clock.h"
#include "memory.h"

struct exec_process {
    exec_bytes pieces[EXEC_PIECES];
    size_t count; /* 0: nothing is to be sent */
};

/* clang-format off: these are JavaScript */

EM_JS(int, device_is_there, (void), { return Module.device ? 1 : 0; });

/* Adds a piece to the frame that is sent next. */
EM_JS(void, device_add, (const void *bytes, size_t size),
      { Module.device.add(HEAPU8.subarray(bytes, bytes + size)); });

/* Sends the frame, and waits for the answer. An exec_event. */
EM_ASYNC_JS(int, device_exchange, (double milliseconds),
            { return Module.device.exchange(milliseconds); });

/* The bytes of the answer that come next, at most so many. */
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

tool_status exec_process_start(exec_process **process, const char *command, int shared,
                               tool_error *error) {
    (void)shared;
    if (!device_is_there())
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "cannot start '%.200s': there are no processes here; the rule: `device` "
                         "is set, and answers",
                         command);
    *process = tool_calloc(1, sizeof **process);
    return TOOL_OK;
}

/* A device answers one frame with one. */
bool exec_process_has_spoken(const exec_process *process) {
    (void)process;
    return false;
}

void exec_process_send(exec_process *process, const exec_bytes *pieces, size_t count) {
    process->count = count;
    for (size_t i = 0; i < count; i++)
        process->pieces[i] = pieces[i];
}

static exec_event exchange(exec_process *p, uint64_t end) {
    const uint64_t now = clock_monotonic();
    for (size_t i = 0; i < p->count; i++)
        device_add(p->pieces[i].bytes, p->pieces[i].size);
    p->count = 0;
    const exec_event event = (exec_event)device_exchange(end > now ? (double)(end - now) / 1e6 : 0);
    errno = event == EXEC_BROKEN ? ECANCELED : 0;
    return event;
}

exec_event exec_process_receive(exec_process *p, void *to, size_t least, size_t most, size_t *got,
                                uint64_t end) {
    const exec_event event = p->count ? exchange(p, end) : EXEC_CAME;
    *got = event == EXEC_CAME && most ? device_take(to, most) : 0;
    return event == EXEC_CAME && *got < least ? EXEC_CLOSED : event;
}

void exec_process_end(exec_process *process, uint32_t milliseconds, char *how, size_t room) {
    char unused[1];
    (void)milliseconds;
    device_end(how ? how : unused, how ? room : sizeof unused);
    free(process);
}
