import { expect, test } from 'vitest';
import { definitionOf } from './languages.ts';
import type { DeadCodeRules } from './walk/dead-code-rules.ts';

function rulesFor(path: string): DeadCodeRules {
  const rules = definitionOf(path)?.deadCode;
  if (rules === undefined) throw new Error(`There are no rules for ${path}.`);
  return rules;
}

/** The lines of a text for which something is true, from 1. A line with `?` is asked about. */
function linesWhere(text: string, isSo: (lines: string[], line: number) => boolean | undefined): number[] {
  const lines = text.split('\n');
  return lines.flatMap((_, at) => (lines[at]?.includes('?') === true && isSo(lines, at) === true ? [at + 1] : []));
}

/** The lines that a condition chooses. */
function conditionalLines(path: string, text: string): number[] {
  return linesWhere(text, (lines, line) => rulesFor(path).isConditional?.({ path, lines, line, isMember: false }));
}

test('a file of Go is chosen by its name, or by a constraint above its package', () => {
  expect(conditionalLines('mail_linux.go', '?')).toEqual([1]);
  expect(conditionalLines('mail_linux_test.go', '?')).toEqual([1]);
  expect(conditionalLines('mail_send.go', 'package mail\n//go:build linux\n?')).toEqual([]);
  expect(conditionalLines('mail.go', '// Mail.\n//go:build linux\n\npackage mail\n?')).toEqual([5]);
  expect(conditionalLines('mail.go', '// +build linux\n\npackage mail\n?')).toEqual([4]);
  expect(conditionalLines('mail.go', '?')).toEqual([]);
});

const countedLines = (text: string): number[] =>
  linesWhere(text, (lines, line) => rulesFor('mail.go').isCountedFrom?.(lines, line));

test('a constant of Go is counted from where others follow it in a list with iota', () => {
  expect(countedLines('const (\n\tOne = iota // ?\n\n\t// Two?\n\tTwo // ?\n\tThree // ?\n)\n')).toEqual([2, 4, 5]);
  expect(countedLines('const (\n\tOne = 1 // ?\n\tTwo = 2 // ?\n)\n')).toEqual([]);
  expect(countedLines('var iota = 1\n)\nconst (\n\tOne = 1 // ?\n\tTwo = 2\n)\n')).toEqual([]);
  expect(countedLines('const One = iota // ?\nconst Two = 2\n')).toEqual([]);
});

test('what other modules may import of Go, and what its tools call', () => {
  const { offersExports, isForeign, isPrivateMethod, isImportable } = rulesFor('mail.go');
  const symbol = {
    path: 'mail/send.go',
    name: 'Send',
    kind: 'function',
    signature: '',
    isExported: true,
    isMember: false,
  };
  const offers = (path: string, isProgram = false): unknown => offersExports?.(path, isProgram);

  expect(
    ['mail/a.go', 'internal/a.go', 'cmd/mail/a.go', 'vendor/a.go', 'magefile.go'].map((path) => offers(path)),
  ).toEqual([true, false, false, true, true]);
  expect([offers('mail/a.go', true), offers('vendor/a.go', true)]).toEqual([false, true]);
  expect([true, false].map((isExported) => isImportable?.({ ...symbol, isExported }))).toEqual([true, false]);
  expect(isImportable?.({ ...symbol, path: 'internal/send.go' })).toBe(false);
  expect(
    linesWhere('//export send\nfunc send() {} ?\nfunc other() {} ?', (lines, line) =>
      isForeign?.(lines, line, () => false),
    ),
  ).toEqual([2]);
  expect(['send', 'Send'].map((name) => isPrivateMethod?.({ ...symbol, name }))).toEqual([true, false]);
});

const chosenInRust = (text: string): number[] => conditionalLines('src/lib.rs', text);

test('an item of Rust is chosen by an attribute above it or what is around it, or by a macro that it is in', () => {
  expect(chosenInRust('#[cfg(unix)]\n/// Sends.\n#[inline]\nfn send() {} ?\nfn other() {} ?')).toEqual([4]);
  expect(chosenInRust('#[cfg(test)]\nmod tests { ?')).toEqual([]);
  expect(chosenInRust('#![cfg(unix)]\n\nfn send() {} ?')).toEqual([3]);
  expect(
    chosenInRust('#[cfg(unix)]\nmod unix {\n    mod deep {\n\n        fn send() {} ?\n    }\n}\nfn other() {} ?'),
  ).toEqual([5]);
  expect(chosenInRust('cfg_if! {\n    if #[cfg(unix)] {\n        fn send() {} ?\n    }\n}')).toEqual([3]);
  expect(chosenInRust('tokio::task_local! {\n    static ONE: u8; ?\n}\nmod plain {\n    fn other() {} ?\n}')).toEqual([
    2,
  ]);
  expect(chosenInRust('#[cfg(unix)]\nmod unix {}\nmod plain {\n    fn other() {} ?\n}')).toEqual([]);
});

const modulePaths = (path: string, text: string): unknown => rulesFor(path).conditionalPaths?.(path, text);

test('a module of Rust that a condition declares is its file and folder', () => {
  expect(modulePaths('src/lib.rs', '#[cfg(unix)]\npub mod unix;\nmod plain;\n')).toEqual(['src/unix.rs', 'src/unix/']);
  expect(modulePaths('src/mail.rs', 'cfg_if! {\n    pub(crate) mod fast;\n}\n')).toEqual([
    'src/mail/fast.rs',
    'src/mail/fast/',
  ]);
  expect(modulePaths('src/mail/mod.rs', 'mod plain;\nmod inner {\n}\n')).toEqual([]);
});

test('what Rust hands to other languages is in an implementation with an attribute, or has their calling convention', () => {
  const { isForeign } = rulesFor('src/lib.rs');
  const foreign = (text: string, registered: number[]): number[] =>
    linesWhere(text, (lines, line) => isForeign?.(lines, line, (at) => registered.includes(at + 1)));

  expect(foreign('extern "C" fn send() {} ?\nfn other() {} ?', [])).toEqual([1]);
  expect(foreign('impl Mail\nwhere\n    Self: Sized,\n{\n\n    fn send() {} ?\n}', [1])).toEqual([6]);
  expect(foreign('unsafe impl Mail {\n    fn send() {} ?\n}', [])).toEqual([]);
  expect(foreign('impl Mail {\n}\nmod plain {\n    fn send() {} ?\n}', [1])).toEqual([]);
});

test('a method of Rust is of a trait inside of it, or where it is implemented', () => {
  const { isTraitMethod } = rulesFor('src/lib.rs');
  const ofTrait = (text: string): number[] => linesWhere(text, (lines, line) => isTraitMethod?.(lines, line));

  expect(ofTrait('trait Send {\n    fn send(); ?\n}\nimpl Send for Mail {\n\n    fn send() {} ?\n}')).toEqual([2, 6]);
  expect(ofTrait('impl Mail {\n    fn send() {} ?\n}\nfn trait_like() {} ?')).toEqual([]);
  expect(ofTrait(`impl Send for Mail<\n${'    T,\n'.repeat(5)}> {\n    fn send() {} ?\n}`)).toEqual([8]);
  expect(ofTrait(`impl Send for Mail<\n${'    T,\n'.repeat(7)}> {\n    fn send() {} ?\n}`)).toEqual([]);
});

test('private members are told by their names, and what looks like a property is kept in Java', () => {
  const member = { path: '', kind: 'method', isExported: false, isMember: true };
  const isPrivate = (path: string, name: string, signature = '', more = {}): boolean | undefined =>
    rulesFor(path).isPrivateMember?.({ ...member, name, signature, ...more });

  expect(['_left', 'left'].map((name) => isPrivate('a.py', name))).toEqual([true, false]);
  expect([isPrivate('a.ts', '#left'), isPrivate('a.ts', 'left'), isPrivate('a.ts', 'left', 'private left()')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(isPrivate('a.ts', '#left', '', { isExported: true })).toBe(false);
  expect([
    isPrivate('A.java', 'getSize', 'public int getSize()'),
    isPrivate('A.java', 'getSize', 'private int getSize()'),
    isPrivate('A.java', 'size', 'public int size()'),
    isPrivate('A.java', 'size', '', { isExported: true }),
  ]).toEqual([false, true, true, false]);
  expect(
    ['def', 'pub fn send()'].map((signature) => rulesFor('a.rs').isPrivateMethod?.({ ...member, name: '', signature })),
  ).toEqual([true, false]);
});

test('what a condition of Python holds is indented, and no member', () => {
  const { isConditional, isImportable } = rulesFor('a.py');
  const conditional = (text: string, isMember = false): number[] =>
    linesWhere(text, (lines, line) => isConditional?.({ path: 'a.py', lines, line, isMember }));
  const symbol = { path: 'a.py', kind: 'function', signature: '', isMember: false };

  expect(conditional('if mail:\n    def send(): pass #?\ndef other(): pass #?')).toEqual([2]);
  expect(conditional('class Mail:\n    def send(self): pass #?', true)).toEqual([]);
  expect(isImportable?.({ ...symbol, name: '_send', isExported: true })).toBe(true);
  expect(['_send', 'send'].map((name) => isImportable?.({ ...symbol, name, isExported: false }))).toEqual([
    false,
    true,
  ]);
});

const pathsDescribedBy = (path: string): unknown => definitionOf(path)?.describedPaths?.(path);

test('a declaration file of TypeScript describes the script beside it', () => {
  expect(pathsDescribedBy('src/a.d.ts')).toEqual(['src/a.js', 'src/a.jsx']);
  expect(pathsDescribedBy('src/a.d.mts')).toEqual(['src/a.mjs']);
  const { isScript, looseNames } = rulesFor('a.ts');
  expect([isScript?.('a.js', 'let one;'), isScript?.('a.js', 'import "x";'), isScript?.('a.vue', '')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([...(looseNames?.('<button onclick="send()">') ?? [])]).toEqual(['send']);
});
