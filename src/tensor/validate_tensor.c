/* SPDX-License-Identifier: MIT */
/*
 * The rules that concern one tensor, in the order of the first table of docs/validation.md.
 *
 * Invariant: a check may use what the checks before it have established. Sizes and strides are read
 * only once there are known to be 1 to 8 of them, and extents are formed only of sizes above 0.
 */
#include "extent.h"
#include "validate.h"

/* A broken rule about a field as a whole. */
static cumsum_status broken(cumsum_diagnostic *diagnostic, const char *name, const char *field,
                            uint64_t value, uint64_t limit, const char *rule) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                                             .tensor = name,
                                                             .field = field,
                                                             .dimension = -1,
                                                             .value = value,
                                                             .limit = limit,
                                                             .rule = rule});
}

/* A null pointer. The message says NULL where others show a number. */
static cumsum_status is_null(cumsum_diagnostic *diagnostic, const char *name, const char *field,
                             const char *rule) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                                             .tensor = name,
                                                             .field = field,
                                                             .dimension = -1,
                                                             .value_name = "NULL",
                                                             .rule = rule});
}

/* The types of DirectML's support tables (docs/validation.md, "Feature levels"), and those that are
 * computed or judged beside them. */
static bool type_supported(cumsum_data_type type, cumsum_feature_level level) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
    case CUMSUM_DATA_TYPE_FLOAT16:
    case CUMSUM_DATA_TYPE_UINT32:
    case CUMSUM_DATA_TYPE_INT32:
        return true;
    case CUMSUM_DATA_TYPE_UINT64:
    case CUMSUM_DATA_TYPE_INT64:
        return level == CUMSUM_FEATURE_LEVEL_5_0 || level == CUMSUM_LEVEL_COMPUTED ||
               level == CUMSUM_LEVEL_JUDGED;
    case CUMSUM_DATA_TYPE_FLOAT64:
        return level == CUMSUM_LEVEL_COMPUTED || level == CUMSUM_LEVEL_JUDGED;
    case CUMSUM_DATA_TYPE_BFLOAT16:
    case CUMSUM_DATA_TYPE_UINT16:
    case CUMSUM_DATA_TYPE_INT16:
    case CUMSUM_DATA_TYPE_UINT8:
    case CUMSUM_DATA_TYPE_INT8:
        return level == CUMSUM_LEVEL_JUDGED;
    default:
        return false;
    }
}

/* The operator rejects UINT16 like any other type: editions of the documentation from 2020 and 2021
 * list it, but DirectML.dll rejects it. A number that is no type at all is shown as a number. */
static cumsum_status check_type(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                cumsum_feature_level level, cumsum_diagnostic *diagnostic) {
    const cumsum_data_type type = buffer->data_type;
    if (type_supported(type, level))
        return CUMSUM_OK;
    const char *rule = "must be FLOAT32, FLOAT16, UINT32 or INT32 below feature level 5_0";
    if (level == CUMSUM_FEATURE_LEVEL_5_0)
        rule = "must be FLOAT32, FLOAT16, UINT32, INT32, UINT64 or INT64";
    else if (level == CUMSUM_LEVEL_COMPUTED)
        rule = "must be FLOAT64, FLOAT32, FLOAT16, UINT32, INT32, UINT64 or INT64";
    else if (level == CUMSUM_LEVEL_JUDGED)
        rule = "must be FLOAT64, FLOAT32, FLOAT16, BFLOAT16 or an integer of 8 to 64 bits";
    const bool named = (uint32_t)type <= CUMSUM_DATA_TYPE_INT4 || type == CUMSUM_DATA_TYPE_BFLOAT16;
    return cumsum_diagnose(
        diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                          .tensor = name,
                                          .field = "DataType",
                                          .dimension = -1,
                                          .value = (uint32_t)type,
                                          .value_name = named ? cumsum_data_type_name(type) : NULL,
                                          .rule = rule});
}

/* OWNED_BY_DML is for inputs whose contents DirectML keeps, such as weights; on an output it has no
 * meaning. The two names of tensors differ in their first letter. */
static cumsum_status check_flags(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                 cumsum_diagnostic *diagnostic) {
    const uint32_t flags = (uint32_t)buffer->flags;
    if (flags == CUMSUM_TENSOR_FLAG_NONE)
        return CUMSUM_OK;
    if (name[0] == CUMSUM_OUTPUT_NAME[0])
        return broken(diagnostic, name, "Flags", flags, CUMSUM_TENSOR_FLAG_NONE,
                      "must be NONE (0) on an output");
    if (flags != CUMSUM_TENSOR_FLAG_OWNED_BY_DML)
        return broken(diagnostic, name, "Flags", flags, CUMSUM_TENSOR_FLAG_OWNED_BY_DML,
                      "must be NONE (0) or OWNED_BY_DML (1)");
    return CUMSUM_OK;
}

/* Also bounds every later access to the arrays of sizes and strides. */
static cumsum_status check_rank(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                cumsum_feature_level level, cumsum_diagnostic *diagnostic) {
    const uint32_t rank = buffer->dimension_count;
    if (rank < 1 || rank > CUMSUM_MAX_DIMENSIONS)
        return broken(diagnostic, name, "DimensionCount", rank,
                      rank < 1 ? 1 : CUMSUM_MAX_DIMENSIONS, "must be from 1 to 8");
    if (level == CUMSUM_FEATURE_LEVEL_2_1 && rank != 4)
        return broken(diagnostic, name, "DimensionCount", rank, 4,
                      "must be 4 at feature level 2_1");
    return CUMSUM_OK;
}

/* Sizes above 0 are all that is asked here; check_extent bounds them from above. */
static cumsum_status check_sizes(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                 cumsum_diagnostic *diagnostic) {
    if (!buffer->sizes)
        return is_null(diagnostic, name, "Sizes", "must point to DimensionCount sizes");
    for (uint32_t d = 0; d < buffer->dimension_count; d++)
        if (buffer->sizes[d] == 0)
            return cumsum_diagnose(diagnostic,
                                   &(cumsum_broken_rule){.status = CUMSUM_INVALID_DESCRIPTOR,
                                                         .tensor = name,
                                                         .field = "Sizes",
                                                         .dimension = (int32_t)d,
                                                         .limit = 1,
                                                         .rule = "must be at least 1"});
    return CUMSUM_OK;
}

/* The fast test for a power of two: x & (x - 1) clears its lowest bit. */
static cumsum_status check_alignment(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                     cumsum_diagnostic *diagnostic) {
    const uint32_t alignment = buffer->guaranteed_base_offset_alignment;
    if (alignment == 0 || (alignment >= 16 && (alignment & (alignment - 1)) == 0))
        return CUMSUM_OK;
    return broken(diagnostic, name, "GuaranteedBaseOffsetAlignment", alignment, 16,
                  "must be 0 or a power of two that is 16 or more");
}

/* The extent is not a field of the descriptor. A broken limit is reported for the field that makes
 * it, Strides or Sizes, with the largest extent allowed. The extent itself may not fit 64 bits, so
 * the diagnostic does not give it. */
static cumsum_status check_extent(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                  uint64_t extent, cumsum_diagnostic *diagnostic) {
    if (extent != 0)
        return CUMSUM_OK;
    return cumsum_diagnose(
        diagnostic,
        &(cumsum_broken_rule){
            .status = CUMSUM_INVALID_DESCRIPTOR,
            .tensor = name,
            .field = buffer->strides ? "Strides" : "Sizes",
            .dimension = -1,
            .value = CUMSUM_MAX_EXTENT + 1,
            .value_name = "too large",
            .limit = CUMSUM_MAX_EXTENT,
            .rule = "must span at most 4294967295 elements from the first to the last"});
}

/* The size may be larger than the layout needs, and need not be a multiple of 4 itself. The product
 * of the element size and the largest extent is below 2^35. */
static cumsum_status check_total_size(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                      uint64_t extent, cumsum_diagnostic *diagnostic) {
    const uint32_t element_size = cumsum_data_type_size(buffer->data_type);
    const uint64_t total = buffer->total_tensor_size_in_bytes;
    const uint64_t least = cumsum_size_of_extent(extent, element_size);
    const uint64_t most = element_size * CUMSUM_MAX_EXTENT;
    if (total >= least && total <= most)
        return CUMSUM_OK;
    return cumsum_diagnose(
        diagnostic,
        &(cumsum_broken_rule){
            .status = CUMSUM_INVALID_DESCRIPTOR,
            .tensor = name,
            .field = "TotalTensorSizeInBytes",
            .dimension = -1,
            .value = total,
            .limit = total < least ? least : most,
            .show_limit = true,
            .rule = total < least
                        ? "must be at least the size of the extent rounded up to a multiple of 4"
                        : "must be at most the element size times 4294967295"});
}

/* Every rule about a buffer tensor, in order. The extent is formed once sizes are known to be
 * valid.
 */
static cumsum_status check_buffer(const char *name, const cumsum_buffer_tensor_desc *buffer,
                                  cumsum_feature_level level, cumsum_diagnostic *diagnostic) {
    cumsum_status status = check_type(name, buffer, level, diagnostic);
    if (status == CUMSUM_OK)
        status = check_flags(name, buffer, diagnostic);
    if (status == CUMSUM_OK)
        status = check_rank(name, buffer, level, diagnostic);
    if (status == CUMSUM_OK)
        status = check_sizes(name, buffer, diagnostic);
    if (status == CUMSUM_OK)
        status = check_alignment(name, buffer, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const uint64_t extent = cumsum_extent(buffer->dimension_count, buffer->sizes, buffer->strides);
    status = check_extent(name, buffer, extent, diagnostic);
    return status == CUMSUM_OK ? check_total_size(name, buffer, extent, diagnostic) : status;
}

cumsum_status cumsum_validate_tensor(const char *name, const cumsum_tensor_desc *tensor,
                                     cumsum_feature_level level,
                                     const cumsum_buffer_tensor_desc **buffer,
                                     cumsum_diagnostic *diagnostic) {
    if (!tensor)
        return is_null(diagnostic, name, NULL, "must be given");
    if (tensor->type != CUMSUM_TENSOR_TYPE_BUFFER)
        return broken(diagnostic, name, "Type", (uint32_t)tensor->type, CUMSUM_TENSOR_TYPE_BUFFER,
                      "must be DML_TENSOR_TYPE_BUFFER (1)");
    if (!tensor->desc)
        return is_null(diagnostic, name, "Desc", "must point to a buffer tensor descriptor");
    *buffer = tensor->desc;
    return check_buffer(name, *buffer, level, diagnostic);
}
