/* SPDX-License-Identifier: MIT */
/*
 * Compiles one HLSL compute shader with Microsoft's d3dcompiler_47.dll. This is a Windows program,
 * which tools/compile-shaders builds with mingw-w64 and runs under Wine. The DLL is loaded at run
 * time, since Wine has a library of its own by that name.
 *
 *     compile_shader DLL SOURCE TARGET [NAME=VALUE ...]     writes the bytecode of SOURCE's main
 *     compile_shader DLL                                    prints the compiler's version
 *
 * Exit status: 0 success; 1 the compiler rejected the source, its messages are on stderr; 2 usage;
 * 3 the compiler could not be loaded or a file could not be written.
 */
#include <windows.h>

#include <d3dcompiler.h>
#include <stdio.h>
#include <string.h>

#define MAX_MACROS 16

/* Floating-point operations must not be rearranged or contracted: the bits depend on it. */
#define COMPILE_FLAGS                                                                              \
    (D3DCOMPILE_ENABLE_STRICTNESS | D3DCOMPILE_IEEE_STRICTNESS | D3DCOMPILE_OPTIMIZATION_LEVEL3 |  \
     D3DCOMPILE_WARNINGS_ARE_ERRORS)
/* D3DCOMPILE_FLAGS2_FORCE_ROOT_SIGNATURE_1_0: every runtime of Direct3D 12 reads that version. */
#define ROOT_SIGNATURE_1_0 (1u << 4)
/* Data that drivers do not use: names, types, debug information. Without names in it, the bytecode
 * does not change if a source's comments or identifiers do. */
#define STRIP_FLAGS                                                                                \
    (D3DCOMPILER_STRIP_REFLECTION_DATA | D3DCOMPILER_STRIP_DEBUG_INFO |                            \
     D3DCOMPILER_STRIP_TEST_BLOBS)

typedef HRESULT(WINAPI *compile_function)(LPCWSTR, const D3D_SHADER_MACRO *, ID3DInclude *, LPCSTR,
                                          LPCSTR, UINT, UINT, ID3DBlob **, ID3DBlob **);
typedef HRESULT(WINAPI *strip_function)(LPCVOID, SIZE_T, UINT, ID3DBlob **);

static int print_version(const char *dll) {
    static unsigned char data[8192];
    VS_FIXEDFILEINFO *info = NULL;
    UINT bytes = 0;
    if (!GetFileVersionInfoA(dll, 0, sizeof data, data) ||
        !VerQueryValueA(data, "\\", (void **)&info, &bytes)) {
        fprintf(stderr, "compile_shader: %s has no version\n", dll);
        return 3;
    }
    printf("%u.%u.%u.%u\n", HIWORD(info->dwFileVersionMS), LOWORD(info->dwFileVersionMS),
           HIWORD(info->dwFileVersionLS), LOWORD(info->dwFileVersionLS));
    return 0;
}

/* Splits each NAME=VALUE, in place, into a macro's name and value. */
static int take_macros(D3D_SHADER_MACRO *macros, char **arguments, int count) {
    if (count > MAX_MACROS)
        return 0;
    for (int i = 0; i < count; i++) {
        char *equals = strchr(arguments[i], '=');
        if (!equals)
            return 0;
        *equals = '\0';
        macros[i].Name = arguments[i];
        macros[i].Definition = equals + 1;
    }
    return 1;
}

static int write_blob(const char *path, ID3DBlob *blob) {
    FILE *file = fopen(path, "wb");
    const size_t bytes = blob->lpVtbl->GetBufferSize(blob);
    const int written =
        file && fwrite(blob->lpVtbl->GetBufferPointer(blob), 1, bytes, file) == bytes;
    if (!file || fclose(file) != 0 || !written) {
        fprintf(stderr, "compile_shader: cannot write %s\n", path);
        return 3;
    }
    return 0;
}

static int compile(HMODULE dll, const char *source, const char *target,
                   const D3D_SHADER_MACRO *macros) {
    const compile_function compile_file =
        (compile_function)(void *)GetProcAddress(dll, "D3DCompileFromFile");
    const strip_function strip = (strip_function)(void *)GetProcAddress(dll, "D3DStripShader");
    if (!compile_file || !strip) {
        fprintf(stderr, "compile_shader: the library is not a shader compiler\n");
        return 3;
    }
    wchar_t wide[1024];
    MultiByteToWideChar(CP_ACP, 0, source, -1, wide, 1024);
    ID3DBlob *code = NULL;
    ID3DBlob *messages = NULL;
    ID3DBlob *stripped = NULL;
    const HRESULT result =
        compile_file(wide, macros, D3D_COMPILE_STANDARD_FILE_INCLUDE, "main", "cs_5_0",
                     COMPILE_FLAGS, ROOT_SIGNATURE_1_0, &code, &messages);
    if (messages)
        fprintf(stderr, "%s", (const char *)messages->lpVtbl->GetBufferPointer(messages));
    if (FAILED(result) ||
        FAILED(strip(code->lpVtbl->GetBufferPointer(code), code->lpVtbl->GetBufferSize(code),
                     STRIP_FLAGS, &stripped))) {
        fprintf(stderr, "compile_shader: %s: 0x%08lx\n", source, (unsigned long)result);
        return 1;
    }
    return write_blob(target, stripped);
}

int main(int argc, char **argv) {
    D3D_SHADER_MACRO macros[MAX_MACROS + 1] = {{NULL, NULL}};
    if (argc == 2)
        return print_version(argv[1]);
    if (argc < 4 || !take_macros(macros, argv + 4, argc - 4)) {
        fprintf(stderr, "usage: compile_shader DLL [SOURCE TARGET [NAME=VALUE ...]]\n");
        return 2;
    }
    const HMODULE dll = LoadLibraryA(argv[1]);
    if (!dll) {
        fprintf(stderr, "compile_shader: cannot load %s\n", argv[1]);
        return 3;
    }
    return compile(dll, argv[2], argv[3], macros);
}
