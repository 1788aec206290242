// SPDX-License-Identifier: MIT
// The compiled WebAssembly: from given bytes, or from the file beside this one.
export async function loadModule(bytes) {
  if (bytes)
    return WebAssembly.compile(bytes);
  const place = new URL('./cumsum_core.wasm', import.meta.url);
  if (place.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(place));
  }
  const response = await fetch(place);
  if (!response.ok)
    throw new Error(`${place}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
