import { setFlagsFromString } from 'node:v8';

/**
 * Options of a process that reads files: the code of grammars is compiled once and quickly, and not optimised later. The
 * scanner of a grammar is one function of up to 435 KB: optimising it takes up to 6 s and 3 GB (Swift), 0.5 s and 500 MB
 * (Bash, Kotlin, Scala) in each process, and makes parsing no faster.
 */
export const PLAIN_GRAMMARS = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

/** The part of WebAssembly that is used: the types of Node do not have it. */
interface WebAssembly {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => object;
}

/**
 * Makes the runtime of the parsers from its code. Optimising its small functions pays in such a process, too: there all of them
 * are compiled at once, because what is compiled at its first call is compiled as grammars are.
 */
export function startWasm(bytes: Uint8Array, imports: object): { instance: object; module: object } {
  // The compiler knows nothing of this property of Node.
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssembly }).WebAssembly;
  const isPlain = process.execArgv.includes('--no-wasm-tier-up');
  // Nothing else is compiled in between: this does not wait.
  if (isPlain) setFlags(['--wasm-dynamic-tiering', '--wasm-tier-up', '--no-wasm-lazy-compilation']);
  const module = new Module(bytes);
  if (isPlain) setFlags([...PLAIN_GRAMMARS, '--wasm-lazy-compilation']);
  return { instance: new Instance(module, imports), module };
}

function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}
