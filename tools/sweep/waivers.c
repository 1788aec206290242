/* SPDX-License-Identifier: MIT */
#include "waivers.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"
#include "text_lines.h"

static int number_at(const char *text, int digits) {
    int number = 0;
    for (int i = 0; i < digits; i++)
        number = 10 * number + (text[i] - '0');
    return number;
}

/* A day of the calendar, YYYY-MM-DD. */
static bool is_day(const char *text) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const char form[] = "0000-00-00";
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : form[i] != text[i])
            return false;
    const int year = number_at(text, 4);
    const int month = number_at(text + 5, 2);
    const int day = number_at(text + 8, 2);
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

/* "scheme:..." with something behind it. */
static bool is_url(const char *text) {
    const size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyz+");
    return scheme > 0 && strncmp(text + scheme, "://", 3) == 0 && text[scheme + 3];
}

static const waiver *find_same(const waiver_list *list, const char *pattern, const char *device) {
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->list[i].pattern, pattern) && !strcmp(list->list[i].device, device))
            return &list->list[i];
    return NULL;
}

static void add(waiver_list *list, const text_line *line) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->list = tool_realloc(list->list, list->room, sizeof *list->list);
    }
    waiver *w = &list->list[list->count++];
    *w = (waiver){.pattern = tool_strdup(line->words[0]),
                  .device = tool_strdup(line->words[1]),
                  .url = tool_strdup(line->words[2]),
                  .line = line->number};
    memcpy(w->last_day, line->words[3], sizeof w->last_day);
}

static tool_status take_line(void *state, const text_line *line, tool_error *error) {
    if (line->count != 4) {
        return text_line_fail(line, error,
                              "a line is 'PATTERN DEVICE URL YYYY-MM-DD'; this one has %s words",
                              line->count < 4 ? "fewer" : "more");
    }
    if (!is_url(line->words[2]))
        return text_line_fail(line, error, "'%.300s' is no URL, https://... say", line->words[2]);
    if (!is_day(line->words[3]))
        return text_line_fail(line, error, "'%.100s' is no day: YYYY-MM-DD", line->words[3]);
    const waiver *same = find_same(state, line->words[0], line->words[1]);
    if (same) {
        return text_line_fail(line, error,
                              "'%.200s' on '%.200s' is waived in line %" PRIu64 " already",
                              line->words[0], line->words[1], same->line);
    }
    add(state, line);
    return TOOL_OK;
}

tool_status waivers_read(const char *path, waiver_list *out, tool_error *error) {
    return text_lines_read(path, take_line, out, error);
}

void waivers_free(waiver_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->list[i].pattern);
        free(list->list[i].device);
        free(list->list[i].url);
    }
    free(list->list);
    *list = (waiver_list){0};
}

void waiver_today(char day[sizeof "YYYY-MM-DD"]) {
    const time_t now = time(NULL);
    struct tm utc;
    strftime(day, sizeof "YYYY-MM-DD", "%Y-%m-%d", gmtime_r(&now, &utc));
}

bool waiver_expired(const waiver *w, const char *today) {
    return strcmp(w->last_day, today) < 0;
}

bool waiver_is_for(const waiver *w, const char *device) {
    return fnmatch(w->device, device, 0) == 0;
}

const waiver *waivers_find(waiver_list *list, const char *name, const char *device,
                           const char *today) {
    for (size_t i = 0; i < list->count; i++) {
        waiver *w = &list->list[i];
        if (!waiver_expired(w, today) && waiver_is_for(w, device) &&
            fnmatch(w->pattern, name, 0) == 0) {
            w->used = true;
            return w;
        }
    }
    return NULL;
}
