/* SPDX-License-Identifier: MIT */
/* Memory faults by a vectored exception handler, which makes the thread continue in go_back(). */
#include "memory_fault.h"

#include <setjmp.h>
#include <string.h>
#include <windows.h>

static jmp_buf return_point;
static DWORD watched_thread;
static volatile bool watching;
static const void *volatile fault_address;
static const char *volatile fault_note;

/* setjmp() gets no frame, so that longjmp() leaves the stack without unwinding it. Only the
 * library's loops are on it. */
static void go_back(void) {
    longjmp(return_point, 1);
}

/* The handler must not jump itself, so it makes the thread continue in go_back(). */
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
    if (_setjmp(return_point, NULL)) {
        watching = false;
        *address = fault_address;
        return false;
    }
    watching = true;
    function(context);
    watching = false;
    return true;
}
