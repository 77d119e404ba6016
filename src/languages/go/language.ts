import { folderOf } from '../../kernel/paths.ts';
import { defineLanguage, type FrameForm } from '../walk/language.ts';
import { pathFrom, shellWord, type TestCommand, type TestRules, type TestTarget } from '../walk/test-rules.ts';
import type { ConditionalSymbol, DeadCodeRules } from '../walk/dead-code-rules.ts';

/** Formats of stack traces of Go. */
const GO_FRAMES: readonly FrameForm[] = [
  {
    // \t/app/mail/send.go:12 +0x1d
    pattern: /^\s+(?<path>\S+\.(?:go|s)):(?<line>\d+)(?: \+0x[0-9a-f]+)?\s*$/,
  },
];

/** Paths of installed modules (`github.com/shop/mail@v1.2.0`): an upper-case letter is written `!` and its lower-case one. */
const GO_INSTALLED = /^(?:.*\/)?(?<all>pkg\/mod)\/(?<name>[^@]+)@[^/]+\/(?<path>.+)$/;

const GO_TESTS: TestRules = {
  functions: /^(?:Test|Benchmark|Fuzz|Example)(?![a-z])/,
  command: goTestCommand,
};

function goTestCommand({ path, symbol, upward }: TestTarget): TestCommand | undefined {
  const [module] = upward(/^go\.mod$/);
  if (module === undefined) return undefined;
  const inside = pathFrom(module.folder, folderOf(path) === module.folder ? `${module.folder}/` : `${folderOf(path)}/`);
  const target = shellWord(`./${inside.replace(/^\/|\/$/g, '')}`);
  const { folder } = module;
  if (symbol === '') return { folder, start: 'go test ', target };
  const bench = symbol.startsWith('Benchmark') ? `'^$' -bench ` : '';
  return { folder, start: `go test ${target} -run ${bench}'^(`, target: symbol, join: '|', end: ")$'" };
}

/** Known values of GOOS and GOARCH: https://pkg.go.dev/cmd/go#hdr-Build_constraints. */
const BUILT_FOR =
  /_(?:aix|android|darwin|dragonfly|freebsd|hurd|illumos|ios|js|linux|nacl|netbsd|openbsd|plan9|solaris|wasip1|windows|zos|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv|riscv64|s390x|wasm)(?:_test)?\.go$/;

const GO_DEAD_CODE: DeadCodeRules = {
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

export const GO_LANGUAGE = defineLanguage({
  parser: 'go',
  names: [['Go', 'go']],
  programPackage: 'main',
  overridesMethodsOnly: true,
  hasValueKeys: true,
  declaresOnce: 'all',
  packsFolders: true,
  importsPackages: true,
  isStructural: true,
  tests: GO_TESTS,
  deadCode: GO_DEAD_CODE,
  // Tests and programs have names of their own.
  declaresPerBuild: (path, name) => !path.endsWith('_test.go') && !/^(?:init|main|_)$/.test(name),
  publicFiles: 'all',
  declaresAtMargin: true,
  listsNames: true,
  frames: GO_FRAMES,
  installed: GO_INSTALLED,
  reader: { tree: async () => (await import('./go.ts')).GO },
});
