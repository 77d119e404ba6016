import type { ConditionalSymbol, DeadCodeRules } from '../walk/dead-code-rules.ts';

/** Known values of GOOS and GOARCH: https://pkg.go.dev/cmd/go#hdr-Build_constraints. */
const BUILT_FOR =
  /_(?:aix|android|darwin|dragonfly|freebsd|hurd|illumos|ios|js|linux|nacl|netbsd|openbsd|plan9|solaris|wasip1|windows|zos|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv|riscv64|s390x|wasm)(?:_test)?\.go$/;

export const GO_DEAD_CODE: DeadCodeRules = {
  calledNames: /^(main|init|_|(Test|Benchmark|Example|Fuzz)\w*)$/,
  offersExports: (path, isProgram) =>
    /(^|\/)(magefiles?\.go$|magefiles?\/|vendor\/)/.test(path) || (!isProgram && isImportable(path)),
  isImportable: ({ isExported, path }) => isExported && isImportable(path),
  programs: { text: /^package main\b/m, moduleFile: 'go.mod' },
  isForeign: (lines, index) => /^\/\/(?:export|go:linkname)\s/.test(lines.at(index - 1) ?? ''),
  isCountedFrom,
  isConditional,
  isPrivateMethod: ({ name }) => /^\p{Ll}/u.test(name),
};

/** True if other modules may import a package, beside those of `package main`. */
function isImportable(path: string): boolean {
  return !/(^|\/)(internal|cmd)\//.test(path);
}

/** By the name of its file, which ends in an operating system or a processor, or by a constraint above the package clause. */
function isConditional({ path, lines }: ConditionalSymbol): boolean {
  if (BUILT_FOR.test(path)) return true;
  for (const line of lines) {
    if (/^\/\/(?:go:build| ?\+build)\s/.test(line)) return true;
    if (/^package\s/.test(line)) return false;
  }
  return false;
}

/** True if a constant is in a list that counts with `iota`, so that those below it have other values without it. */
function isCountedFrom(lines: readonly string[], line: number): boolean {
  const after = lines.slice(line + 1).find((text) => !/^\s*(\/\/.*)?$/.test(text));
  if (after === undefined || /^\s*\)/.test(after)) return false;
  for (let at = line; at >= 0 && !/^const\b|^\)/.test(lines[at] ?? ''); at -= 1)
    if (/\biota\b/.test(lines[at] ?? '')) return true;
  return false;
}
