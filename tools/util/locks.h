/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LOCKS_H
#define CUMSUM_TOOLS_LOCKS_H

/* Locks of what several threads of the tool use: POSIX threads. On Windows the tool has one thread,
 * and they do nothing. */

#ifdef _WIN32

typedef int tool_lock;
#define TOOL_LOCK             0
#define tool_lock_take(lock)  ((void)(lock))
#define tool_lock_share(lock) ((void)(lock))
#define tool_lock_leave(lock) ((void)(lock))

#else

#include <pthread.h>

/* Of one writer or many readers. */
typedef pthread_rwlock_t tool_lock;
#define TOOL_LOCK             PTHREAD_RWLOCK_INITIALIZER
#define tool_lock_take(lock)  ((void)pthread_rwlock_wrlock(lock))
#define tool_lock_share(lock) ((void)pthread_rwlock_rdlock(lock))
#define tool_lock_leave(lock) ((void)pthread_rwlock_unlock(lock))

#endif

#endif
