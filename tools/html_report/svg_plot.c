/* SPDX-License-Identifier: MIT */
#include "svg_plot.h"

#include "html_text.h"

void svg_begin(FILE *out, double width, double height, const char *what) {
    fprintf(out,
            "<figure><svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" "
            "aria-label=\"",
            width, height, width, height);
    html_text(out, what);
    fputs("\">\n", out);
}

void svg_end(FILE *out, const char *caption) {
    fputs("</svg><figcaption>", out);
    html_text(out, caption);
    fputs("</figcaption></figure>\n", out);
}

void svg_frame(const svg_plot *p) {
    double middle = p->top + p->height / 2;
    fprintf(p->out,
            "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
            "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            p->left, p->top, p->width, p->height, p->left, middle, p->left + p->width, middle);
}

void svg_column(const svg_plot *p, uint32_t index, uint32_t count, double share, const char *class,
                const char *title) {
    double step = p->width / count;
    double gap = step > 4 ? 1 : 0;
    double full = share > 1 ? p->height : p->height * share;
    double height = full < 1.5 ? 1.5 : full;
    fprintf(
        p->out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
        class, p->left + step * index + gap / 2, p->top + p->height - height, step - gap, height);
    html_text(p->out, title);
    fputs("</title></rect>\n", p->out);
}

static void put_label(const svg_plot *p, double x, double y, const char *anchor, const char *text) {
    fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(p->out, text);
    fputs("</text>\n", p->out);
}

void svg_left_label(const svg_plot *p, double share, const char *text) {
    put_label(p, p->left - 4, p->top + p->height * (1 - share) + 4, "end", text);
}

void svg_below_label(const svg_plot *p, double share, const char *text) {
    put_label(p, p->left + p->width * share, p->top + p->height + 13, "middle", text);
}

void svg_below_last_label(const svg_plot *p, const char *text) {
    put_label(p, p->left + p->width, p->top + p->height + 13, "end", text);
}

void svg_left_title(const svg_plot *p, const char *text) {
    double y = p->top + p->height / 2;
    fprintf(p->out,
            "<text x=\"11\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 11 %.1f)\">",
            y, y);
    html_text(p->out, text);
    fputs("</text>\n", p->out);
}

void svg_below_title(const svg_plot *p, const char *text) {
    put_label(p, p->left + p->width / 2, p->top + p->height + 28, "middle", text);
}
