const MIB = 1024 * 1024;

/** Least memory with which a service can work, and what it gets when nothing is set. */
export const LEAST_MEMORY_BYTES = 768 * MIB;
export const USUAL_MEMORY_BYTES = 1024 * MIB;

/** Share of the heap of the main thread; `bin/svc.mjs`, which starts the process with it, has the same number. */
export const MAIN_HEAP_SHARE = 0.2;

/** Memory that the program always takes: the code of all threads, stacks, and what the allocator holds back. */
const PROGRAM_BYTES = 128 * MIB;
/** The embedded database: its engine, its buffers and its largest queries. */
const DATABASE_BYTES = 128 * MIB;

/** Shares, in percent, of what remains after the program, the database and the heap of the main thread. */
const PERCENT = { readers: 45, pageCache: 6, graphEdges: 14, knowledge: 20, texts: 15 } as const;

/** A thread that has answered questions of all kinds about a small repository holds 40 MB: its code and the word vectors. */
const LEAST_READER_HEAP_BYTES = 96 * MIB;
/** A single thread would let a slow query hold up all others. */
const FEWEST_READERS = 2;
/** Readers in the background, beside the others. */
const BACKGROUND_READERS = 1;

/** Share of the heap of a thread that its caches may take; the remainder is for what answers need while they are made. */
const CACHE_SHARE = 0.65;
/** The main thread has many callers at a time. */
const MAIN_CACHE_SHARE = 0.2;

/** Memory of the serving process with its threads, in bytes: the limits of its parts, which add up to `total`. */
export interface MemoryShares {
  total: number;
  program: number;
  /** 0 when the database is a server. */
  database: number;
  mainHeap: number;
  /** Heaps of all threads that answer from index shards. */
  readers: number;
  /** Page caches of all open index shards. */
  pageCache: number;
  /** Edges of graphs, which threads share. */
  graphEdges: number;
  /** The search in what people write: heap, and caches beside it. */
  knowledge: number;
  /** Heaps of the threads that read plans and decisions. */
  texts: number;
}

/**
 * Divides the one setting `SVC_MEMORY` among the parts of the serving process. Every limit of a thread, a heap or a cache
 * in it is derived from one of these shares. Processes that index or read files of others have limits of their own.
 */
export function divideMemory(total: number, { isEmbedded }: { isEmbedded: boolean }): MemoryShares {
  const database = isEmbedded ? DATABASE_BYTES : 0;
  const mainHeap = Math.floor(total * MAIN_HEAP_SHARE);
  const remaining = total - PROGRAM_BYTES - database - mainHeap;
  const share = (percent: number): number => Math.floor((remaining * percent) / 100);
  return {
    total,
    program: PROGRAM_BYTES,
    database,
    mainHeap,
    readers: share(PERCENT.readers),
    pageCache: share(PERCENT.pageCache),
    graphEdges: share(PERCENT.graphEdges),
    knowledge: share(PERCENT.knowledge),
    texts: share(PERCENT.texts),
  };
}

/** Threads that answer from index shards, and the heap of each, that of the one in the background included. */
interface ReaderMemory {
  threads: number;
  heapBytes: number;
}

/** As many readers as the share carries, at most `most`. */
export function divideReaders({ readers }: Pick<MemoryShares, 'readers'>, most: number): ReaderMemory {
  const carried = Math.floor(readers / LEAST_READER_HEAP_BYTES) - BACKGROUND_READERS;
  const threads = Math.max(FEWEST_READERS, Math.min(most, carried));
  return { threads, heapBytes: Math.floor(readers / (threads + BACKGROUND_READERS)) };
}

/** Memory of an indexing process for what grows with the text of a repository, in bytes. */
export interface IndexMemory {
  /** Facts of files; those beyond are read again from their cache. */
  facts: number;
  /** Texts from reading to writing, one byte a character; those beyond are read again. */
  texts: number;
  /** Words of texts until their file is written. */
  words: number;
  /** Heap and buffers above which garbage is collected before the engine would. */
  heap: number;
}

/** Shares of an indexing process in the setting, in percent. The program, postings and references come on top. */
const INDEX_PERCENT = { facts: 40, texts: 6, words: 8, heap: 60 } as const;

/** Divides the setting for a process that indexes: see `IndexMemory`. */
export function divideIndexMemory(total: number): IndexMemory {
  const share = (percent: number): number => Math.floor((total * percent) / 100);
  return {
    facts: share(INDEX_PERCENT.facts),
    texts: share(INDEX_PERCENT.texts),
    words: share(INDEX_PERCENT.words),
    heap: share(INDEX_PERCENT.heap),
  };
}

/** Returns how much of its heap the caches in a thread may take. */
export function cacheBytesOf(heapBytes: number): number {
  return Math.floor(heapBytes * CACHE_SHARE);
}

/** Returns how much the caches in the main thread may take together. */
export function mainCacheBytes({ mainHeap }: Pick<MemoryShares, 'mainHeap'>): number {
  return Math.floor(mainHeap * MAIN_CACHE_SHARE);
}

/** A size in bytes of `1GB`, `1.5 GB`, `900MB` or a number of bytes; undefined for anything else. */
export function readBytes(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?(KB|MB|GB|TB)?$/i.exec(text.trim()) ?? [];
  if (amount === undefined) return undefined;
  const power = ['', 'KB', 'MB', 'GB', 'TB'].indexOf(unit.toUpperCase());
  return Math.floor(Number(amount) * 1024 ** power);
}
