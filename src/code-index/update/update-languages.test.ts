import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestRepository, testFolder, testRepository } from '../../testing/git.ts';
import { shardDifferences } from '../../testing/shard-content.ts';
import { writeValues } from '../../testing/shard-values.ts';
import { type CodeIndexTask, indexCode } from '../code-index.ts';
import { updateCode } from './update.ts';

/**
 * Small programs, one a language, and edits of them. A file holds the texts of the program, then its edits: the first is of
 * comments and a body, the others of what other files see.
 */
const FIXTURES = join(import.meta.dirname, '../../../fixtures/updates');

/** Unrelated files of each language: so many that it is never most of them that are affected. */
const FILLERS: Record<string, (n: number) => readonly [path: string, text: string]> = {
  java: (n) => [`src/Filler${n}.java`, `package filler;\nclass Filler${n} { int value${n}() { return ${n}; } }\n`],
  kotlin: (n) => [`src/Filler${n}.kt`, `package filler\nfun fillerOf${n}() = ${n}\n`],
  csharp: (n) => [
    `Filler/Filler${n}.cs`,
    `namespace Filler { class Filler${n} { int Value${n}() { return ${n}; } } }\n`,
  ],
  scala: (n) => [`src/Filler${n}.scala`, `package filler\nobject Filler${n} { def value${n} = ${n} }\n`],
  php: (n) => [`filler/filler${n}.php`, `<?php\nnamespace Filler;\nfunction filler${n}() { return ${n}; }\n`],
  ruby: (n) => [`filler/filler${n}.rb`, `def filler${n}\n  ${n}\nend\n`],
  rust: (n) => [`src/filler${n}.rs`, `pub fn filler${n}() -> i32 { ${n} }\n`],
  swift: (n) => [`Sources/Filler/Filler${n}.swift`, `func filler${n}() -> Int { return ${n} }\n`],
  c: (n) => [`filler/filler${n}.c`, `int filler${n}(void) { return ${n}; }\n`],
  bash: (n) => [`filler/filler${n}.sh`, `filler${n}() {\n  echo ${n}\n}\n`],
};

/** The texts of a step by path; undefined for a file that is deleted. */
type Texts = Map<string, string | undefined>;

let folder = '';
let repository: TestRepository;
/** By step: the texts of all programs after it. */
const steps: Texts[] = [];
let languages = 0;
const run = { signal: new AbortController().signal, onProgress: (): void => undefined };

beforeAll(async () => {
  folder = testFolder();
  repository = testRepository();
  for (const file of readdirSync(FIXTURES)) {
    readProgram(file.replace('.txt', ''), readFileSync(join(FIXTURES, file), 'utf8'));
    languages += 1;
  }
  await indexCode(task(repository.commit({ files: Object.fromEntries(steps[0] ?? []) }), 'base'), run);
  writeValues(join(folder, 'base'));
});
afterAll(() => {
  repository.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds the texts of a program to the steps. A file after the first edit is a new one; `and` is another edit of the same commit. */
function readProgram(name: string, program: string): void {
  const texts: Texts = new Map();
  let step = 0;
  for (let n = 0; n < 10; n += 1) {
    const [path, text] = FILLERS[name]?.(n) ?? [];
    if (path !== undefined) put(0, `${name}/${path}`, text);
  }
  for (const section of program.split(/^== /m).slice(1)) {
    const [, kind = '', file = '', body = ''] = /^(\w+) (.*)\n([\s\S]*)$/.exec(section) ?? [];
    const path = `${name}/${file}`;
    if (kind === 'edit' || (step > 0 && kind !== 'and')) step += 1;
    const text = kind === 'delete' ? undefined : kind === 'file' ? body : editText(texts.get(path) ?? '', body);
    if (text === texts.get(path)) throw new Error(`an edit of ${path} changes nothing`);
    texts.set(path, text);
    put(step, path, text);
  }
}

function put(step: number, path: string, text: string | undefined): void {
  (steps[step] ??= new Map()).set(path, text);
}

/** A text in which the lines with `-` are those with `+`. */
function editText(text: string, body: string): string {
  const marked = (sign: string): string =>
    body
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return text.replace(marked('-'), () => marked('+'));
}

function task(commit: string, shard: string): CodeIndexTask {
  return {
    gitDir: repository.git('rev-parse', '--absolute-git-dir'),
    commit,
    repository: 'one',
    factsCache: join(folder, 'facts'),
    targetFile: join(folder, shard),
    processes: 1,
  };
}

/** Commits one edit of each program, updates the shard, and compares it with one that is made anew. */
async function takeStep(step: number): Promise<{ files: number; resolved: number }> {
  const commit = repository.commit({ files: Object.fromEntries(steps[step] ?? []) });
  const updated = await updateCode({ ...task(commit, 'updated'), previousFile: join(folder, 'base') }, run);
  if (!('files' in updated)) throw new Error(`not updated: ${updated.anew}`);
  writeValues(join(folder, 'updated'), join(folder, 'base'));
  await indexCode(task(commit, 'whole'), run);
  writeValues(join(folder, 'whole'));
  expect(shardDifferences(join(folder, 'updated'), join(folder, 'whole'))).toEqual([]);
  renameSync(join(folder, 'updated'), join(folder, 'base'));
  return updated;
}

test('in every language the shard is the same, however little memory the facts may take', async () => {
  const commit = repository.git('rev-parse', 'HEAD');

  await indexCode({ ...task(commit, 'narrow'), memoryBytes: 0 }, run);
  writeValues(join(folder, 'narrow'));

  expect(shardDifferences(join(folder, 'narrow'), join(folder, 'base'))).toEqual([]);
});

test('in every language a comment and a body touch no other file', async () => {
  const { resolved } = await takeStep(1);

  expect(languages).toBe(13);
  expect(resolved).toBe(languages);
});

test.for([2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'in every language an update is the shard that is made anew after edit %i',
  async (step) => {
    const { files, resolved } = await takeStep(step);

    expect(resolved).toBeLessThan(files / 2);
  },
);
