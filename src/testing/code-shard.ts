import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf } from '../languages/languages.ts';
import type { FileContent } from '../languages/facts/file-content.ts';
import type { Grade, SymbolKind, Use } from '../code-index/format/rows.ts';
import {
  GRADE_CODES,
  NAME_GRADES,
  USE_CODES,
  type FileInput,
  type ShardInput,
} from '../code-index/format/shard-input.ts';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { writeCodeShard } from '../code-index/shard/shard-writer.ts';
import { openShard, type ShardDatabase } from '../indexes/shards/shards.ts';

/** A file as tests write it: columns are found by looking for the name on the line. */
export interface FileSketch {
  path: string;
  text: string;
  test?: boolean;
  generated?: boolean;
  language?: string;
  failed?: string;
  content?: FileContent;
  symbols?: SymbolSketch[];
  /** `target` is `Class/method@path`, or absent for a use that nothing resolved. */
  uses?: {
    line: number;
    name: string;
    use: Use;
    target?: string;
    grade?: Grade;
    enclosing?: string;
    /** Nothing but the text shows it. */
    isUnread?: true;
  }[];
  imports?: string[];
}

export interface SymbolSketch {
  qualified: string;
  /** The part after the last slash of `qualified` when absent. */
  name?: string;
  kind: SymbolKind;
  line: number;
  end?: number;
  doc?: string;
  /** Its line when absent. */
  signature?: string;
  /** Of an overload: what it takes. */
  parameters?: string;
  supers?: string[];
  /** True for a method that is written outside of its type. */
  isApart?: true;
}

/** The input of a shard for these files and families, both given by `Class/method@path`. */
export function shardInput(sketches: readonly FileSketch[], families: string[][] = []): ShardInput {
  const sorted = sketches.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const handles = sorted.flatMap(({ path, symbols = [] }) =>
    symbols.map(({ qualified, parameters = '' }) => `${qualified}${parameters}@${path}`),
  );
  const idOf = (handle: string): number => {
    const id = handles.indexOf(handle);
    if (id === -1) throw new Error(`The sketch has no symbol ${handle}.`);
    return id;
  };
  const paths = sorted.map(({ path }) => path);
  return {
    files: sorted.map((sketch) => fileInput(sketch, { idOf, paths })),
    families: families.map((group) => group.map(idOf)),
  };
}

/** Builds a shard of these files, gives it opened to `work`, and removes it. */
export async function withShard<T>(
  input: ShardInput,
  work: (db: ShardDatabase, file: string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'code-shard-'));
  const file = join(folder, 'shard');
  try {
    await writeCodeShard(file, { repository: 'shop', commit: 'abc' }, input);
    const db = openShard(file, CODE_FORMAT);
    try {
      return await work(db, file);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fileInput(sketch: FileSketch, all: { idOf: (handle: string) => number; paths: string[] }): FileInput {
  const { path, text, language = 'TypeScript', symbols = [], uses = [] } = sketch;
  const lines = text.split('\n');
  const columnOf = (line: number, name: string): number => (lines[line - 1] ?? '').indexOf(name);
  const enclosingOf = (name: string | undefined): number => (name === undefined ? -1 : all.idOf(`${name}@${path}`));
  const resolved = uses.flatMap(({ target, ...use }) => (target === undefined ? [] : [{ ...use, target }]));
  const named = uses.filter(({ target }) => target === undefined);
  const columns = (list: typeof named): Omit<FileInput['nameOnly'], 'name'> => ({
    grade: Uint8Array.from(list, ({ isUnread }) => (isUnread === true ? NAME_GRADES.text : NAME_GRADES.name)),
    line: Int32Array.from(list, ({ line }) => line),
    column: Int32Array.from(list, ({ line, name }) => columnOf(line, name)),
    use: Uint8Array.from(list, ({ use }) => USE_CODES.indexOf(use)),
    enclosing: Int32Array.from(list, ({ enclosing }) => enclosingOf(enclosing)),
  });
  return {
    path,
    text,
    language,
    blob: 'b'.repeat(40),
    sizeBytes: Buffer.byteLength(text),
    lines: lines.length - (text.endsWith('\n') ? 1 : 0),
    test: sketch.test ?? false,
    generated: sketch.generated ?? false,
    content: sketch.content ?? contentOf(language, undefined),
    parsed: sketch.failed === undefined ? 'full' : 'failed',
    ...(sketch.failed !== undefined && { reason: sketch.failed }),
    symbols: symbols.map(({ qualified, kind, line, end = line, doc = '', supers = [], ...own }) => {
      const name = own.name ?? qualified.slice(qualified.lastIndexOf('/') + 1);
      const scope = qualified.slice(0, Math.max(0, qualified.length - name.length - 1));
      return {
        name,
        qualified,
        ...(own.parameters !== undefined && { parameters: own.parameters }),
        kind,
        line,
        end,
        column: columnOf(line, name),
        signature: own.signature ?? lines[line - 1]?.trim() ?? '',
        doc,
        exported: lines[line - 1]?.includes('export') === true,
        parent: own.isApart === true ? -1 : symbols.findIndex((symbol) => symbol.qualified === scope),
        supers: supers.map(all.idOf),
      };
    }),
    comments: commentsOf(text),
    occurrences: {
      ...columns(resolved),
      grade: Uint8Array.from(resolved, ({ grade = 'resolved' }) =>
        GRADE_CODES.indexOf(grade === 'exact' ? 'exact' : 'resolved'),
      ),
      target: Int32Array.from(resolved, ({ target }) => all.idOf(target)),
    },
    nameOnly: { ...columns(named), name: named.map(({ name }) => name) },
    imports: Int32Array.from(sketch.imports ?? [], (imported) => all.paths.indexOf(imported)),
  };
}

function commentsOf(text: string): Int32Array {
  return Int32Array.from(
    [...text.matchAll(/\/\/.*/g)].flatMap((match) => [match.index, match.index + match[0].length]),
  );
}

/** A small shop that sends mail: an override family, a test, an unresolved call and a file that failed. */
export function shop(): ShardInput {
  return shardInput(SHOP, [['Mailer/send@src/mail/client.ts', 'SmtpMailer/send@src/mail/client.ts']]);
}

const SHOP: readonly FileSketch[] = [
  {
    path: 'src/mail/client.ts',
    text: [
      'export class Mailer {',
      '  send(to: string): void {}',
      '}',
      'export class SmtpMailer extends Mailer {',
      '  send(to: string): void {',
      '    // retry when the server is busy',
      '    deliver(to);',
      '  }',
      '}',
      'export function sendMail(to: string): void {',
      '  new SmtpMailer().send(to);',
      '}',
      '',
    ].join('\n'),
    symbols: [
      { qualified: 'Mailer', kind: 'class', line: 1, end: 3 },
      { qualified: 'Mailer/send', kind: 'method', line: 2 },
      { qualified: 'SmtpMailer', kind: 'class', line: 4, end: 9, supers: ['Mailer@src/mail/client.ts'] },
      { qualified: 'SmtpMailer/send', kind: 'method', line: 5, end: 8 },
      {
        qualified: 'sendMail',
        kind: 'function',
        line: 10,
        end: 12,
        doc: 'Delivers one message to a customer. Throws when the address is wrong.',
      },
    ],
    uses: [
      { line: 4, name: 'Mailer {', use: 'type', target: 'Mailer@src/mail/client.ts', enclosing: 'SmtpMailer' },
      { line: 11, name: 'SmtpMailer', use: 'call', target: 'SmtpMailer@src/mail/client.ts', enclosing: 'sendMail' },
      { line: 11, name: 'send(', use: 'call', target: 'SmtpMailer/send@src/mail/client.ts', enclosing: 'sendMail' },
    ],
  },
  {
    path: 'src/orders/notify.ts',
    text: [
      "import { sendMail } from '../mail/client.ts';",
      'export function notifyOrder(order: Order, mailer: Mailer): void {',
      '  sendMail(order.email);',
      '  mailer.send(order.email);',
      '  order.send();',
      '}',
    ].join('\n'),
    symbols: [{ qualified: 'notifyOrder', kind: 'function', line: 2, end: 6 }],
    imports: ['src/mail/client.ts'],
    uses: [
      { line: 1, name: 'sendMail', use: 'import', target: 'sendMail@src/mail/client.ts', grade: 'exact' },
      {
        line: 3,
        name: 'sendMail',
        use: 'call',
        target: 'sendMail@src/mail/client.ts',
        grade: 'exact',
        enclosing: 'notifyOrder',
      },
      { line: 4, name: 'send(', use: 'call', target: 'Mailer/send@src/mail/client.ts', enclosing: 'notifyOrder' },
      { line: 5, name: 'send', use: 'call', enclosing: 'notifyOrder' },
    ],
  },
  {
    path: 'test/mail.test.ts',
    test: true,
    text: "import { sendMail } from '../src/mail/client.ts';\ntest('sends', () => sendMail('a@b.c'));\n",
    symbols: [],
    imports: ['src/mail/client.ts'],
    uses: [
      { line: 1, name: 'sendMail', use: 'import', target: 'sendMail@src/mail/client.ts' },
      { line: 2, name: 'sendMail', use: 'test', target: 'sendMail@src/mail/client.ts' },
    ],
  },
  { path: 'README.md', language: 'Markdown', text: '# Shop\r\nOrders are shipped weekly.\r\n' },
  { path: 'src/broken.py', language: 'Python', text: 'def (:\n', failed: 'The parser stopped at line 1.' },
];
