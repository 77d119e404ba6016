import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { SafeFolder } from './safe-folder.ts';

let root = '';
let outside = '';
beforeEach(() => {
  [root, outside] = [testFolder(), testFolder()];
  onTestFinished(() => [root, outside].forEach((folder) => rmSync(folder, { recursive: true })));
  writeFileSync(join(outside, 'victim'), 'mine');
});

/** Content outside the folder, which has to stay. */
function outsideContent(): Record<string, string> {
  return Object.fromEntries(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), 'utf8')]));
}

test.each<[string, (folder: SafeFolder) => unknown]>([
  ['read', (folder) => folder.read('file')],
  ['written', (folder) => folder.write('file', 'theirs')],
  ['removed', (folder) => folder.remove('file')],
  ['touched', (folder) => folder.touch('file', new Date(0))],
  ['entered', (folder) => folder.enter('folder')],
  ['made', (folder) => folder.make('folder')],
  ['made where it leads to nothing', (folder) => folder.make('dangling')],
  ['written where it leads to nothing', (folder) => folder.write('dangling', 'theirs')],
])('a link is not %s through', (_, act) => {
  symlinkSync(join(outside, 'victim'), join(root, 'file'));
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync(join(outside, 'none'), join(root, 'dangling'));
  using folder = SafeFolder.open(root);

  expect(() => act(folder)).toThrow('is a symbolic link');
  expect(outsideContent()).toEqual({ victim: 'mine' });
});

test.each(['..', '.', '', '../victim', 'a/b', String.raw`a\b`, '/etc', 'a\0b'])('%j is no name in a folder', (name) => {
  using folder = SafeFolder.open(root);

  expect(() => folder.write(name, 'theirs')).toThrow('is no name');
  expect(() => folder.enter(name)).toThrow('is no name');
});

test('an open folder stays the same one when a link takes its place', () => {
  mkdirSync(join(root, 'plans'));
  writeFileSync(join(root, 'plans/victim'), 'ours');
  using top = SafeFolder.open(root);
  using plans = top.enter('plans');
  const file = plans?.begin('new');
  file?.write(Buffer.from('ours'));

  renameSync(join(root, 'plans'), join(root, 'moved'));
  symlinkSync(outside, join(root, 'plans'));
  const act = (): void => {
    file?.finish();
    plans?.remove('victim');
  };

  // Where the system cannot name things below an open folder, every step is refused instead.
  expect(['', 'is a symbolic link']).toContain(refusalOf(act));
  expect(outsideContent()).toEqual({ victim: 'mine' });
});

/** Returns the reason of a refusal, without names; '' when nothing was refused. */
function refusalOf(act: () => void): string {
  try {
    act();
    return '';
  } catch (error) {
    return /is a symbolic link/.exec(String(error))?.[0] ?? String(error);
  }
}

test('a link that appears while a file is written is replaced, not followed, or refused', () => {
  using folder = SafeFolder.open(root);
  const file = folder.begin('new');
  file.write(Buffer.from('ours'));
  symlinkSync(join(outside, 'victim'), join(root, 'new'));

  expect(() => file.finish()).toThrow('is a symbolic link');
  file.discard();
  expect(outsideContent()).toEqual({ victim: 'mine' });
  expect(readdirSync(root)).toEqual(['new']);
});

test('a file is written whole, and one that is given up leaves nothing', () => {
  using folder = SafeFolder.open(root);
  folder.write('file', 'before');
  const file = folder.begin('file');
  file.write(Buffer.from('half'));

  expect(folder.read('file')?.toString()).toBe('before');
  file.discard();
  expect(readdirSync(root)).toEqual(['file']);
  folder.remove('file');
  folder.remove('file');
  expect(existsSync(join(root, 'file'))).toBe(false);
  expect(folder.read('file')).toBeUndefined();
});
