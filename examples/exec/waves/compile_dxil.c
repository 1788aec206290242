/* SPDX-License-Identifier: MIT */
/*
 * compile_dxil.exe SOURCE OUTPUT ARGUMENT...: dxcompiler.dll, which is in the same folder, compiles
 * SOURCE with dxc's arguments. For Windows and Wine; declares what it uses of dxcapi.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

typedef struct source_buffer {
    const void *text;
    SIZE_T bytes;
    UINT code_page;
} source_buffer;

/* A COM object, and the places of its methods. */
typedef struct object {
    void **methods;
} object;

enum {
    COMPILER_COMPILE = 3,
    RESULT_STATUS = 3,
    RESULT_BLOB = 4,
    RESULT_ERRORS = 5,
    BLOB_DATA = 3,
    BLOB_BYTES = 4,
    UTF8 = 65001,
    MOST_ARGUMENTS = 32,
    MOST_LETTERS = 200
};

typedef HRESULT(WINAPI *create_function)(const GUID *, const GUID *, object **);
typedef HRESULT(WINAPI *compile_function)(object *, const source_buffer *, const wchar_t **, UINT,
                                          void *, const GUID *, object **);
typedef HRESULT(WINAPI *status_function)(object *, HRESULT *);
typedef HRESULT(WINAPI *blob_function)(object *, object **);
typedef const char *(WINAPI *data_function)(object *);
typedef SIZE_T(WINAPI *bytes_function)(object *);

static const GUID compiler_class = {
    0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
static const GUID compiler_interface = {
    0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
static const GUID result_interface = {
    0x58346cda, 0xdde7, 0x4497, {0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59}};

static int fail(const char *what) {
    fprintf(stderr, "compile_dxil: %s\n", what);
    return EXIT_FAILURE;
}

static int save(object *result, const char *path) {
    object *blob = NULL;
    if (((blob_function)result->methods[RESULT_BLOB])(result, &blob) != S_OK || !blob)
        return fail("there is no bytecode");
    const char *data = ((data_function)blob->methods[BLOB_DATA])(blob);
    const SIZE_T bytes = ((bytes_function)blob->methods[BLOB_BYTES])(blob);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
        return fail("the bytecode cannot be written");
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    static char text[1 << 20];
    static wchar_t words[MOST_ARGUMENTS][MOST_LETTERS];
    const wchar_t *arguments[MOST_ARGUMENTS];
    if (argc < 3 || argc - 3 > MOST_ARGUMENTS)
        return fail("usage: compile_dxil SOURCE OUTPUT ARGUMENT...");
    for (int i = 3; i < argc; i++) {
        mbstowcs(words[i - 3], argv[i], MOST_LETTERS - 1);
        arguments[i - 3] = words[i - 3];
    }
    FILE *file = fopen(argv[1], "rb");
    if (!file)
        return fail("the source cannot be read");
    const source_buffer source = {text, fread(text, 1, sizeof text, file), UTF8};
    fclose(file);

    object *compiler = NULL;
    object *result = NULL;
    object *errors = NULL;
    HRESULT status = E_FAIL;
    HMODULE library = LoadLibraryA("dxcompiler.dll");
    create_function create =
        library ? (create_function)(void *)GetProcAddress(library, "DxcCreateInstance") : NULL;
    if (!create || create(&compiler_class, &compiler_interface, &compiler) != S_OK)
        return fail("dxcompiler.dll cannot be used");
    if (((compile_function)compiler->methods[COMPILER_COMPILE])(compiler, &source, arguments,
                                                                (UINT)(argc - 3), NULL,
                                                                &result_interface, &result) != S_OK)
        return fail("the compiler does not take these arguments");
    ((status_function)result->methods[RESULT_STATUS])(result, &status);
    if (status == S_OK)
        return save(result, argv[2]);
    if (((blob_function)result->methods[RESULT_ERRORS])(result, &errors) == S_OK && errors)
        fputs(((data_function)errors->methods[BLOB_DATA])(errors), stderr);
    return EXIT_FAILURE;
}
