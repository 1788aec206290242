/* SPDX-License-Identifier: MIT */
/*
 * child_process.h for Windows. A job object ends a child, and what it starts, when this process
 * ends. The ends of the pipes that stay here are overlapped, so that one wait is for both.
 */
#include "child_process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "clock.h"
#include "memory.h"

/* As in child_process.c. */
#define KILL_MS    10000
#define CLOSED_MS  2000
#define PIPE_BYTES (1 << 20)

/* One end of a pipe. */
typedef struct pipe_end {
    HANDLE pipe;
    OVERLAPPED state; /* of a transfer that is under way; its event is signalled when it is done */
    bool busy;
} pipe_end;

struct child_process {
    HANDLE process;
    HANDLE job;
    pipe_end to;                    /* its standard input */
    pipe_end from;                  /* its standard output */
    child_bytes left[CHILD_PIECES]; /* to send */
    size_t left_count;
    bool refuses; /* it has closed its standard input */
};

/* Appends an argument, quoted as CommandLineToArgvW reads it: a backslash is doubled only before a
 * quote. */
static void add_word(char *line, size_t room, const char *word) {
    size_t used = strlen(line);
    size_t slashes = 0;
    used += (size_t)snprintf(line + used, room - used, " \"");
    for (; *word && used + 2 * slashes + 4 < room; word++) {
        slashes = *word == '\\' ? slashes + 1 : 0;
        if (*word == '"')
            line[used++] = '\\';
        line[used++] = *word;
        for (size_t i = 0; word[1] == '"' && i < slashes; i++)
            line[used++] = '\\';
    }
    for (size_t i = 0; i < slashes; i++)
        line[used++] = '\\';
    snprintf(line + used, room - used, "\"");
}

/* A pipe: an overlapped end that stays here, and an end that the process inherits. */
static bool make_pipe(pipe_end *here, HANDLE *there, bool sends) {
    static LONG number;
    char name[80];
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    snprintf(name, sizeof name, "\\\\.\\pipe\\cumsum-%lu-%ld", GetCurrentProcessId(),
             InterlockedIncrement(&number));
    here->pipe = CreateNamedPipeA(name,
                                  (sends ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) |
                                      FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                  PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, PIPE_BYTES,
                                  PIPE_BYTES, 0, NULL);
    here->state.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
    if (here->pipe == INVALID_HANDLE_VALUE || !here->state.hEvent)
        return false;
    *there = CreateFileA(name, sends ? GENERIC_READ : GENERIC_WRITE, 0, &inherited, OPEN_EXISTING,
                         FILE_ATTRIBUTE_NORMAL, NULL);
    return *there != INVALID_HANDLE_VALUE;
}

static void close_handle(HANDLE handle) {
    if (handle && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
}

static void close_pipe(pipe_end *end) {
    DWORD ignored;
    if (end->busy && CancelIo(end->pipe))
        GetOverlappedResult(end->pipe, &end->state, &ignored, TRUE);
    close_handle(end->pipe);
    close_handle(end->state.hEvent);
}

static HANDLE make_job(void) {
    HANDLE job = CreateJobObjectA(NULL, NULL);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* The command line; of a command that of Windows' own shell. */
static void make_line(char *line, size_t room, const child_program *program) {
    if (program->command) {
        snprintf(line, room, " cmd.exe /d /s /c \"%s\"", program->command);
        return;
    }
    add_word(line, room, "cumsum");
    for (const char *const *word = program->arguments; *word; word++)
        add_word(line, room, *word);
}

/* Starts it suspended, so that what it starts is in its job, too. */
static bool spawn(child_process *child, const child_program *program, HANDLE in, HANDLE out) {
    char self[MAX_PATH] = "";
    char line[8192] = "";
    STARTUPINFOA start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = in,
                          .hStdOutput = out,
                          .hStdError = GetStdHandle(STD_ERROR_HANDLE)};
    PROCESS_INFORMATION made;
    make_line(line, sizeof line, program);
    const DWORD length = GetModuleFileNameA(NULL, self, sizeof self);
    if (length == 0 || length == sizeof self)
        return false;
    SetHandleInformation(start.hStdError, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* no dialogs */
    if (!CreateProcessA(program->command ? NULL : self, line + 1, NULL, NULL, TRUE,
                        CREATE_SUSPENDED, NULL, NULL, &start, &made))
        return false;
    child->job = make_job();
    if (child->job)
        AssignProcessToJobObject(child->job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    child->process = made.hProcess;
    return true;
}

static void child_free(child_process *child) {
    close_pipe(&child->to);
    close_pipe(&child->from);
    close_handle(child->process);
    close_handle(child->job);
    free(child);
}

tool_status child_process_open(child_process **child, const child_program *program,
                               tool_error *error) {
    HANDLE in = NULL;
    HANDLE out = NULL;
    child_process *made = tool_calloc(1, sizeof *made);
    const bool started = make_pipe(&made->to, &in, true) && make_pipe(&made->from, &out, false) &&
                         spawn(made, program, in, out);
    const DWORD failure = GetLastError();
    close_handle(in);
    close_handle(out);
    if (started) {
        *child = made;
        return TOOL_OK;
    }
    child_free(made);
    return tool_fail(error, TOOL_ENVIRONMENT, "cannot start '%.200s': error %lu",
                     program->command ? program->command : "a process", failure);
}

bool child_process_has_spoken(const child_process *child) {
    DWORD waiting = 0;
    return !PeekNamedPipe(child->from.pipe, NULL, 0, NULL, &waiting, NULL) || waiting > 0;
}

void child_process_send(child_process *child, const child_bytes *pieces, size_t count) {
    child->left_count = 0;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].size)
            child->left[child->left_count++] = pieces[i];
}

/* Begins a transfer, of no more bytes than a DWORD can count. Its end is waited for even if it is
 * done at once. False, with the error, if the other end is closed. */
static bool begin_transfer(pipe_end *end, void *bytes, size_t size, bool sends) {
    const DWORD most = (DWORD)(size < (1U << 30) ? size : 1U << 30);
    end->busy = (sends ? WriteFile(end->pipe, bytes, most, NULL, &end->state)
                       : ReadFile(end->pipe, bytes, most, NULL, &end->state)) ||
                GetLastError() == ERROR_IO_PENDING;
    return end->busy;
}

/* Bytes of the transfer that has ended. */
static bool end_transfer(pipe_end *end, size_t *moved) {
    DWORD count = 0;
    const bool good = GetOverlappedResult(end->pipe, &end->state, &count, TRUE);
    end->busy = false;
    *moved = count;
    return good;
}

static bool is_closed(DWORD failure) {
    return failure == ERROR_BROKEN_PIPE || failure == ERROR_NO_DATA ||
           failure == ERROR_PIPE_NOT_CONNECTED;
}

/* Drops what has been sent, and begins to send what is left. A process that has closed its standard
 * input gets nothing more, and little time to say why. */
static bool send_some(child_process *p, bool done, uint64_t *end) {
    size_t sent = 0;
    bool good = !done || end_transfer(&p->to, &sent);
    while (p->left_count && sent >= p->left[0].size) {
        sent -= p->left[0].size;
        p->left_count--;
        memmove(p->left, p->left + 1, p->left_count * sizeof p->left[0]);
    }
    if (good && p->left_count) {
        p->left[0].bytes = (const char *)p->left[0].bytes + sent;
        p->left[0].size -= sent;
        good = begin_transfer(&p->to, (void *)p->left[0].bytes, p->left[0].size, true);
    }
    if (good)
        return true;
    const uint64_t soon = clock_monotonic() + CLOSED_MS * UINT64_C(1000000);
    p->left_count = 0;
    p->refuses = true;
    *end = *end < soon ? *end : soon;
    return is_closed(GetLastError());
}

/* Waits for either transfer. A read that is cancelled may have ended meanwhile. */
static child_event wait_for_either(child_process *p, size_t *got, uint64_t *end) {
    HANDLE events[2];
    DWORD count = 0;
    size_t moved = 0;
    if (p->from.busy)
        events[count++] = p->from.state.hEvent;
    if (p->to.busy)
        events[count++] = p->to.state.hEvent;
    if (count &&
        WaitForMultipleObjects(count, events, FALSE, (DWORD)clock_left(*end)) == WAIT_TIMEOUT)
        return p->refuses ? CHILD_REFUSED : CHILD_LATE;
    if (p->to.busy && HasOverlappedIoCompleted(&p->to.state) && !send_some(p, true, end))
        return CHILD_BROKEN;
    if (p->from.busy && HasOverlappedIoCompleted(&p->from.state)) {
        const bool good = end_transfer(&p->from, &moved);
        *got += moved;
        return good ? CHILD_CAME : is_closed(GetLastError()) ? CHILD_CLOSED : CHILD_BROKEN;
    }
    return CHILD_CAME;
}

child_event child_process_receive(child_process *child, void *to, size_t least, size_t most,
                                  size_t *got, uint64_t end) {
    unsigned char *bytes = to;
    child_event event = CHILD_CAME;
    *got = 0;
    if (child->left_count && !child->to.busy && !send_some(child, false, &end))
        event = CHILD_BROKEN;
    while (event == CHILD_CAME && (*got < least || (child->left_count && (*got < most || !most))))
        if (*got < most && !child->from.busy &&
            !begin_transfer(&child->from, bytes + *got, most - *got, false))
            event = is_closed(GetLastError()) ? CHILD_CLOSED : CHILD_BROKEN;
        else
            event = wait_for_either(child, got, &end);
    if (child->from.busy) { /* into memory of the caller */
        size_t moved = 0;
        CancelIo(child->from.pipe);
        end_transfer(&child->from, &moved);
        *got += moved;
    }
    errno = event == CHILD_BROKEN ? EIO : 0;
    return event;
}

bool child_process_close(child_process *child, uint32_t milliseconds, char *how, size_t room) {
    DWORD status = 0;
    close_pipe(&child->to); /* a program that reads its requests ends then */
    child->to = (pipe_end){0};
    const bool by_itself = WaitForSingleObject(child->process, milliseconds) == WAIT_OBJECT_0;
    if (child->job)
        TerminateJobObject(child->job, 1);
    TerminateProcess(child->process, 1);
    WaitForSingleObject(child->process, KILL_MS);
    GetExitCodeProcess(child->process, &status);
    if (how && by_itself)
        snprintf(how, room, status > 255 ? "by exception 0x%08lX" : "with exit status %lu", status);
    else if (how)
        snprintf(how, room, "only when it was killed");
    child_free(child);
    return by_itself && status == 0;
}
