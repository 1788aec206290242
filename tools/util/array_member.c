/* SPDX-License-Identifier: MIT */
/*
 * A zip file is read from its end, by PKWARE's APPNOTE 6.3: the end record (4.3.16), with sizes of
 * 64 bits the one that its locator finds (4.3.14, 4.3.15), the entries of the central directory
 * (4.3.12), and the local header of one of them (4.3.7). A safetensors file is the length of a JSON
 * text in 8 bytes, the text, which says for each tensor its dtype, its shape and where its bytes
 * lie behind the text, and these bytes.
 */
#include "array_member.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "file.h"
#include "inflate.h"
#include "json_value.h"
#include "memory_limit.h"
#include "text.h"
#include "word_table.h"

static const struct {
    const char *ending;
    const char *what; /* a file of this kind is */
} archives[] = {{".npz", "is an archive of arrays: X.npz:NAME is one of them"},
                {".safetensors", "holds several tensors: X.safetensors:NAME is one of them"}};

/* The number in archives, or -1. */
static int archive_of(const char *path, size_t *length) {
    for (const char *at = path; *at; at++)
        for (int i = 0; i < 2; i++)
            if (strncasecmp(at, archives[i].ending, strlen(archives[i].ending)) == 0 &&
                at[strlen(archives[i].ending)] == ':') {
                *length = (size_t)(at - path) + strlen(archives[i].ending);
                return i;
            }
    return -1;
}

bool array_member_path(const char *path, size_t *length) {
    return archive_of(path, length) >= 0;
}

const char *array_member_kind(const char *path) {
    for (int i = 0; i < 2; i++)
        if (file_has_extension(path, archives[i].ending))
            return archives[i].what;
    return NULL;
}

/* A file in memory, the part of its path that is its own, and the name that is searched. */
typedef struct archive {
    const unsigned char *bytes;
    uint64_t size;
    int path_length;
    const char *path;
    const char *name;
    tool_error *error;
} archive;

static uint64_t number_at(const archive *a, uint64_t at, int width) {
    uint64_t number = 0;
    while (width-- > 0)
        number = number << 8 | a->bytes[at + (uint64_t)width];
    return number;
}

static tool_status refuse(const archive *a, const char *what) {
    return tool_fail(a->error, TOOL_MALFORMED, "%.400s: %s", a->path, what);
}

/* Names of arrays, as far as there is room for them, for the message that one is missing. */
typedef struct name_list {
    char text[240];
    size_t used;
    bool full;
} name_list;

static void list_name(name_list *names, const char *name, size_t length) {
    char shown[100];
    if (names->full)
        return;
    text_printable(shown, sizeof shown, name, length);
    names->full = names->used + strlen(shown) + 8 > sizeof names->text;
    names->used += (size_t)snprintf(names->text + names->used, sizeof names->text - names->used,
                                    "%s%s", names->used ? ", " : "", names->full ? "..." : shown);
}

static tool_status refuse_name(const archive *a, const name_list *names) {
    char shown[100];
    text_printable(shown, sizeof shown, a->name, strlen(a->name));
    return tool_fail(a->error, TOOL_MALFORMED, "%.*s: there is no array '%s'; there %s%s",
                     a->path_length, a->path, shown, names->used ? "is: " : "are no arrays",
                     names->text);
}

/* Zip files. */

enum {
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR_SIZE = 20,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    MOST_COMMENT = 65535,
    DEFLATED = 8 /* a method (4.4.5) */
};

static bool has_signature(const archive *a, uint64_t at, uint64_t size, const char *signature) {
    return size <= a->size && at <= a->size - size && memcmp(a->bytes + at, signature, 4) == 0;
}

/* The end record's place: it ends with a comment that reaches the end of the file. */
static bool find_end(const archive *a, uint64_t *end) {
    for (uint64_t comment = 0; comment <= MOST_COMMENT && END_SIZE + comment <= a->size;
         comment++) {
        *end = a->size - END_SIZE - comment;
        if (has_signature(a, *end, END_SIZE, "PK\5\6") && number_at(a, *end + 20, 2) == comment)
            return true;
    }
    return false;
}

typedef struct zip_directory {
    uint64_t entries;
    uint64_t at;
} zip_directory;

static bool find_directory(const archive *a, zip_directory *directory) {
    uint64_t end;
    if (!find_end(a, &end))
        return false;
    *directory = (zip_directory){number_at(a, end + 10, 2), number_at(a, end + 16, 4)};
    if (end < LOCATOR_SIZE || !has_signature(a, end - LOCATOR_SIZE, LOCATOR_SIZE, "PK\6\7"))
        return true;
    const uint64_t end64 = number_at(a, end - LOCATOR_SIZE + 8, 8);
    if (!has_signature(a, end64, END64_SIZE, "PK\6\6"))
        return false;
    *directory = (zip_directory){number_at(a, end64 + 32, 8), number_at(a, end64 + 48, 8)};
    return true;
}

typedef struct zip_entry {
    unsigned flags;
    unsigned method;
    uint32_t crc;
    uint64_t size;
    uint64_t stored; /* bytes that it takes in the file */
    uint64_t local;  /* where its local header is */
    const char *name;
    size_t name_length;
    uint64_t next;
} zip_entry;

/* Sizes of 64 bits stand in an extra field, in the order of those that have no room (4.5.3). */
static void take_extra(const archive *a, uint64_t at, uint64_t end, zip_entry *entry) {
    while (end - at >= 4 && number_at(a, at, 2) != 1 && number_at(a, at + 2, 2) <= end - at - 4)
        at += 4 + number_at(a, at + 2, 2);
    if (end - at < 4 || number_at(a, at, 2) != 1 || number_at(a, at + 2, 2) > end - at - 4)
        return;
    uint64_t *const wide[] = {&entry->size, &entry->stored, &entry->local};
    end = at + 4 + number_at(a, at + 2, 2);
    at += 4;
    for (size_t i = 0; i < 3; i++)
        if (*wide[i] == UINT32_MAX && end - at >= 8) {
            *wide[i] = number_at(a, at, 8);
            at += 8;
        }
}

static bool read_entry(const archive *a, uint64_t at, zip_entry *entry) {
    if (!has_signature(a, at, ENTRY_SIZE, "PK\1\2"))
        return false;
    const uint64_t name_length = number_at(a, at + 28, 2), extra = number_at(a, at + 30, 2);
    *entry = (zip_entry){.flags = (unsigned)number_at(a, at + 8, 2),
                         .method = (unsigned)number_at(a, at + 10, 2),
                         .crc = (uint32_t)number_at(a, at + 16, 4),
                         .stored = number_at(a, at + 20, 4),
                         .size = number_at(a, at + 24, 4),
                         .local = number_at(a, at + 42, 4),
                         .name = (const char *)a->bytes + at + ENTRY_SIZE,
                         .name_length = (size_t)name_length};
    const uint64_t extra_at = at + ENTRY_SIZE + name_length;
    entry->next = extra_at + extra + number_at(a, at + 32, 2);
    if (entry->next > a->size)
        return false;
    take_extra(a, extra_at, extra_at + extra, entry);
    return true;
}

/* numpy.savez puts .npy behind the name. */
static bool is_named(const zip_entry *entry, const char *name) {
    const size_t length = strlen(name);
    const bool begins = entry->name_length >= length && memcmp(entry->name, name, length) == 0;
    return begins &&
           (entry->name_length == length ||
            (entry->name_length == length + 4 && memcmp(entry->name + length, ".npy", 4) == 0));
}

static void list_entry(name_list *names, const zip_entry *entry) {
    const size_t length = entry->name_length;
    const bool npy = length > 4 && memcmp(entry->name + length - 4, ".npy", 4) == 0;
    list_name(names, entry->name, npy ? length - 4 : length);
}

static tool_status find_entry(const archive *a, zip_entry *found) {
    zip_directory directory;
    name_list names = {.used = 0};
    uint64_t hits = 0;
    if (!find_directory(a, &directory))
        return refuse(a, "not a whole zip file, as an .npz file is: its end record is missing");
    uint64_t at = directory.at;
    for (uint64_t i = 0; i < directory.entries; i++) {
        zip_entry entry;
        if (!read_entry(a, at, &entry))
            return refuse(a, "the directory of the zip file is damaged");
        if (is_named(&entry, a->name)) {
            *found = entry;
            hits++;
        }
        list_entry(&names, &entry);
        at = entry.next;
    }
    if (hits == 1)
        return TOOL_OK;
    return hits ? refuse(a, "two arrays of the zip file have this name") : refuse_name(a, &names);
}

/* CRC-32 of ISO 3309, as zip files have it. */
static uint32_t crc_of(const unsigned char *bytes, uint64_t size) {
    uint32_t table[256];
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320U : 0);
    }
    for (uint64_t i = 0; i < size; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xFF];
    return ~crc;
}

/* npy: the file in the zip file, which begins at `begin` there. */
static tool_status read_stored(const archive *a, const zip_entry *entry, const unsigned char *npy,
                               cumsum_data_type declared, uint64_t begin, npy_header *out) {
    if (crc_of(npy, entry->size) != entry->crc)
        return refuse(a, "the array is damaged: its bytes have another CRC-32");
    const tool_status read =
        npy_parse_header(npy, (size_t)entry->size, a->path, declared, out, a->error);
    out->start += begin;
    out->end = begin + entry->size;
    return read;
}

/* Inflates it to see what it is. */
static tool_status read_deflated(const archive *a, const zip_entry *entry, uint64_t begin,
                                 cumsum_data_type declared, npy_header *out) {
    const bool fits = entry->size / INFLATE_MOST <= entry->stored;
    unsigned char *npy = fits ? memory_for(entry->size, a->path, a->error) : NULL;
    if (!npy)
        return fits ? TOOL_ENVIRONMENT : refuse(a, "the array is damaged: it is too short");
    tool_status status =
        inflate_bytes(a->bytes + begin, (size_t)entry->stored, npy, (size_t)entry->size)
            ? read_stored(a, entry, npy, declared, 0, out)
            : refuse(a, "the array is damaged: its compressed bytes are not of its length");
    memory_free(npy);
    out->skipped = out->start;
    out->inflated = entry->size;
    out->start = begin;
    out->end = begin + entry->stored;
    return status;
}

static tool_status find_in_zip(const archive *a, cumsum_data_type declared, npy_header *out) {
    zip_entry entry = {0};
    const tool_status status = find_entry(a, &entry);
    if (status != TOOL_OK)
        return status;
    if (entry.flags & 1)
        return refuse(a, "the array is encrypted");
    if (entry.method != 0 && entry.method != DEFLATED)
        return refuse(a, "the array is compressed in another way than that of "
                         "numpy.savez_compressed; unzip takes the .npy files out");
    if (!has_signature(a, entry.local, LOCAL_SIZE, "PK\3\4"))
        return refuse(a, "the local header of the array is damaged");
    const uint64_t begin = entry.local + LOCAL_SIZE + number_at(a, entry.local + 26, 2) +
                           number_at(a, entry.local + 28, 2);
    if ((!entry.method && entry.stored != entry.size) || begin > a->size ||
        entry.stored > a->size - begin)
        return refuse(a, "the file ends inside the array");
    return entry.method ? read_deflated(a, &entry, begin, declared, out)
                        : read_stored(a, &entry, a->bytes + begin, declared, begin, out);
}

/* Safetensors. */

/* The format's own limit of the JSON text. */
#define MOST_JSON 100000000

static const word_row dtypes[] = {
    {"F64", CUMSUM_DATA_TYPE_FLOAT64}, {"F32", CUMSUM_DATA_TYPE_FLOAT32},
    {"F16", CUMSUM_DATA_TYPE_FLOAT16}, {"BF16", CUMSUM_DATA_TYPE_BFLOAT16},
    {"I64", CUMSUM_DATA_TYPE_INT64},   {"I32", CUMSUM_DATA_TYPE_INT32},
    {"I16", CUMSUM_DATA_TYPE_INT16},   {"I8", CUMSUM_DATA_TYPE_INT8},
    {"U64", CUMSUM_DATA_TYPE_UINT64},  {"U32", CUMSUM_DATA_TYPE_UINT32},
    {"U16", CUMSUM_DATA_TYPE_UINT16},  {"U8", CUMSUM_DATA_TYPE_UINT8},
    {"BOOL", CUMSUM_DATA_TYPE_UINT8},  {NULL, 0}};

/* start: of the bytes behind the text, of which there are `room`. */
static void take_tensor(const json_object *tensor, uint64_t start, uint64_t room, npy_header *out) {
    const json_object *dtype = json_need(tensor, "dtype");
    *out = (npy_header){.type = (cumsum_data_type)json_choice(dtype, dtypes)};
    out->boolean = json_ok(dtype) && strcmp(json_string(dtype), "BOOL") == 0;
    const json_object *shape = json_need(tensor, "shape");
    npy_take_shape(shape, out);
    out->size = npy_size_of(out->type, out->rank, out->sizes);
    const json_object *offsets = json_need(tensor, "data_offsets");
    if (!json_expect(offsets, json_type_array))
        return;
    if (json_length(offsets) != 2) {
        json_fail(offsets, TOOL_MALFORMED, "expected two offsets, the begin and the end");
        return;
    }
    const uint64_t begin = json_integer(json_element(offsets, 0), "an offset", 0, INT64_MAX);
    const uint64_t end = json_integer(json_element(offsets, 1), "an offset", 0, INT64_MAX);
    if (json_ok(offsets) && (begin > end || end > room))
        json_fail(offsets, TOOL_MALFORMED, "the tensor does not lie in the file");
    out->start = start + begin;
    out->end = start + end;
}

static tool_status find_tensor(const archive *a, const json_object *root, uint64_t start,
                               npy_header *out) {
    const bool metadata = strcmp(a->name, "__metadata__") == 0;
    const json_object *tensor = metadata ? NULL : json_optional(root, a->name);
    name_list names = {.used = 0};
    if (!json_expect(root, json_type_object))
        return TOOL_MALFORMED;
    if (tensor) {
        take_tensor(tensor, start, a->size - start, out);
        return TOOL_OK;
    }
    json_object_object_foreach(root, name, value) if (strcmp(name, "__metadata__") != 0)
        list_name(&names, name, strlen(name));
    return refuse_name(a, &names);
}

static tool_status find_in_safetensors(const archive *a, npy_header *out) {
    if (a->size < 8)
        return refuse(a, "not a safetensors file: it has fewer than 8 bytes");
    const uint64_t length = number_at(a, 0, 8);
    if (length > MOST_JSON || length > a->size - 8)
        return refuse(a, "not a whole safetensors file: it ends inside its JSON text");
    json_document document;
    char name[400];
    snprintf(name, sizeof name, "%.*s: JSON text", a->path_length < 380 ? a->path_length : 380,
             a->path);
    tool_status status =
        json_parse(&document, (const char *)a->bytes + 8, (size_t)length, name, 1, a->error);
    if (status == TOOL_OK) {
        status = find_tensor(a, document.root, 8 + length, out);
        status = status == TOOL_OK ? document.status : status;
    }
    json_free(&document);
    return status;
}

tool_status array_member_find(const unsigned char *bytes, size_t size, const char *path,
                              cumsum_data_type declared, npy_header *out, tool_error *error) {
    size_t length = 0;
    const int kind = archive_of(path, &length);
    const archive a = {.bytes = bytes,
                       .size = size,
                       .path = path,
                       .path_length = length < 400 ? (int)length : 400,
                       .name = path + length + 1,
                       .error = error};
    return kind == 0 ? find_in_zip(&a, declared, out) : find_in_safetensors(&a, out);
}
