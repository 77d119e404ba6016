import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS, type OperationParts } from './operations.ts';
import { readSources } from './testing/sources.ts';

const ROOT = dirname(import.meta.dirname);
/** Files that read answers of operations. Elsewhere notes are written, or are those of a plan or a slide. */
const READERS =
  /^(?:web|src\/(?:answers|artifacts|cli|evidence|http|mcp|worker|overview|trackers))\/(?!.*\.test\.)|^src\/[\w-]+\/[\w-]*routes\.ts$/;

/** A note that is compared, searched or matched: `notes.includes('…')`, `/…/.test(note)`, `note === '…'`. */
const READING_NOTES = new RegExp(
  [
    String.raw`\bnotes?\b[?!]?(?:\[\w+\])?\??\.(?:match|matchAll|includes|startsWith|endsWith|search|indexOf|split|find|findIndex|filter|some|every)\(`,
    String.raw`\.(?:test|exec)\(\s*(?:[\w?]+\.)*(?:String\()?notes?\b`,
    String.raw`\bnotes?\s*[!=]==?\s*['"\x60]`,
    String.raw`\bString\(notes?\)\.\w+\(`,
  ].join('|'),
  'g',
);

function findNoteReaders(sources: readonly { file: string; text: string }[]): string[] {
  return sources
    .filter(({ file }) => READERS.test(file))
    .flatMap(({ file, text }) => Array.from(text.matchAll(READING_NOTES), ([code]) => `${file}: ${code}`));
}

test('no code reads the notes of an answer: they are for people, and programs have fields', () => {
  expect(findNoteReaders([...readSources(ROOT, 'src'), ...readSources(ROOT, 'web')])).toEqual([]);
  for (const text of [
    "notes.filter((note) => !note.includes('graph.json'))",
    'if (/older/.test(first.notes[0])) go();',
    "note === 'nothing found'",
    "String(note).startsWith('cut')",
  ])
    expect(findNoteReaders([{ file: 'web/graph/queries.ts', text }])).not.toEqual([]);
});

test('no output that other code reads has notes', () => {
  const outputs = OPERATIONS.map((build) => build({} as OperationParts)).flatMap(({ output = {} }) =>
    Object.values(output),
  );

  expect(outputs.length).toBeGreaterThan(25);
  for (const output of outputs) expect(Object.keys((output as { shape?: object }).shape ?? {})).not.toContain('notes');
});
