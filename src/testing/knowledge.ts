import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { onTestFinished } from 'vitest';
import { type Entry, KnowledgeIndex, type KnowledgeIndexOptions } from '../knowledge/knowledge.ts';
import type { Db } from '../platform/db.ts';
import { divideMemory, USUAL_MEMORY_BYTES } from '../platform/memory.ts';
import { isTestDatabase } from './database.ts';

/** Memory that a service gives it with the usual `SVC_MEMORY`. */
const USUAL_BYTES = divideMemory(USUAL_MEMORY_BYTES, { isEmbedded: true }).knowledge;

/** The search in what people wrote, in a folder that goes with it. However busy the machine is, it has everything. */
class TestKnowledge extends KnowledgeIndex {
  readonly folder: string;

  constructor(options: Partial<KnowledgeIndexOptions> & { db: Db }) {
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'svc-knowledge-'));
    super({ memoryBytes: USUAL_BYTES, patienceMs: 60_000, onFault: throwFault, ...options, folder });
    this.folder = folder;
  }

  /** Another search may still want the folder: it goes with the last one that is closed. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function throwFault(error: unknown): never {
  throw error;
}

/** The search in the database that all test files share: its threads take longer to start than most tests. It ends with this process. */
let ofTestDatabase: TestKnowledge | undefined;

function openForAll(db: Db): TestKnowledge {
  const index = new TestKnowledge({ db });
  index.close = () => Promise.resolve();
  process.once('exit', () => index.remove());
  return index;
}

/** A search for a bench that closes it. */
export function testKnowledge(db: Db): KnowledgeIndex {
  if (isTestDatabase(db)) return (ofTestDatabase ??= openForAll(db));
  const index = new TestKnowledge({ db });
  const close = index.close.bind(index);
  index.close = async () => {
    await close();
    index.remove();
  };
  return index;
}

/** A search that is closed with the test, in a folder of its own or that of another one. */
export function openIndex({ db }: { db: Db }, options: Partial<KnowledgeIndexOptions> = {}): TestKnowledge {
  const index = new TestKnowledge({ ...options, db });
  onTestFinished(async () => {
    await index.close();
    index.remove();
  });
  return index;
}

/** An entry with the given text. */
export function knowledgeEntry(text: string, more: Partial<Entry> = {}): Entry {
  const plain = { part: '', kind: 'upload', title: '', section: '', tags: [], customer: '', segment: '', source: '' };
  return { ...plain, text, date: undefined, ...more };
}

/** Counts the changes that statements of the database bring. */
export function countingDb(db: Db): { db: Db; changes: number[] } {
  const changes: number[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.some((row) => 'isAll' in row)) changes.push(result.rows.filter((row) => row['corpus']).length);
      return result;
    },
  };
  return { db: db.withPlugin(plugin), changes };
}
