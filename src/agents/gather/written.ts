import { z } from 'zod';
import type { EvidenceKind } from '../ledger/ledger.ts';
import type { Answered, Tools } from './tools.ts';

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
});

export type Corpus = z.output<typeof Hit>['corpus'];
export type WrittenHit = z.output<typeof Hit>;

/** A section of what people wrote. */
type TextPart = z.output<typeof Part>;

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

/** The texts behind hits; without those that cannot be read any more. One call a hit. */
export async function readWritten(tools: Tools, hits: readonly WrittenHit[]): Promise<WrittenText[]> {
  const texts = await Promise.all(hits.map((hit) => readOne(tools, hit)));
  return texts.filter((text) => text !== undefined);
}

async function readOne(tools: Tools, hit: WrittenHit): Promise<WrittenText | undefined> {
  const { id, section, corpus, path, repo = '' } = hit;
  const kind = KINDS[corpus];
  if (kind === undefined) return undefined;
  const found = await readPart(tools, id, section);
  const [first] = found?.rows ?? [];
  if (found === undefined || first === undefined) return undefined;
  const about = About.parse(found);
  const parts = kind === 'plan' ? await readPlan(tools, id, Sections.parse(found)) : [first];
  return {
    kind,
    id,
    title: about.title === '' ? hit.title : about.title,
    heading: first.heading,
    section,
    path,
    repo,
    date: about.date === '' ? (hit.date ?? '') : about.date,
    text: textOf(kind, parts),
    about,
  };
}

/** A plan is one text, whatever section of it was found; its work items are told as such, and boxes that a customer ticks are a form's. */
function textOf(kind: EvidenceKind, parts: readonly TextPart[]): string {
  const texts = parts.map(({ text }) => (kind === 'plan' || kind === 'signal' ? text.replaceAll(TASK_LINE, '') : text));
  return texts.join('\n\n');
}

async function readPart(
  tools: Tools,
  id: string,
  section: string | undefined,
): Promise<Answered<TextPart> | undefined> {
  const of = section === undefined ? {} : { section };
  return tools.ask('document-search-tool', { action: 'get', query: id, ...of }, Part);
}

const Sections = z.object({
  sections: z.array(z.looseObject({ id: z.string(), characters: z.number() })).default([]),
});
const TASK_LINE = /^\s*[-*]\s+\[[ xX]\].*$/gm;
/** Sections of a plan that are read. */
const MOST_SECTIONS = 8;

/** The sections of a plan that say something. One call each. */
async function readPlan(tools: Tools, id: string, { sections }: z.output<typeof Sections>): Promise<TextPart[]> {
  const filled = sections.filter(({ characters }) => characters > 0).slice(0, MOST_SECTIONS);
  const read = await Promise.all(filled.map((section) => readPart(tools, id, section.id)));
  return read.flatMap((part) => part?.rows.slice(0, 1) ?? []);
}
