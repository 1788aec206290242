/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_MODEL_H
#define CUMSUM_TOOLS_CASE_MODEL_H

/* A case as the text of a DxDispatch model. */

#include <stdio.h>

#include "case_build.h"

/* A buffer of the model. */
typedef struct case_resource {
    const char *name;
    cumsum_data_type type;
    const unsigned char *bytes;
    uint64_t count;                 /* elements */
    bool uniform;                   /* all elements have the same bits */
    char file[CASE_NAME_ROOM + 32]; /* the .npy file that holds it, "" where the model does */
} case_resource;

typedef struct case_model {
    const suite_case *source;
    const char *name; /* of the dispatchable */
    const char *head; /* members that the model starts with, each with a comma behind it; NULL: the
                         command that generates the case */
    case_resource resources[3]; /* input and output, or both in one; and what is expected */
    size_t count;
} case_model;

/* stem: the beginning of the names of data files. Nothing is copied: c, name and stem must outlive
 * the model. */
void case_model_of(const suite_case *c, const char *name, const char *stem, case_model *out);

void case_model_print(const case_model *model, FILE *out);

#endif
