/* SPDX-License-Identifier: MIT */
#include "nap.h"

#if defined(_WIN32)

void cumsum_nap_init(cumsum_nap *nap) {
    nap->unused = 0;
}

void cumsum_nap_destroy(cumsum_nap *nap) {
    (void)nap;
}

void cumsum_nap_take(cumsum_nap *nap, unsigned naps, bool (*over)(void *context), void *context) {
    (void)nap;
    (void)naps;
    (void)over;
    (void)context;
}

void cumsum_nap_end(cumsum_nap *nap) {
    (void)nap;
}

#else

#include <time.h>

void cumsum_nap_init(cumsum_nap *nap) {
    pthread_mutex_init(&nap->mutex, NULL);
    pthread_cond_init(&nap->ended, NULL);
}

void cumsum_nap_destroy(cumsum_nap *nap) {
    pthread_cond_destroy(&nap->ended);
    pthread_mutex_destroy(&nap->mutex);
}

static struct timespec milliseconds_from_now(unsigned milliseconds) {
    struct timespec end = {0};
    timespec_get(&end, TIME_UTC);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    return end;
}

/* A clock that is set meanwhile makes a nap longer or shorter, and nothing else. */
void cumsum_nap_take(cumsum_nap *nap, unsigned naps, bool (*over)(void *context), void *context) {
    const struct timespec end = milliseconds_from_now(1u << (naps < 6 ? naps : 6));
    pthread_mutex_lock(&nap->mutex);
    if (!over(context))
        pthread_cond_timedwait(&nap->ended, &nap->mutex, &end);
    pthread_mutex_unlock(&nap->mutex);
}

void cumsum_nap_end(cumsum_nap *nap) {
    pthread_mutex_lock(&nap->mutex);
    pthread_cond_broadcast(&nap->ended);
    pthread_mutex_unlock(&nap->mutex);
}

#endif
