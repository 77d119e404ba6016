import { setFlagsFromString } from 'node:v8';

/**
 * Options of a process that reads files: the code of grammars is compiled once and quickly, and not optimised later. The
 * scanner of a grammar is one function of up to 435 KB: optimising it takes up to 6 s and 3 GB (Swift), 0.5 s and 500 MB
 * (Bash, Kotlin, Scala) in each process, and makes parsing no faster.
 */
export const PLAIN_GRAMMARS = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

/**
 * Compiles the runtime of the parsers, whose small functions are worth optimising, in such a process too: there it is
 * done at once for all functions, because what is compiled at its first call is compiled as grammars are.
 */
export function compileRuntime(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  if (!process.execArgv.includes('--no-wasm-tier-up')) return new WebAssembly.Module(bytes);
  // Nothing else is compiled in between: this does not wait.
  for (const flag of ['--wasm-dynamic-tiering', '--wasm-tier-up', '--no-wasm-lazy-compilation'])
    setFlagsFromString(flag);
  const module = new WebAssembly.Module(bytes);
  for (const flag of [...PLAIN_GRAMMARS, '--wasm-lazy-compilation']) setFlagsFromString(flag);
  return module;
}
