import { defineLanguage, type FrameForm } from '../walk/language.ts';
import { pathFrom, shellWord, type TestCommand, type TestRules, type TestTarget } from '../walk/test-rules.ts';
import type { ConditionalSymbol, DeadCodeRules, Lines } from '../walk/dead-code-rules.ts';

/** Formats of stack traces of Rust. */
const RUST_FRAMES: readonly FrameForm[] = [
  {
    //   at ./src/mail.rs:12:5        thread 'main' panicked at src/mail.rs:12:5
    pattern: /(?:^\s*at|panicked at(?: '[^']*',)?) (?<path>[^\s':]+\.rs):(?<line>\d+)(?::\d+)?/,
  },
];

/** Paths of the files of packages that a package manager installed. */
const RUST_INSTALLED = /^(?:.*\/)?(?<all>\.cargo\/registry\/src\/[^/]+)\/(?<name>[\w-]+?)-\d[^/]*\/(?<path>.+)$/;

const RUST_TESTS: TestRules = {
  examples: /^\s*\/\/[/!]\s*```\s*(?:rust|should_panic|edition\d+)?\s*$/,
  command: cargoTestCommand,
};

function cargoTestCommand({ path, symbol, isExample, upward }: TestTarget): TestCommand | undefined {
  const manifests = upward(/^Cargo\.toml$/);
  const own = manifests.find(({ text }) => /^\s*\[package\]/m.test(text));
  if (own === undefined) return undefined;
  const [, name] = /^\s*\[package\][^[]*?^\s*name\s*=\s*"([^"]+)"/ms.exec(own.text) ?? [];
  const workspace = manifests.find(({ text }) => /^\s*\[workspace\]/m.test(text)) ?? own;
  const part = workspace === own || name === undefined ? '' : ` -p ${shellWord(name)}`;
  const { folder } = workspace;
  const [, file] = /^tests\/([\w-]+)(?:\.\w+$|\/)/.exec(pathFrom(own.folder, path)) ?? [];
  if (isExample) return { folder, start: `cargo test${part} --doc `, target: symbol.split('/').at(-1) ?? '' };
  const start = `cargo test${part}${file === undefined ? '' : ` --test ${file}`}`;
  const target = symbol.replaceAll('/', '::');
  return target === '' ? { folder, start, target: '' } : { folder, start: `${start} -- `, target: shellWord(target) };
}

export const RUST_DEAD_CODE: DeadCodeRules = {
  calledNames: /^(main|_\w*)$/,
  offersExports: () => true,
  looseNames,
  hasMacros: true,
  isForeign,
  isTraitMethod,
  isPrivateMethod: ({ signature }) => !/^pub\b/.test(signature),
  keepsEnumMembers: true,
  isConditional,
  conditionalPaths,
};

/** `#[cfg(feature = "x")]`, but not `#[cfg(test)]`. */
const CONDITION = /^\s*#!?\[cfg\((?!\s*test\s*\))/;

/** A macro whose items are below: it may leave them out, or call them (`cfg_if!`, `quickcheck!`). */
const MACRO = /^\s*(?:\w+::)*\w+!\s*[({[]|\bif\s+#\[cfg\(/;

/** By an attribute of the file, above the symbol, or above what is around it, or by a macro that it is in. */
function isConditional({ lines, line }: ConditionalSymbol): boolean {
  if (conditionAbove(lines, line) || lines.some((text) => text.startsWith('#![cfg('))) return true;
  let depth = indentation(lines[line] ?? '');
  for (let at = line - 1; at >= 0 && depth > 0; at -= 1) {
    const text = lines[at] ?? '';
    if (text.trim() === '' || indentation(text) >= depth) continue;
    depth = indentation(text);
    if (MACRO.test(text) || conditionAbove(lines, at)) return true;
  }
  return false;
}

function conditionAbove(lines: readonly string[], line: number): boolean {
  for (let at = line - 1; at >= 0 && /^\s*(?:#|\/\/|\))/.test(lines[at] ?? ''); at -= 1)
    if (CONDITION.test(lines[at] ?? '')) return true;
  return false;
}

/** Modules that are declared on a condition, or inside of a macro such as `cfg_if!`. */
function conditionalPaths(path: string, text: string): string[] {
  const lines = text.split('\n');
  const base = path.replace(/(?:^|(?<=\/))(?:mod|lib|main)\.rs$|\.rs$/, (ending) => (ending === '.rs' ? '/' : ''));
  return lines.flatMap((line, at) => {
    const [, indented = '', name] = /^([ \t]*)(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(line) ?? [];
    if (name === undefined || (indented === '' && !conditionAbove(lines, at))) return [];
    return [`${base}${name}.rs`, `${base}${name}/`];
  });
}

/** Names in macros, attributes and imports. Imports of more than 5,000 characters are left out. */
function* looseNames(text: string): Generator<string> {
  for (const body of macroBodies(text)) for (const [word] of body.matchAll(/[A-Za-z_]\w*/g)) yield word;
  // The compiler warns of an import that nothing uses.
  for (const [imports] of text.matchAll(/^[ \t]*use\s[^;]{0,5000};/gm))
    for (const [word] of imports.matchAll(/[A-Za-z_]\w*/g)) yield word;
  for (const [, path = ''] of text
    .matchAll(/#!?\[[^\]]*/g)
    .flatMap(([attribute]) => attribute.matchAll(/=\s*"([\w:]+)"/g)))
    yield* path.split('::');
}

/**
 * Yields the bodies of `macro_rules!`, up to a bracket that begins a line. Every character is read once, also where none comes.
 */
function* macroBodies(text: string): Generator<string> {
  const head = /\bmacro_rules!\s*\w+\s*(?=[({[])/g;
  const end = /\n[)}\]]/g;
  while (head.test(text)) {
    const from = head.lastIndex;
    end.lastIndex = from;
    if (!end.test(text)) return;
    yield text.slice(from, end.lastIndex);
    head.lastIndex = end.lastIndex;
  }
}

/** An `impl` with an attribute such as `#[pymethods]`, or a function with the calling convention of C. */
function isForeign(lines: Lines, index: number, registers: (index: number) => boolean): boolean {
  const own = lines.at(index) ?? '';
  if (/\bextern\s+"/.test(own)) return true;
  const depth = indentation(own);
  if (depth === 0) return false;
  for (let at = index - 1; at >= 0; at -= 1) {
    const line = lines.at(at) ?? '';
    if (line.trim() === '' || indentation(line) >= depth) continue;
    // The head may go over lines, such as a `where` clause.
    if (/^\s*(?:unsafe\s+)?impl\b/.test(line)) return registers(at);
    if (/^\s*(?:mod|fn|pub|trait|struct|enum)\b|^\s*\}/.test(line)) return false;
  }
  return false;
}

/** True if a method is in an `impl Trait for Type`, or in the trait itself. */
function isTraitMethod(lines: Lines, index: number): boolean {
  const depth = indentation(lines.at(index) ?? '');
  if (depth === 0) return false;
  for (let at = index - 1; at >= 0; at -= 1) {
    const line = lines.at(at) ?? '';
    if (line.trim() === '' || indentation(line) >= depth) continue;
    const before = Array.from({ length: Math.min(7, at + 1) }, (_, back) => lines.at(at - back) ?? '');
    return /\b(impl\b[^{}]*\bfor\b|trait\b)[^{}]*\{?\s*$/.test(before.toReversed().join(' '));
  }
  return false;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

export const RUST_LANGUAGE = defineLanguage({
  parser: 'rust',
  names: [['Rust', 'rs']],
  overridesMethodsOnly: true,
  // Traits with parameters give a type several methods of one name.
  declaresOnce: 'all but methods',
  separatesMethods: true,
  barrels: /^(?:mod|lib)\.rs$/,
  packageFile: 'src/lib.rs',
  exportLines: /^\s*pub\s+use\b/,
  listsNames: true,
  implementsInBlocks: true,
  hasTestModules: true,
  tests: RUST_TESTS,
  deadCode: RUST_DEAD_CODE,
  frames: RUST_FRAMES,
  installed: RUST_INSTALLED,
  reader: { tree: async () => (await import('./rust.ts')).RUST },
});
