/* SPDX-License-Identifier: MIT */
#include "memory_fault.h"

#include <setjmp.h>
#include <string.h>
#include <windows.h>

static jmp_buf way_back;
static DWORD watched_thread;
static volatile bool watching;
static const void *volatile fault_address;
static const char *volatile fault_note;

/* No frame is given to setjmp(), so that the stack is left and not unwound: it holds nothing but
 * the library's loops. */
static void go_back(void) {
    longjmp(way_back, 1);
}

/* The thread goes on in go_back(), where the handler is left behind: it must not jump itself. */
static LONG resume_in_go_back(CONTEXT *thread) {
    thread->Rip = (DWORD64)(uintptr_t)&go_back;
    thread->Rsp = (thread->Rsp & ~(DWORD64)15) - 8; /* as a call leaves it */
    return EXCEPTION_CONTINUE_EXECUTION;
}

static LONG CALLBACK on_exception(EXCEPTION_POINTERS *exception) {
    const EXCEPTION_RECORD *what = exception->ExceptionRecord;
    const DWORD code = what->ExceptionCode;
    if (code != EXCEPTION_ACCESS_VIOLATION && code != EXCEPTION_IN_PAGE_ERROR)
        return EXCEPTION_CONTINUE_SEARCH;
    if (watching && GetCurrentThreadId() == watched_thread) {
        fault_address = (const void *)what->ExceptionInformation[1];
        return resume_in_go_back(exception->ContextRecord);
    }
    if (fault_note) {
        const char *note = fault_note;
        DWORD written = 0;
        WriteFile(GetStdHandle(STD_ERROR_HANDLE), note, (DWORD)strlen(note), &written, NULL);
    }
    TerminateProcess(GetCurrentProcess(), code == EXCEPTION_IN_PAGE_ERROR ? 3 : 1);
    return EXCEPTION_CONTINUE_SEARCH;
}

void memory_fault_watch(void) {
    AddVectoredExceptionHandler(1, on_exception);
}

bool memory_fault_try(bool (*function)(void *context), void *context, const char *note,
                      const void **address) {
    watched_thread = GetCurrentThreadId();
    fault_note = note;
    if (_setjmp(way_back, NULL)) {
        watching = false;
        *address = fault_address;
        return false;
    }
    watching = true;
    function(context);
    watching = false;
    return true;
}
