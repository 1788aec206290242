/* SPDX-License-Identifier: MIT */
/* Keeps a table of live blocks and the places where they were taken. When the program ends by
 * returning from main or by exit(), the blocks that are still live go to the log. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* More than any of the small commands has at a time. Blocks that find no place are not watched. */
#define PLACES ((size_t)1 << 17)

typedef struct live_block {
    void *block; /* NULL: never used; FORGOTTEN: was */
    const void *site;
} live_block;

#define FORGOTTEN ((void *)1)

static live_block blocks[PLACES];
static size_t used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t place_of(const void *block) {
    return (size_t)(((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15U >> 40) % PLACES;
}

/* The block's place, or the unused place that ends the search. */
static live_block *find(const void *block) {
    size_t place = place_of(block);
    while (blocks[place].block && blocks[place].block != block)
        place = (place + 1) % PLACES;
    return &blocks[place];
}

void fault_note_block(void *block, const void *caller) {
    const void *site = block ? fault_counted_site(caller) : NULL;
    if (!site)
        return;
    pthread_mutex_lock(&lock);
    live_block *place = find(block);
    if (place->block || used < PLACES / 2) {
        used += place->block ? 0 : 1;
        *place = (live_block){block, site};
    }
    pthread_mutex_unlock(&lock);
}

void fault_forget_block(void *block) {
    if (!block || !used)
        return;
    pthread_mutex_lock(&lock);
    live_block *place = find(block);
    if (place->block)
        place->block = FORGOTTEN;
    pthread_mutex_unlock(&lock);
}

/* A site as FILE+OFFSET, as addr2line takes it, with the name of an exported function. */
static void write_site(FILE *out, const void *site) {
    Dl_info info = {0};
    if (dladdr(site, &info) && info.dli_fname) {
        const char *name = strrchr(info.dli_fname, '/');
        fprintf(out, "live %s+0x%zx%s%s\n", name ? name + 1 : info.dli_fname,
                (size_t)((uintptr_t)site - (uintptr_t)info.dli_fbase), info.dli_sname ? " " : "",
                info.dli_sname ? info.dli_sname : "");
    }
}

void fault_write_blocks(FILE *out) {
    for (size_t i = 0; i < PLACES; i++)
        if (blocks[i].block && blocks[i].block != FORGOTTEN)
            write_site(out, blocks[i].site);
}
