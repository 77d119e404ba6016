import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import { TreeReader, type GrammarTables, readGrammar } from './tree-reader.ts';
import type { FileFacts, Language as SourceLanguage } from '../facts/facts.ts';
import type { SyntaxTree } from './tree.ts';
import { startWasm } from '../../platform/wasm-tiers.ts';

/** Languages whose files are read with tree-sitter. */
export type TreeLanguage = Exclude<SourceLanguage, 'typescript' | 'tsx' | 'javascript' | 'sql' | 'markdown'>;

/** Longest time that a file may take to be parsed: 5 MB in one line take about 4 s. */
const PARSE_DEADLINE_MS = 10_000;
/**
 * Most memory that one parse may add to the runtime: an ambiguous text makes a parser follow very many readings at a time. A
 * file of 1 MB takes less than half of it.
 */
const PARSE_BYTES = 800_000_000;
/**
 * UTF-16 units that the runtime is given at a time. It copies them one by one whenever it looks outside of the last ones, and a
 * grammar that asks for columns, as that of Scala, begins each such question at the start of the line: of whole strings it
 * would copy 5,120 each time.
 */
const [LEAST_CHUNK_UNITS, MOST_CHUNK_UNITS] = [64, 512];

/** The same place from `src/` and from `dist/`. */
const GRAMMARS = new URL('../../../grammars/', import.meta.url);

/** Options as web-tree-sitter fills them: a view of its memory, replaced whenever the memory grows. */
interface Runtime {
  HEAPU8?: Uint8Array<ArrayBuffer>;
  /** Asked by web-tree-sitter to make its runtime; `use` takes it. */
  instantiateWasm: (imports: object, use: (instance: object, module: object) => void) => void;
}

/**
 * web-tree-sitter keeps one runtime in a process and ignores the options of every start but the first. So the options of
 * the first are kept where each copy of this module finds them (test runners load modules more than once).
 */
const RUNTIME = Symbol.for('web-tree-sitter 0.27.1 runtime');

async function startRuntime(): Promise<Runtime> {
  const bytes = await readFile(fileURLToPath(import.meta.resolve('web-tree-sitter/web-tree-sitter.wasm')));
  const runtime: Runtime = {
    instantiateWasm: (imports, use) => {
      const { instance, module } = startWasm(bytes, imports);
      use(instance, module);
    },
  };
  await Parser.init(runtime);
  if (runtime.HEAPU8 === undefined)
    throw new Error('web-tree-sitter was started by other code: its memory cannot be read');
  return runtime;
}

/** A parse was given up because it took longer than its deadline, or more memory than it may have. */
export class ParseLimitError extends Error {
  override readonly name = 'ParseLimitError';
}

/** Limits of a parse: time on the processor, and growth of the memory of the runtime. */
interface ParseLimits {
  deadlineMs?: number;
  mostBytes?: number;
}

/** Gives the tree of a text, valid until the next one. */
export interface TreeParser extends Pick<ParserHost, 'parse'> {
  /** It leaves out what the grammar does not understand, at some cost: ask it once. */
  leavesOut?: true;
}

/** A language that is read with tree-sitter. */
export interface TreeExtractor {
  kinds: Readonly<Record<string, number>>;
  extract: (host: TreeParser, text: string) => FileFacts;
  /**
   * Writes constructs that the grammar does not know as others that it knows, in as many characters. Asked only of texts
   * with errors; names are read from the text as it was.
   */
  rewrite?: (text: string) => string;
  /** Its texts have macros that no grammar knows, so errors are everywhere and mean little. */
  hasPreprocessor?: boolean;
}

interface Grammar {
  language: Language;
  tables: GrammarTables;
}

/**
 * The tree-sitter runtime of a process with its grammars. One parse at a time; a tree that `parse` gives is valid until
 * the next `parse`.
 */
export class ParserHost {
  readonly #runtime: Runtime;
  readonly #parser: Parser;
  readonly #reader = new TreeReader();
  readonly #grammars = new Map<TreeLanguage, Grammar>();

  private constructor(runtime: Runtime, parser: Parser) {
    this.#runtime = runtime;
    this.#parser = parser;
  }

  /** Starts the runtime when it is the first of the process (about 20 ms). */
  static async open(): Promise<ParserHost> {
    // The compiler knows nothing of a property that only this function sets.
    const shared = globalThis as { [RUNTIME]?: Promise<Runtime> };
    shared[RUNTIME] ??= startRuntime();
    return new ParserHost(await shared[RUNTIME], new Parser());
  }

  /**
   * Loads a grammar before its first parse; again it does nothing.
   *
   * `kinds` numbers the node types that the language's walker names; `"x"` is the token x.
   *
   * @throws Error when the grammar file is missing, or lacks one of the node types.
   */
  async load(name: TreeLanguage, kinds: Readonly<Record<string, number>>): Promise<void> {
    if (this.#grammars.has(name)) return;
    const file = fileURLToPath(new URL(`${name}.wasm`, GRAMMARS));
    if (!existsSync(file)) {
      throw new Error(`the grammar ${file} is missing: reinstall the package, or run node scripts/grammars.ts`);
    }
    const language = await Language.load(file);
    // The handle of the grammar in memory is the one thing that the types of web-tree-sitter do not show.
    const address = (language as unknown as { 0: number })[0];
    const tables = readGrammar(
      this.#memory(),
      { types: language.types, fields: language.fields, isNamed: (id) => language.nodeTypeIsNamed(id), address },
      kinds,
    );
    this.#grammars.set(name, { language, tables });
  }

  /**
   * Parses one text. Errors in it never throw: they are counted in the tree.
   *
   * @throws ParseLimitError after `deadlineMs` of processor time, so that a busy machine reads the same files, or when the
   * memory has grown by more than `mostBytes`. The message says which, as what a file does: `takes too long to parse`.
   * @throws Error when the grammar was not loaded.
   */
  parse(
    name: TreeLanguage,
    text: string,
    { deadlineMs = PARSE_DEADLINE_MS, mostBytes = PARSE_BYTES }: ParseLimits = {},
  ): SyntaxTree {
    const grammar = this.#grammars.get(name);
    if (grammar === undefined) throw new Error(`the ${name} grammar is not loaded`);
    const until = processorTimeMs() + deadlineMs;
    this.#parser.setLanguage(grammar.language);
    const most = this.#memory().byteLength + mostBytes;
    const isTooLarge = (): boolean => this.#memory().byteLength > most;
    const parsed = this.#parser.parse(chunksOf(text), null, {
      progressCallback: () => isTooLarge() || processorTimeMs() > until,
    });
    if (parsed === null) {
      this.#parser.reset();
      throw new ParseLimitError(isTooLarge() ? 'takes too much memory to parse' : 'takes too long to parse');
    }
    try {
      return this.#reader.read(this.#memory(), parsed.rootNode.id, grammar.tables, text);
    } finally {
      parsed.delete();
    }
  }

  #memory(): ArrayBuffer {
    return this.#runtime.HEAPU8?.buffer ?? new ArrayBuffer(0);
  }

  close(): void {
    this.#parser.delete();
  }
}

/**
 * Gives a parser the text from an offset: twice as much each time it goes on, little after a leap. Never ends between the
 * halves of a character.
 */
function chunksOf(text: string): (offset: number) => string {
  let [units, next] = [MOST_CHUNK_UNITS, 0];
  return (offset) => {
    units = offset === next ? Math.min(2 * units, MOST_CHUNK_UNITS) : LEAST_CHUNK_UNITS;
    const end = offset + units;
    next = isLeadingHalf(text.charCodeAt(end - 1)) ? end - 1 : end;
    return text.slice(offset, next);
  };
}

const isLeadingHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** Returns the processor time that this thread has used so far. */
function processorTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
