/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_EMBEDDED_TEXT_H
#define CUMSUM_TOOLS_EMBEDDED_TEXT_H

/* Files that are part of the program. */

extern const char embedded_style[]; /* html_style.css */
extern const char embedded_rules[]; /* lists/rules.txt */

#endif
