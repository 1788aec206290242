/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "file_path.h"
#include "file_read.h"
#include "json_field.h"
#include "model_values.h"

static tool_status open_npy(const json_value *source, const char *path, model_values *values,
                            tool_error *error) {
    tool_error inner;
    tool_status status = npy_read(path, &values->file, &inner);
    if (status != TOOL_OK)
        return json_fail(source, error, status, "%s", inner.message);
    if (values->type == CUMSUM_DATA_TYPE_UNKNOWN)
        values->type = values->file.type;
    if (values->type != values->file.type) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "the file's type is %s, initialValuesDataType another: they must agree",
                         cumsum_data_type_name(values->file.type));
    }
    return TOOL_OK;
}

static tool_status open_raw(const json_value *source, const char *path, model_values *values,
                            tool_error *error) {
    tool_error inner;
    file_contents contents;
    uint32_t element = cumsum_data_type_size(values->type);
    if (element == 0) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "a file without a type of its own needs an initialValuesDataType with a "
                         "size in bytes");
    }
    tool_status status = file_read(path, &contents, &inner);
    if (status != TOOL_OK)
        return json_fail(source, error, status, "%s", inner.message);
    values->file.bytes = contents.bytes;
    values->file.size = contents.size;
    if (contents.size % element != 0) {
        return json_fail(source, error, TOOL_MALFORMED,
                         "the file has %zu bytes: not a multiple of the %" PRIu32
                         " bytes of an element of type %s",
                         contents.size, element, cumsum_data_type_name(values->type));
    }
    return TOOL_OK;
}

static tool_status open_path(const json_value *source, const char *path, model_values *values,
                             tool_error *error) {
    static const char *const images[] = {".png", ".jpg", ".jpeg"};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        if (file_has_extension(path, images[i])) {
            return json_fail(source, error, TOOL_MALFORMED,
                             "images are not supported: use .npy, or raw elements in .bin or .dat");
        }
    }
    tool_status status = file_has_extension(path, ".npy") ? open_npy(source, path, values, error)
                                                          : open_raw(source, path, values, error);
    values->size = values->file.size;
    return status;
}

tool_status model_open_file(const model_reader *reader, model_values *values) {
    json_value source;
    const char *name;
    tool_status status = json_need(&values->source, "sourcePath", &source, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&source, &name, reader->error);
    if (status != TOOL_OK)
        return status;
    char *path = file_join(reader->folder, name);
    if (!path)
        return model_out_of_memory(&source, reader->error);
    /* A file that is not beside the model is looked for in the current folder. */
    status = open_path(&source, file_exists(path) || !file_exists(name) ? path : name, values,
                       reader->error);
    free(path);
    return status;
}
