import { expect, test } from 'vitest';
import { findOlderCopies } from './older-copies.ts';

/** Files by their path: `content:size`, where the content stands for the blob. */
function copiesIn(tree: Record<string, string>): Record<string, string> {
  const files = Object.entries(tree).map(([path, text]) => {
    const [blob = '', size = '1000'] = text.split(':');
    return { path, blob, sizeBytes: Number(size) };
  });
  return Object.fromEntries(findOlderCopies(files, (path) => /vendor|third_party/.test(path)));
}

test('a page is an older copy where a folder beside it with a higher number has it too', () => {
  expect(
    copiesIn({
      'docs/v2/intro.md': 'a',
      'docs/v2/setup.md': 'b2:1040',
      'docs/v10/intro.md': 'a',
      'docs/v10/setup.md': 'b10:1080',
      'docs/v2/removed.md': 'c',
      'docs/v10/run.ts': 'd',
      'docs/v2/run.ts': 'd',
    }),
  ).toEqual({ 'docs/v2/intro.md': 'docs/v10/intro.md', 'docs/v2/setup.md': 'docs/v10/setup.md' });
});

test('the folder that versions are copied from is newer than all of them, wherever it is', () => {
  expect(
    copiesIn({
      'docs/intro.md': 'x:1000',
      'docs/guide/setup.md': 's',
      'website/versioned_docs/version-1.0/intro.md': 'y:1020',
      'website/versioned_docs/version-1.0/guide/setup.md': 's',
      'website/versioned_docs/version-2.0-beta/intro.md': 'z:1010',
      'website/versioned_docs/version-2.0-beta/guide/setup.md': 's',
    }),
  ).toEqual({
    'website/versioned_docs/version-1.0/intro.md': 'docs/intro.md',
    'website/versioned_docs/version-1.0/guide/setup.md': 'docs/guide/setup.md',
    'website/versioned_docs/version-2.0-beta/intro.md': 'docs/intro.md',
    'website/versioned_docs/version-2.0-beta/guide/setup.md': 'docs/guide/setup.md',
  });
});

test('numbered folders of their own, and versions of an interface in code, are no copies', () => {
  expect(
    copiesIn({
      'course/week-1/README.md': 'a:900',
      'course/week-1/homework.md': 'b:400',
      'course/week-2/README.md': 'c:2100',
      'course/week-2/homework.md': 'd:700',
      'rfcs/0001-keys/README.md': 'e',
      'rfcs/0002-roles/README.md': 'f',
      'api/v1/handler.go': 'g',
      'api/v2/handler.go': 'g',
    }),
  ).toEqual({});
});

test('vendored code counts once: the newest version, and the same file nearest to the root', () => {
  expect(
    copiesIn({
      'third_party/zlib-1.2/inflate.c': 'a:5000',
      'third_party/zlib-1.2/deflate.c': 'b',
      'third_party/zlib-1.3/inflate.c': 'c:5100',
      'third_party/zlib-1.3/deflate.c': 'b',
      'tools/vendor/jq/jq.c': 'q',
      'vendor/jq.c': 'q',
    }),
  ).toEqual({
    'third_party/zlib-1.2/inflate.c': 'third_party/zlib-1.3/inflate.c',
    'third_party/zlib-1.2/deflate.c': 'third_party/zlib-1.3/deflate.c',
    'tools/vendor/jq/jq.c': 'vendor/jq.c',
  });
});
