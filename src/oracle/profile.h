/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_PROFILE_H
#define CUMSUM_ORACLE_PROFILE_H

/* Profiles of the caller: their checks, and what they are to the rules. */

#include <cumsum/oracle.h>

#include "arithmetic.h"

/* CUMSUM_OK if every member is in range and none contradicts the type of the elements or the
 * option `promised`; else CUMSUM_INVALID_ARGUMENT. */
cumsum_status cumsum_profile_check(const cumsum_profile *profile, cumsum_data_type type,
                                   bool promised, cumsum_diagnostic *diagnostic);

/* The arithmetic of a profile that passes the check, for elements of a format. */
arithmetic cumsum_profile_arithmetic(const cumsum_profile *profile, const binary_format *elements);

#endif
