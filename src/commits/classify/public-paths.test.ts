import { expect, test } from 'vitest';
import { isPublicPath } from './breaking.ts';

const OFFERED = new Set(['src/index.ts', 'src/unstable-core/a.ts', 'mail/__init__.py', 'crates/mail/src/lib.rs']);

test.each([
  ['src/index.ts', true],
  ['src/other.ts', false],
  ['src/unstable-core/a.ts', false],
  ['mail/send.py', true],
  ['mail/_send.py', false],
  ['mail/testsuite/a.py', false],
  ['scripts/send.py', false],
  ['tools.py', false],
  ['crates/mail/src/send.rs', true],
  ['crates/program/src/main.rs', false],
  ['modules/mail/send.go', true],
  ['latest/send.go', true],
  ['internal/send.go', false],
  ['mailtest/send.go', false],
  ['include/mail/send.h', true],
  ['src/send.c', false],
  ['docs/send.md', false],
])('%s is public: %s', (path, expected) => {
  expect(isPublicPath(path, OFFERED)).toBe(expected);
});
