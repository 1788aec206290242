# SPDX-License-Identifier: MIT
# Reading and writing files: JSON, .npy, models and descriptors.
target_sources(
  cumsum_tool_objects
  PRIVATE descriptor_read.c
          file_path.c
          file_read.c
          file_write.c
          json_document.c
          json_escape.c
          json_field.c
          json_locate.c
          json_names.c
          json_rewrite.c
          json_scan.c
          json_value.c
          memory_limit.c
          model_command.c
          model_dispatch.c
          model_dispatchable.c
          model_enum.c
          model_file.c
          model_fill.c
          model_free.c
          model_operator.c
          model_read.c
          model_resource.c
          model_tensor.c
          model_values.c
          npy_header.c
          npy_read.c
          npy_write.c
          number_decimal.c
          number_float.c
          number_integer.c
          number_store.c)
target_link_libraries(cumsum_tool_objects PUBLIC m)
