/* SPDX-License-Identifier: MIT */
/* child_process.h for Windows. A job object ends a child when this process ends. */
#include "child_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "memory.h"

/* As in child_process.c. */
#define KILL_MS 10000

struct child_process {
    HANDLE process;
    HANDLE job;  /* ends the process where this one ends */
    HANDLE to;   /* its standard input */
    HANDLE from; /* its standard output */
    char *text;
    size_t length;
    size_t room;
    size_t taken; /* bytes of the text that the last line took, with its end */
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

/* A pipe of which the process gets one end. */
static bool make_pipe(HANDLE *from, HANDLE *to, bool gives_from) {
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    return CreatePipe(from, to, &inherited, 0) &&
           SetHandleInformation(gives_from ? *to : *from, HANDLE_FLAG_INHERIT, 0);
}

static void close_handle(HANDLE handle) {
    if (handle)
        CloseHandle(handle);
}

static HANDLE make_job(HANDLE process) {
    HANDLE job = CreateJobObjectA(NULL, NULL);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    if (job) {
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
        AssignProcessToJobObject(job, process);
    }
    return job;
}

bool child_process_self(char *path, size_t room) {
    const DWORD length = GetModuleFileNameA(NULL, path, (DWORD)room);
    return length > 0 && length < room;
}

/* in, out: what becomes of its standard streams. */
static bool spawn(const char *program, const char *const *arguments, HANDLE in, HANDLE out,
                  HANDLE *process) {
    char self[MAX_PATH] = "";
    char line[4096] = "";
    const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
    STARTUPINFOA start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = in,
                          .hStdOutput = out,
                          .hStdError = error};
    PROCESS_INFORMATION made;
    add_word(line, sizeof line, program ? program : "cumsum");
    for (size_t i = 0; arguments[i]; i++)
        add_word(line, sizeof line, arguments[i]);
    if (!program && !child_process_self(self, sizeof self))
        return false;
    SetHandleInformation(start.hStdError, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* no dialogs */
    if (!CreateProcessA(program ? NULL : self, line + 1, NULL, NULL, TRUE, 0, NULL, NULL, &start,
                        &made))
        return false;
    CloseHandle(made.hThread);
    *process = made.hProcess;
    return true;
}

tool_status child_process_start(child_process **child, const char *program,
                                const char *const *arguments, tool_error *error) {
    HANDLE in[2] = {NULL, NULL};
    HANDLE out[2] = {NULL, NULL};
    HANDLE process = NULL;
    const bool piped = make_pipe(&in[0], &in[1], true) && make_pipe(&out[0], &out[1], false);
    const bool started = piped && spawn(program, arguments, in[0], out[1], &process);
    const DWORD failure = GetLastError();
    close_handle(in[0]);
    close_handle(out[1]);
    if (!started) {
        close_handle(in[1]);
        close_handle(out[0]);
        return tool_fail(error, TOOL_ENVIRONMENT, "cannot start %.200s: error %lu",
                         program ? program : "a process", failure);
    }
    *child = tool_calloc(1, sizeof **child);
    **child =
        (child_process){.process = process, .job = make_job(process), .to = in[1], .from = out[0]};
    return TOOL_OK;
}

static bool send_bytes(HANDLE to, const char *bytes, size_t size) {
    DWORD written = 0;
    return WriteFile(to, bytes, (DWORD)size, &written, NULL) && written == size;
}

bool child_process_send(child_process *child, const char *line) {
    return send_bytes(child->to, line, strlen(line)) && send_bytes(child->to, "\n", 1);
}

/* Windows cannot wait for a pipe with a time limit: this polls. */
static child_answer read_more(child_process *child, ULONGLONG end) {
    DWORD waiting = 0;
    DWORD got = 0;
    while (PeekNamedPipe(child->from, NULL, 0, NULL, &waiting, NULL) && !waiting) {
        if (end && GetTickCount64() >= end)
            return CHILD_LATE;
        Sleep(1);
    }
    if (child->length + 1 >= child->room) {
        child->room = child->room ? 2 * child->room : 65536;
        child->text = tool_realloc(child->text, child->room, 1);
    }
    const size_t left = child->room - child->length;
    if (!waiting || !ReadFile(child->from, child->text + child->length,
                              (DWORD)(left < waiting ? left : waiting), &got, NULL))
        return CHILD_ENDED;
    child->length += got;
    return CHILD_LINE;
}

child_answer child_process_receive(child_process *child, uint32_t milliseconds, const char **line) {
    const ULONGLONG end = milliseconds ? GetTickCount64() + milliseconds : 0;
    char *stop = NULL;
    if (child->taken) {
        memmove(child->text, child->text + child->taken, child->length - child->taken);
        child->length -= child->taken;
        child->taken = 0;
    }
    while (!(stop = child->length ? memchr(child->text, '\n', child->length) : NULL)) {
        const child_answer answer = read_more(child, end);
        if (answer != CHILD_LINE)
            return answer;
    }
    child->taken = (size_t)(stop + 1 - child->text);
    *(stop > child->text && stop[-1] == '\r' ? stop - 1 : stop) = '\0';
    *line = child->text;
    return CHILD_LINE;
}

uint64_t child_process_time(const child_process *child) {
    FILETIME made, ended, kernel, user;
    if (!GetProcessTimes(child->process, &made, &ended, &kernel, &user))
        return 0;
    const ULARGE_INTEGER a = {.LowPart = kernel.dwLowDateTime, .HighPart = kernel.dwHighDateTime};
    const ULARGE_INTEGER b = {.LowPart = user.dwLowDateTime, .HighPart = user.dwHighDateTime};
    return (a.QuadPart + b.QuadPart) * 100; /* units of 100 nanoseconds */
}

bool child_process_end(child_process *child, uint32_t milliseconds, char *how, size_t room) {
    DWORD status = 0;
    close_handle(child->to); /* a program that reads its requests ends then */
    /* CHILD_FOREVER is INFINITE. */
    const bool by_itself =
        milliseconds > 0 && WaitForSingleObject(child->process, milliseconds) == WAIT_OBJECT_0;
    bool ended = by_itself;
    if (!ended) {
        TerminateProcess(child->process, 1);
        ended = WaitForSingleObject(child->process, KILL_MS) == WAIT_OBJECT_0;
    }
    GetExitCodeProcess(child->process, &status);
    if (how && ended)
        snprintf(how, room, status > 255 ? "by exception 0x%08lX" : "with exit status %lu", status);
    else if (how)
        snprintf(how, room, "not even when it was killed");
    close_handle(child->from);
    close_handle(child->process);
    close_handle(child->job);
    free(child->text);
    free(child);
    return by_itself && status == 0;
}
