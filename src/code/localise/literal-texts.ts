import { countChunks, trigramsOf } from '../../code-index/format/trigrams.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type ChunkRow, testFlags, TextReader } from '../files/store-files.ts';

/** A text in more files than this decides nothing. */
const MOST_FILES = 6;
/** Chunks that are read for one text; one that may stand in more is no message of a program. */
const MOST_CHUNKS = 60;

/** Location of a text letter by letter: the first line in each of few files. */
export interface LiteralLocation {
  text: string;
  file: number;
  /** 1-based. */
  line: number;
  /** 1 for a text that stands in one file, less where others have it too. */
  worth: number;
}

/** The places of texts that stand in at most six files outside of tests. About 1 ms a text. */
export function literalPlaces(db: ShardDatabase, texts: readonly string[]): LiteralLocation[] {
  const reader = new TextReader(db);
  const select = db.prepare('select file, line, block, start, size_bytes as sizeBytes from chunk where id = ?');
  const isTest = testFlags(db);
  return texts.flatMap((text) => {
    const chunks = chunksWith(db, text);
    if (chunks.length > MOST_CHUNKS) return [];
    const lines = new Map<number, number>();
    for (const chunk of chunks) {
      const row = select.get(chunk) as unknown as ChunkRow;
      if (isTest[row.file] === 1 || lines.has(row.file)) continue;
      const content = reader.text(row);
      const at = content.indexOf(text);
      if (at !== -1) lines.set(row.file, row.line + content.slice(0, at).split('\n').length - 1);
    }
    if (lines.size > MOST_FILES) return [];
    return Array.from(lines, ([file, line]) => ({ text, file, line, worth: 1 / lines.size }));
  });
}

/** The chunks that have all trigrams of a text. */
function chunksWith(db: ShardDatabase, text: string): number[] {
  const trigrams = trigramsOf(text);
  if (trigrams.size === 0) return [];
  const { chunks } = db.prepare('select count(*) as chunks from chunk').get() as { chunks: number };
  const counts = new Uint16Array(chunks);
  const select = db.prepare('select postings from gram where pair = ?');
  for (const trigram of trigrams) {
    const row = select.get(trigram >> 7) as { postings: Uint8Array } | undefined;
    if (row === undefined) return [];
    countChunks(row.postings, trigram, counts);
  }
  const chunkIds: number[] = [];
  for (let chunk = 0; chunk < chunks; chunk += 1) if (counts[chunk] === trigrams.size) chunkIds.push(chunk);
  return chunkIds;
}
