import type { DeadCodeRules } from '../walk/dead-code-rules.ts';

export const GO_DEAD_CODE: DeadCodeRules = {
  calledNames: /^(main|init|_|(Test|Benchmark|Example|Fuzz)\w*)$/,
  offersExports: (path, isProgram) =>
    /(^|\/)(magefiles?\.go$|magefiles?\/|vendor\/)/.test(path) || (!isProgram && isImportable(path)),
  isImportable: ({ isExported, path }) => isExported && isImportable(path),
  programs: { text: /^package main\b/m, moduleFile: 'go.mod' },
  isForeign: (lines, index) => /^\/\/(?:export|go:linkname)\s/.test(lines.at(index - 1) ?? ''),
  isCountedFrom,
  isPrivateMethod: ({ name }) => /^\p{Ll}/u.test(name),
};

/** Whether other modules may import a package, beside those of `package main`. */
function isImportable(path: string): boolean {
  return !/(^|\/)(internal|cmd)\//.test(path);
}

/** Whether a constant stands in a list that counts with `iota`, so that those below it have other values without it. */
function isCountedFrom(lines: readonly string[], line: number): boolean {
  const after = lines.slice(line + 1).find((text) => !/^\s*(\/\/.*)?$/.test(text));
  if (after === undefined || /^\s*\)/.test(after)) return false;
  for (let at = line; at >= 0 && !/^const\b|^\)/.test(lines[at] ?? ''); at -= 1)
    if (/\biota\b/.test(lines[at] ?? '')) return true;
  return false;
}
