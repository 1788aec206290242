/* SPDX-License-Identifier: MIT */
/* Memory faults by POSIX signals: the handler jumps back to memory_fault_try. */
#define _GNU_SOURCE /* sigsetjmp, siginfo_t */
#include "memory_fault.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf return_point;
static pthread_t watched_thread;
static volatile sig_atomic_t watching;
static const void *volatile fault_address;
static const char *volatile fault_note;

/* The fault comes from an instruction in the library's loops, where no lock is held: jumping out of
 * it leaves nothing half done but the output. */
static void on_fault(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    if (watching && pthread_equal(pthread_self(), watched_thread)) {
        fault_address = info->si_addr;
        siglongjmp(return_point, 1);
    }
    if (fault_note) {
        const char *note = fault_note;
        ssize_t written = write(STDERR_FILENO, note, strlen(note));
        (void)written;
    }
    _exit(signal_number == SIGBUS ? 3 : 1);
}

void memory_fault_watch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

bool memory_fault_try(bool (*function)(void *context), void *context, const char *note,
                      const void **address) {
    watched_thread = pthread_self();
    fault_note = note;
    if (sigsetjmp(return_point, 0)) {
        watching = 0;
        *address = fault_address;
        return false;
    }
    watching = 1;
    function(context);
    watching = 0;
    return true;
}
