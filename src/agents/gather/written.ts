import { z } from 'zod';
import type { EvidenceKind } from '../ledger/ledger.ts';
import type { Tools } from './tools.ts';

const Hit = z.looseObject({
  corpus: z.enum(['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors']),
  id: z.string(),
  title: z.string().default(''),
  where: z.string().default(''),
  section: z.string().optional(),
  repo: z.string().optional(),
  path: z.string().optional(),
  date: z.string().optional(),
  snippet: z.string().default(''),
  score: z.number(),
  stale: z.string().optional(),
});
const Part = z.looseObject({
  section: z.string().default(''),
  heading: z.string().default(''),
  text: z.string().default(''),
});
const About = z.looseObject({
  title: z.string().catch(''),
  status: z.string().catch(''),
  date: z.string().catch(''),
  customer: z.string().catch(''),
  segment: z.string().catch(''),
  source: z.string().catch(''),
  intent: z.string().catch(''),
  value: z.number().nullish().catch(undefined),
  stale: z.string().optional(),
});

export type Corpus = z.output<typeof Hit>['corpus'];
export type WrittenHit = z.output<typeof Hit>;

/** Something that people wrote, as far as it was read. */
export interface WrittenText {
  kind: EvidenceKind;
  id: string;
  title: string;
  heading: string;
  section: string | undefined;
  path: string | undefined;
  repo: string;
  date: string;
  /** From here on to the end of what was read. */
  text: string;
  score: number;
  about: z.output<typeof About>;
}

const Move = z.looseObject({
  id: z.string(),
  when: z.string().catch(''),
  competitor: z.string().catch(''),
  kind: z.string().catch(''),
  summary: z.string().catch(''),
});

/** What competitors changed that fits a question, the newest first. One call. */
export async function findMoves(
  tools: Tools,
  query: string,
  more: { limit: number; since?: string },
): Promise<WrittenText[]> {
  const args = { action: 'changes', query, min_severity: 'low', since: '10y', ...more };
  const found = await tools.ask('competitor-tool', args, Move);
  return (found?.rows ?? [])
    .filter(({ summary }) => summary !== '')
    .map(({ id, when, competitor, kind, summary }) => ({
      kind: 'competitor',
      id,
      title: competitor,
      heading: kind,
      section: undefined,
      path: undefined,
      repo: '',
      date: when,
      text: summary,
      score: 1,
      about: About.parse({}),
    }));
}

const KINDS: Partial<Record<Corpus, EvidenceKind>> = {
  plans: 'plan',
  documents: 'document',
  signals: 'signal',
  decisions: 'decision',
};

/** The longest question that the search takes, in characters. */
const LONGEST_QUERY = 1_000;

/** Hits of what people wrote, best first. One call. */
export async function findWritten(
  tools: Tools,
  query: string,
  more: { corpora: readonly Corpus[]; limit: number; since?: string },
): Promise<WrittenHit[]> {
  const found = await tools.ask('search-tool', { query: query.slice(0, LONGEST_QUERY), ...more }, Hit);
  return found?.rows ?? [];
}

const Naming = z.object({
  named_by: z.array(z.object({ id: z.string(), title: z.string().default('') })).default([]),
});

/** Plans and decisions that name a symbol. One call. */
export async function findNaming(
  tools: Tools,
  { repo, symbol, path }: { repo: string; symbol: string; path: string },
): Promise<WrittenHit[]> {
  const query = symbol === '' ? path : `sym:${symbol}@${path}`;
  const found = await tools.ask(
    'code-tool',
    { action: 'impact', query, limit: 1, ...(repo !== '' && { repo }) },
    z.unknown(),
  );
  if (found === undefined) return [];
  return Naming.parse(found).named_by.map(({ id, title }) => {
    const corpus: Corpus = id.startsWith('dec:') ? 'decisions' : 'plans';
    return { corpus, id, title, where: '', snippet: '', score: 1 };
  });
}

/** The texts behind hits; without those that cannot be read any more. One call a hit. */
export async function readWritten(tools: Tools, hits: readonly WrittenHit[]): Promise<WrittenText[]> {
  const texts = await Promise.all(hits.map((hit) => readOne(tools, hit)));
  return texts.filter((text) => text !== undefined);
}

async function readOne(tools: Tools, hit: WrittenHit): Promise<WrittenText | undefined> {
  const { id, section, corpus, path, repo = '', score } = hit;
  const kind = KINDS[corpus];
  if (kind === undefined) return undefined;
  const found = await tools.ask(
    'document-search-tool',
    { action: 'get', query: id, ...(section !== undefined && { section }) },
    Part,
  );
  const [first] = found?.rows ?? [];
  if (found === undefined || first === undefined) return undefined;
  const about = About.parse(found);
  return {
    kind,
    id,
    title: about.title === '' ? hit.title : about.title,
    heading: first.heading,
    section,
    path,
    repo,
    date: about.date === '' ? (hit.date ?? '') : about.date,
    text: first.text,
    score,
    about,
  };
}
