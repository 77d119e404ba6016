import type { Tool } from 'ai';
import { z } from 'zod';
import type { Operations } from '../evidence/evidence.ts';
import type { Source, SourceKind, Statement } from '../evidence/model/brief.ts';
import { type Citations, linesOf } from '../evidence/model/citations.ts';

const text = z.string().max(400).optional();
const SCOPE = { repo: text, ref: text, path: text, since: text, limit: z.int().min(1).max(50).optional() };

/** Calls that a model may make, of operations that read, and what they take besides their action. */
const OFFERED: Readonly<Record<string, { description: string; takes: Record<string, z.ZodType> }>> = {
  'code-tool': {
    description:
      'Code: semantic_search by meaning, definition of a symbol or path:from-to with its source, usages, dependencies, impact, implementations, grep, search_symbols by name, outline, tests.',
    takes: {
      query: text,
      ...SCOPE,
      depth: z.int().min(1).max(6).optional(),
      direction: z.enum(['in', 'out']).optional(),
      kind: z.array(z.string()).optional(),
      tests: z.enum(['include', 'exclude', 'only']).optional(),
    },
  },
  'commit-tool': {
    description:
      'History: search commits by words, show one by its sha with its message and patch, compare two refs ("v1..v2"), hotspots, coupling, changelog.',
    takes: { query: text, ...SCOPE, author: text },
  },
  'search-tool': {
    description: 'Everything at once: code, commits, documents, plans, customer signals, decisions and competitors.',
    takes: { query: z.string().max(400), repo: text, since: text },
  },
  'document-search-tool': {
    description: 'Documents, plans, decisions and what customers say: search by words, get the text of an id, themes.',
    takes: { query: text, since: text },
  },
  'competitor-tool': {
    description: 'Watched pages of competitors: list, changes by words, snapshot of a page, trends.',
    takes: { query: text, competitor: text },
  },
  'entity-analysis-tool': {
    description:
      'The product as a graph: find an entity, its neighbors, the path from one to another, map of features.',
    takes: { entity: text, to: text },
  },
};

const ROWS = 8;
/** Characters of one piece of evidence that the model is shown. */
const SHOWN = 1_200;

const Row = z.looseObject({
  repo: z.string().optional(),
  path: z.string().optional(),
  start: z.number().optional(),
  line: z.number().optional(),
  body: z.string().optional(),
  patch: z.string().optional(),
  text: z.string().optional(),
  symbol: z.string().optional(),
  qualified: z.string().optional(),
  doc: z.string().optional(),
  sha: z.string().optional(),
  id: z.string().optional(),
  subject: z.string().optional(),
  summary: z.string().optional(),
});

/** The operations as tools of a model. What they show goes into the evidence, and the model reads its numbers and the totals. */
export function modelTools(operations: Operations, evidence: Citations): Record<string, Tool> {
  const offered = Object.entries(OFFERED).filter(([name]) => operations.offers(name));
  return Object.fromEntries(
    offered.map(([name, { description, takes }]) => [
      // Names with dashes are refused by some services.
      name.replaceAll('-', '_'),
      {
        description,
        inputSchema: z.object({ ...actionOf(operations.actionsOf(name)), ...takes }),
        execute: async (input: Record<string, unknown>) => {
          const detail = name === 'code-tool' || input['action'] === 'show' ? { detail: 'body' } : {};
          const answer = await operations.ask(name, { limit: ROWS, ...input, ...detail }, Row);
          if (answer === undefined) return operations.failures.at(-1)?.message ?? 'Nothing was found.';
          const rows = answer.rows.map((row) =>
            describeRow(row, operations.repoOf(answer, row), { operations, evidence }),
          );
          return rows.length === 0 ? 'Nothing was found.' : [`${rows.length} of ${answer.total}`, ...rows].join('\n');
        },
      } satisfies Tool<Record<string, unknown>, string>,
    ]),
  );
}

function actionOf(actions: readonly string[]): Record<string, z.ZodType> {
  return actions.length === 0 ? {} : { action: z.enum(actions) };
}

function describeRow(
  row: z.output<typeof Row>,
  repo: string,
  { operations, evidence }: { operations: Operations; evidence: Citations },
): string {
  const source = sourceOf(row, repo, operations);
  if (source !== undefined) return describeSource(evidence.cite(source));
  // What only counts or points has no number, so that nothing can cite it.
  return `<evidence>\n${asData(JSON.stringify(row).slice(0, SHOWN))}\n</evidence>`;
}

/** A row as something that can be cited: lines, a commit, or a text that was read. Undefined for what only counts or points. */
function sourceOf(row: z.output<typeof Row>, repo: string, operations: Operations): Omit<Source, 'number'> | undefined {
  const { path, body, patch, text: content, sha, subject, id } = row;
  const common = { repo, why: row.doc === undefined || row.doc === '' ? [] : [row.doc], score: 0 };
  if (sha !== undefined && subject !== undefined) {
    const message = [subject, body ?? '', patch ?? ''].join('\n').slice(0, SHOWN);
    return { ...common, id: `c:${sha.slice(0, 7)}`, kind: 'commit', commit: sha, shown: linesOf(message) };
  }
  const start = row.start ?? row.line;
  const code = body ?? content;
  if (path !== undefined && start !== undefined && code !== undefined && code !== '') {
    const all = code.slice(0, SHOWN).split('\n');
    const whole = code.length > SHOWN && all.length > 1 ? all.slice(0, -1) : all;
    const lines = { start, end: start + whole.length - 1 };
    const symbol = row.qualified ?? row.symbol ?? '';
    const commit = operations.commitOf(repo);
    return {
      ...common,
      id: `${path}:${lines.start}-${lines.end}`,
      kind: 'code',
      path,
      lines,
      ...(symbol !== '' && { symbol }),
      ...(commit !== undefined && { commit }),
      shown: whole.map((line, at) => ({ number: start + at, text: line })),
    };
  }
  const written = content ?? row.summary ?? '';
  if (id === undefined || written === '') return undefined;
  return { ...common, id, kind: kindOf(id), shown: [{ text: written.slice(0, SHOWN) }] };
}

function kindOf(id: string): SourceKind {
  const kinds: Record<string, SourceKind> = { plan: 'plan', sig: 'signal', dec: 'decision', chg: 'change' };
  return kinds[id.slice(0, id.indexOf(':'))] ?? 'document';
}

/** A source as a model reads it. */
export function describeSource({ number, id, symbol = '', shown }: Source): string {
  const about = `id=${JSON.stringify(id)}${symbol === '' ? '' : ` title=${JSON.stringify(symbol)}`}`;
  const lines = shown.map(({ number: line, text: shownText }) =>
    line === undefined ? shownText : `${line} ${shownText}`,
  );
  return `<evidence n="${number}" ${asData(about)}>\n${asData(lines.join('\n').slice(0, SHOWN))}\n</evidence>`;
}

/** Describes computed facts for a model: names and labels in them come from outside too. */
export function describeFacts(statements: readonly Statement[]): string {
  const sentences = statements.map(({ sentence, cites }) => `${sentence} ${cites.map((n) => `[${n}]`).join('')}`);
  return `<evidence>\n${asData(sentences.join('\n'))}\n</evidence>`;
}

/** Escapes a quoted text so that it cannot end the quotation. */
function asData(quoted: string): string {
  return quoted.replaceAll(/<\/?evidence/gi, '‹evidence');
}
