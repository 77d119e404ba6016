import { expect, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { taggedComments } from './comment-tags.ts';
import type { FileInput } from './shard-input.ts';
import { lineStarts } from './line-starts.ts';

/** Tags of a text in which everything is one comment, or the given ranges are. */
function tagsOf(text: string, ranges: readonly number[] = [0, text.length], more: Partial<FileInput> = {}): string[] {
  const [file] = [...(shardInput([{ path: 'a.ts', text }]).files as Iterable<FileInput>)];
  if (file === undefined) throw new Error('The sketch has one file.');
  const input = { ...file, comments: Int32Array.from(ranges), ...more };
  return taggedComments(input, lineStarts(text)).map((comment) => `${comment.line} ${comment.tag} ${comment.text}`);
}

/** Tags of a text whose comments nobody told. */
function unread(path: string, language: string, text: string): string[] {
  return tagsOf(text, [], { path, language });
}

test.each([
  ['// TODO: retry', '1 TODO TODO: retry'],
  ['// TODO(ada): retry', '1 TODO TODO(ada): retry'],
  ['// it is slow, FIXME before release', '1 FIXME FIXME before release'],
  ['/* HACK around the parser */', '1 HACK HACK around the parser'],
  ['# XXX', '1 XXX XXX'],
  ['// todo: lower case', '1 TODO todo: lower case'],
  [' * @deprecated use send instead', '1 DEPRECATED @deprecated use send instead'],
  ['// Deprecated: use Send.', '1 DEPRECATED Deprecated: use Send.'],
  ['.. deprecated:: 1.2', '1 DEPRECATED deprecated:: 1.2'],
  ['// WHY the order matters', '1 WHY WHY the order matters'],
  ['// first; NOTE: second', '1 NOTE NOTE: second'],
])('%s is tagged', (comment, expected) => {
  expect(tagsOf(comment)).toEqual([expected]);
});

test.each([
  '// nothing to do here',
  '// this is why we note it',
  '// the todo list of a user',
  '// a mastodont has TODOS and XXXL sizes',
  '// see `TODO` and sk_XXX and XXX-XXX',
  '// Do NOTE that',
])('%s is not', (comment) => {
  expect(tagsOf(comment)).toEqual([]);
});

test('a tag that stands alone takes the next line of the comment along', () => {
  expect(tagsOf('/**\n * TODO:\n *   remove it\n */')).toEqual(['2 TODO TODO: remove it']);
});

test('only comments count where a parser reported them, each line once, long ones cut', () => {
  const text = `const TODO = 'TODO: no';\n/* a\n TODO b TODO c */ // FIXME ${'x'.repeat(300)}\n`;
  const block = text.indexOf('/*');
  const line = text.indexOf('//');
  const tags = tagsOf(text, [block, line - 1, line, text.length - 1]);

  expect(tags).toEqual(['3 TODO TODO b TODO c']);
  expect(tagsOf(text.slice(line))[0]).toHaveLength('1 FIXME '.length + 200);
});

test('texts that no parser reads are searched for tags right after the mark of a comment', () => {
  expect(unread('a.mk', 'Makefile', 'x=1 # TODO: quote\necho TODO\n')).toEqual(['1 TODO TODO: quote']);
  expect(unread('a.lua', 'Lua', '-- FIXME slow')).toEqual(['1 FIXME FIXME slow']);
  expect(unread('a.md', 'Markdown', '# TODO\n<!-- TODO write -->')).toEqual(['2 TODO TODO write']);
  expect(unread('LICENSE', '', '# NOTE')).toEqual([]);
  expect(unread('a.ts', 'TypeScript', 'const a = "// TODO";')).toEqual([]);
});
