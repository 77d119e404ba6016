import { describeCall } from '../kernel/answer.ts';
import { confidenceOf } from './confidence.ts';
import { findCommits } from './gather/around.ts';
import type { Effort } from './gather/code.ts';
import { hearSignals, type Voices } from './gather/signals.ts';
import type { Tools } from './gather/tools.ts';
import {
  type Corpus,
  findMoves,
  findWritten,
  readWritten,
  type WrittenHit,
  type WrittenText,
} from './gather/written.ts';
import type { Investigation } from './investigation.ts';
import { Ledger } from './ledger/ledger.ts';
import { Citer } from './prose/cite.ts';
import { quoteWritten } from './prose/code.ts';
import { coverage, weighTerms } from './prose/excerpt.ts';
import { moves, signalCounts, themeSentences } from './prose/product.ts';
import { counted, day, type Paragraph, quote } from './prose/prose.ts';
import type { AskedQuestion } from './question/question.ts';
import { subjectOf } from './question/subject.ts';

const READ = { quick: 2, standard: 4, deep: 8 } as const;
const CORPORA: readonly Corpus[] = ['signals', 'plans', 'decisions', 'documents'];
/** What fits less than this share of the best hit is about something else. */
const LEAST_SHARE = 0.5;

/** What was found for a question about the product. */
interface Findings {
  voices: Voices;
  texts: readonly WrittenText[];
  done: Awaited<ReturnType<typeof findCommits>>;
}

/** Answers what customers want, what is planned, decided and done, and how competitors moved: 6 to 15 calls, without a model. */
export async function askProduct(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  const query = subjectOf(question.words);
  const [hits, moved, voices, done] = await Promise.all([
    findWritten(tools, query, { corpora: CORPORA, limit: 20 }),
    findMoves(tools, query, { limit: READ[effort] }),
    hearSignals(tools, query),
    findCommits(tools, query, { limit: 3 }),
  ]);
  const texts = [...(await readWritten(tools, bestOf(hits, READ[effort]))), ...moved];
  const ledger = new Ledger();
  // Without counts of a collection all terms say the same.
  const weights = weighTerms(question.terms, 1, {});
  const cite = new Citer(ledger, weights, (repo) => tools.commitOf(repo));
  const confidence = confidenceOf({
    coverage: coverage(
      weighTerms(termsIn(query, question), 1, {}),
      texts.map(({ title, text }) => `${title} ${text}`),
    ),
    knownNames: 0,
    unknownNames: 0,
    topScore: hits[0]?.score ?? 0,
  });
  const paragraphs = tell(cite, { voices, texts, done });
  return {
    ledger,
    confidence,
    isRefused: texts.length === 0,
    composed: { paragraphs, gaps: gapsOf({ voices, texts, done }), next: nextCalls(query, texts) },
  };
}

function termsIn(query: string, { terms }: AskedQuestion): string[] {
  const kept = terms.filter((term) => query.toLowerCase().includes(term.slice(0, 4)));
  return kept.length === 0 ? [...terms] : kept;
}

/** The best hits, each corpus in its turn: what is said, planned and decided, not only what there is most of. */
function bestOf(hits: readonly WrittenHit[], most: number): WrittenHit[] {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE;
  const fitting = hits.filter(({ score }) => score >= least);
  const turns = [...Map.groupBy(fitting, ({ corpus }) => corpus).values()];
  const rounds = Math.max(0, ...turns.map(({ length }) => length));
  const ordered = Array.from({ length: rounds }, (_, at) => turns.flatMap((list) => list[at] ?? [])).flat();
  return ordered.slice(0, most + turns.length);
}

function tell(cite: Citer, { voices, texts, done }: Findings): Paragraph[] {
  const of = (...kinds: string[]): WrittenText[] => texts.filter(({ kind }) => kinds.includes(kind));
  const signals = of('signal');
  const commits = done.map((row) => ({
    text: `${day(row.date)}, ${row.author} committed ${quote(row.subject)}.`,
    sources: [cite.commit(row.repo, row)],
  }));
  const parts: Paragraph[] = [
    {
      sentences: [
        ...signalCounts(cite, voices, signals),
        ...themeSentences(cite, voices, signals),
        ...quoteWritten(cite, signals),
      ],
    },
    { sentences: quoteWritten(cite, of('plan', 'decision')) },
    { sentences: moves(cite, of('competitor')) },
    { sentences: quoteWritten(cite, of('document')) },
    { sentences: commits, isList: commits.length > 1 },
  ];
  return parts.filter(({ sentences }) => sentences.length > 0);
}

function gapsOf({ voices, texts, done }: Findings): string[] {
  const has = (kind: string): boolean => texts.some((one) => one.kind === kind);
  return [
    ...(voices.signals.length === 0 ? ['no signal of a customer fits'] : []),
    ...(has('plan') ? [] : ['no plan fits']),
    ...(has('decision') ? [] : ['no decision fits']),
    ...(has('competitor') ? [] : ['no change of a competitor fits']),
    ...(done.length === 0 ? ['no commit fits'] : []),
    ...(voices.isCut ? [`only the best ${counted(voices.signals.length, 'signal')} are counted`] : []),
  ];
}

function nextCalls(query: string, texts: readonly WrittenText[]): string[] {
  const [first] = texts;
  return [
    ...(first === undefined ? [] : [describeCall('document-search-tool', { action: 'get', query: first.id })]),
    describeCall('document-search-tool', { action: 'themes', query }),
    describeCall('search-tool', { query, limit: 20 }),
  ];
}
