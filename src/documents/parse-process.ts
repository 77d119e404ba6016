import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { serveProcessTasks } from '../platform/processes.ts';
import { parseDocument } from './parse-document.ts';
import type { ReadResult, ReadTask } from './read-file.ts';
import type { Section } from './sections.ts';

/** Longest title, most tags, and the longest of them. */
const TITLE_CHARACTERS = 300;
const MOST_TAGS = 50;
const TAG_CHARACTERS = 100;

/**
 * Text that fits into a message. More goes by a file, because the service is held up for as long as a message takes to be
 * read.
 */
const MESSAGE_CHARACTERS = 64_000;

/** About how much is written at a time. */
const CHUNK_CHARACTERS = 1_000_000;

serveProcessTasks(async ({ sectionsFile, ...task }: ReadTask): Promise<ReadResult> => {
  const result = await parseDocument(task);
  if (result.type === 'zip') return result;
  const { title, tags, sections } = result.document;
  return {
    type: result.type,
    title: title.slice(0, TITLE_CHARACTERS),
    tags: tags.slice(0, MOST_TAGS).map((tag) => tag.slice(0, TAG_CHARACTERS)),
    count: sections.length,
    sections: fitsMessage(sections) ? sections : writeSections(sectionsFile, sections),
  };
});

function fitsMessage(sections: readonly Section[]): boolean {
  return sections.reduce((sum, { text }) => sum + text.length, 0) <= MESSAGE_CHARACTERS;
}

/** A line each. Gives the file back. */
function writeSections(file: string, sections: readonly Section[]): string {
  mkdirSync(dirname(file), { recursive: true });
  const target = openSync(file, 'w', 0o600);
  try {
    let chunk = '';
    for (const section of sections) {
      chunk += `${JSON.stringify(section)}\n`;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      writeSync(target, chunk);
      chunk = '';
    }
    writeSync(target, chunk);
  } finally {
    closeSync(target);
  }
  return file;
}
