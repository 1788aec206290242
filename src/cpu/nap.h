/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_NAP_H
#define CUMSUM_CPU_NAP_H

/* Sleeping for a while, or until there is no more to do. */

#include <stdbool.h>

#if defined(_WIN32)

/* There a pool has no threads but the caller's, who never sleeps. */
typedef struct cumsum_nap {
    int unused;
} cumsum_nap;

#else

#include <pthread.h>

typedef struct cumsum_nap {
    pthread_mutex_t mutex;
    pthread_cond_t ended;
} cumsum_nap;

#endif

void cumsum_nap_init(cumsum_nap *nap);
void cumsum_nap_destroy(cumsum_nap *nap);

/* Sleeps 2^naps milliseconds, or until somebody calls cumsum_nap_end; not at all where over. */
void cumsum_nap_take(cumsum_nap *nap, unsigned naps, bool (*over)(void *context), void *context);

/* After `over` has become true. */
void cumsum_nap_end(cumsum_nap *nap);

#endif
