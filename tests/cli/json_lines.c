/* SPDX-License-Identifier: MIT */
/* json_lines < TEXT: checks that every line is one JSON object with an "event", and that the last
 * event is "summary". Prints the number of lines. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Strict: no NaN, no comments, nothing after the object. */
static json_object *parse(const char *line, size_t length) {
    json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    json_object *object = json_tokener_parse_ex(tokener, line, (int)length);
    if (json_tokener_get_error(tokener) != json_tokener_success ||
        json_tokener_get_parse_end(tokener) != length) {
        json_object_put(object);
        object = NULL;
    }
    json_tokener_free(tokener);
    return object;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    unsigned lines = 0;
    char last[32] = "";
    while ((length = getline(&line, &room, stdin)) > 0) {
        json_object *event;
        json_object *object = parse(line, (size_t)length - (line[length - 1] == '\n'));
        if (!object || !json_object_object_get_ex(object, "event", &event)) {
            printf("not an event: %s", line);
            return 1;
        }
        snprintf(last, sizeof last, "%s", json_object_get_string(event));
        json_object_put(object);
        lines++;
    }
    free(line);
    printf("%u lines, the last is %s\n", lines, last);
    return strcmp(last, "summary") == 0 ? 0 : 1;
}
