import { type Tool, tool } from 'ai';
import { z } from 'zod';
import type { Tools } from '../gather/tools.ts';
import type { Entry, Evidence, Ledger } from '../ledger/ledger.ts';

const words = z.string().max(400).optional();
const inPlace = { query: words, path: words };

/** What a model may ask: every tool that reads, with its actions that only read, and what they take besides. */
const OFFERED: Readonly<
  Record<string, { description: string; actions?: readonly [string, ...string[]]; takes: Record<string, z.ZodType> }>
> = {
  'code-tool': {
    description:
      'Code: semantic_search by meaning, definition of a symbol or path:from-to with its source, usages, callers by dependencies and impact, grep, search_symbols by name.',
    actions: [
      'semantic_search',
      'definition',
      'usages',
      'search_symbols',
      'dependencies',
      'impact',
      'implementations',
      'grep',
      'comments',
      'outline',
      'map',
      'dead_code',
      'smells',
    ],
    takes: inPlace,
  },
  'commit-tool': {
    description:
      'History: search commits by words, show one by its sha, compare two refs ("v1..v2"), hotspots, coupling, changelog.',
    actions: ['search', 'show', 'compare', 'hotspots', 'coupling', 'changelog'],
    takes: inPlace,
  },
  'search-tool': {
    description: 'Everything at once: code, commits, documents, plans, customer signals, decisions and competitors.',
    takes: { query: z.string().max(400) },
  },
  'document-search-tool': {
    description: 'Documents, plans, decisions and what customers say: search by words, get the text of an id.',
    actions: ['search', 'get', 'themes'],
    takes: { query: words },
  },
  'competitor-tool': {
    description: 'Watched pages of competitors: list, changes by words, snapshot of a page, trends.',
    actions: ['list', 'changes', 'snapshot', 'trends'],
    takes: { query: words, competitor: words },
  },
  'entity-analysis-tool': {
    description:
      'The product as a graph: find an entity, its neighbors, the path from one to another, map of features.',
    actions: ['find', 'neighbors', 'path', 'map'],
    takes: { entity: words, to: words },
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
  text: z.string().optional(),
  symbol: z.string().optional(),
  qualified: z.string().optional(),
  sha: z.string().optional(),
  id: z.string().optional(),
  subject: z.string().optional(),
  date: z.string().optional(),
  section: z.string().optional(),
  summary: z.string().optional(),
});

/** The tools of a model. What they show goes into the ledger, and the model is told its numbers. */
export function modelTools(tools: Tools, ledger: Ledger): Record<string, Tool> {
  const offered = Object.entries(OFFERED).filter(([name]) => tools.offers(name));
  return Object.fromEntries(
    offered.map(([name, { description, actions, takes }]) => [
      // Names with dashes are refused by some services.
      name.replaceAll('-', '_'),
      tool({
        description,
        inputSchema: z.object({ ...(actions !== undefined && { action: z.enum(actions) }), ...takes }),
        execute: async (input) => {
          const wanted = { ...input, limit: ROWS, ...(name === 'code-tool' && { detail: 'body' }) };
          const found = await tools.ask(name, wanted, Row);
          if (found === undefined) return tools.failures.at(-1)?.message ?? 'Nothing was found.';
          const shown = found.rows.slice(0, ROWS).map((row) => {
            const evidence = evidenceOf(row, tools.repoOf(found, row), tools);
            return evidence === undefined ? describeRow(row) : describeEntry(ledger.add(evidence));
          });
          return shown.length === 0 ? 'Nothing was found.' : shown.join('\n');
        },
      }),
    ]),
  );
}

/** A row as something that can be cited: lines, a commit, or a text that was read. Undefined for what only counts or points. */
function evidenceOf(row: z.output<typeof Row>, repo: string, tools: Tools): Evidence | undefined {
  const { path, body, text, sha, subject, date, section, id } = row;
  if (sha !== undefined && subject !== undefined)
    return { id: `c:${sha.slice(0, 7)}`, kind: 'commit', repo, commit: sha, title: subject, date, text: subject };
  const start = row.start ?? row.line;
  const said = body ?? text;
  if (path !== undefined && start !== undefined && said !== undefined && said !== '') {
    const shown = said.slice(0, SHOWN).split('\n');
    // The last line may be cut: only whole ones can be looked up again.
    const whole = said.length > SHOWN && shown.length > 1 ? shown.slice(0, -1) : shown;
    const lines = { start, end: start + whole.length - 1 };
    const title = row.qualified ?? row.symbol ?? '';
    const place = lines.start === lines.end ? `${path}:${start}` : `${path}:${start}-${lines.end}`;
    return { id: place, kind: 'code', repo, commit: tools.commitOf(repo), path, lines, title, text: whole.join('\n') };
  }
  const written = text ?? row.summary ?? '';
  if (id !== undefined && written !== '')
    return { id, kind: kindOf(id), repo, section, title: '', date, text: written.slice(0, SHOWN) };
  return undefined;
}

function kindOf(id: string): Evidence['kind'] {
  const kinds: Record<string, Evidence['kind']> = { plan: 'plan', sig: 'signal', dec: 'decision', chg: 'competitor' };
  return kinds[id.slice(0, id.indexOf(':'))] ?? 'document';
}

/** A piece of evidence as a model reads it. */
export function describeEntry({ number, id, title = '', text }: Entry): string {
  const about = `id=${JSON.stringify(id)}${title === '' ? '' : ` title=${JSON.stringify(title)}`}`;
  return `<evidence n="${number}" ${asData(about)}>\n${asData(text.slice(0, SHOWN))}\n</evidence>`;
}

/** What only counts or points: it has no number, so that nothing can cite it. */
function describeRow(row: object): string {
  return `<evidence>\n${asData(JSON.stringify(row).slice(0, SHOWN))}\n</evidence>`;
}

/** What is quoted cannot end the quotation. */
function asData(text: string): string {
  return text.replaceAll(/<\/?evidence/gi, '‹evidence');
}
