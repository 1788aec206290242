/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MAKE_FOLDER_H
#define CUMSUM_TOOLS_MAKE_FOLDER_H

#include "error.h"

/* Makes a folder where there is none; NULL is the current one. TOOL_ENVIRONMENT otherwise. */
tool_status folder_make(const char *folder, tool_error *error);

#endif
