import { oneLine } from '../kernel/shown-values.ts';
import { z } from 'zod';
import { omitDefaults, pageFields, QUERY_ALIASES, subjectOf } from '../platform/operation/paged-tool.ts';
import { answerJson, answerText, type Draft, type Row } from '../kernel/answer.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import { CORPORA } from '../knowledge/knowledge.ts';
import { type AnyOperation, type CallContext, defineOperation } from '../platform/operation/operation.ts';
import { SEARCH_CORPORA, type SearchCorpus } from './candidate.ts';
import { fuse, type RankedHit, termWeights } from './fuse.ts';
import { coverageLine, gather, type Gathered } from './gather.ts';
import type { SearchParts } from './parts.ts';
import { type Question, questionOf } from './question.ts';
import { SearchOutput } from './search-output.ts';
import { type StaleFlag, staleFlags } from './stale.ts';

/** Candidates of each corpus when all are asked; of one alone there may be more. */
const CANDIDATES = 40;
const MOST_CANDIDATES = 200;

/** Arguments of `search-tool`: the contract with clients. */
const SearchInput = z.object({
  query: z.string().describe('Natural language or keywords'),
  corpora: z.array(z.enum(SEARCH_CORPORA)).optional().describe('Default: all'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  since: z.string().optional().describe('Date or 30d'),
  ...pageFields({ rows: 15, most: 50 }),
});

type SearchArguments = z.output<typeof SearchInput>;

/** `search-tool`: one question to the code, the history and everything that people wrote. */
export function searchTool(parts: SearchParts): AnyOperation {
  return defineOperation({
    name: 'search-tool',
    description:
      'One search over every corpus; use first when you do not know where the answer is. Hits carry an id to open with the matching tool and, when a plan is involved, its staleness (fresh, aging, stale: n of m anchors changed).',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: SearchInput,
    output: { '': SearchOutput },
    commands: {
      heading: 'Knowledge:',
      actions: {
        '': {
          name: 'search',
          description: 'One search over code, history and everything that people wrote',
          subject: 'query',
        },
      },
    },
    aliases: QUERY_ALIASES,
    async run(context, args) {
      const { draft, coverage } = await answer(parts, context, args);
      return { text: answerText(draft), json: { ...answerJson(draft), coverage } };
    },
  });
}

interface Answered {
  draft: Draft;
  coverage: Record<string, unknown>;
}

async function answer(parts: SearchParts, context: CallContext, args: SearchArguments): Promise<Answered> {
  const question = questionOf(args.query, args.since, context.now());
  const corpora = selectCorpora(args.corpora);
  const limit = Math.min(MOST_CANDIDATES, Math.floor((CANDIDATES * SEARCH_CORPORA.length) / corpora.length));
  const gathered = await gather(parts, context, { question, corpora, repo: args.repo, limit });
  const allFindings = [...gathered.findings.values()];
  const binding = { arguments: [args.query, corpora, args.repo, args.since], generation: gathered.generation };
  const offset = decodeCursor(binding, args.cursor);
  const hits = fuse(
    allFindings.flatMap(({ candidates }) => candidates),
    termWeights(question.terms, countGroups(gathered)),
  );
  const page = hits.slice(offset, offset + args.limit);
  const [flags, quoted] = await Promise.all([
    staleFlags(parts.plans, context.caller, page),
    withSnippets(parts, context, question, page),
  ]);
  const totals = SEARCH_CORPORA.flatMap((corpus) => {
    const findings = gathered.findings.get(corpus);
    return findings === undefined ? [] : [[corpus, findings.total] as const];
  });
  const total = totals.reduce((sum, [, count]) => sum + count, 0);
  const draft: Draft = {
    operation: 'search-tool',
    action: '',
    subject: subjectOf(question.words),
    sources: gathered.sources?.provenances ?? [],
    coverage: coverageLine(gathered),
    total,
    isCut: allFindings.some(({ isCut }) => isCut === true),
    counts: Object.fromEntries(totals),
    rows: quoted.map((hit, at) => rowOf(hit, flags[at], offset + at + 1)),
    detail: 'body',
    maxTokens: args.max_tokens,
    notes: notesOf(gathered, { hits, total, offset, args }),
    arguments: omitDefaults(SearchInput, args),
    next: (shown) => (offset + shown < hits.length ? encodeCursor(binding, offset + shown) : undefined),
  };
  return { draft, coverage: coverageJson(gathered) };
}

function selectCorpora(requested: readonly SearchCorpus[] | undefined): SearchCorpus[] {
  const selection = new Set(requested === undefined || requested.length === 0 ? SEARCH_CORPORA : requested);
  return SEARCH_CORPORA.filter((corpus) => selection.has(corpus));
}

/** Code, history and what people wrote, one vote each. */
function countGroups({ findings }: Gathered): (readonly { documents: number; having: readonly number[] }[])[] {
  const people = CORPORA.flatMap((corpus) => findings.get(corpus)?.counts ?? []).slice(0, 1);
  return [findings.get('code')?.counts ?? [], findings.get('commits')?.counts ?? [], people];
}

/** The hits with a stretch of their text, where that is not known yet. */
async function withSnippets(
  { knowledge }: SearchParts,
  { caller }: CallContext,
  question: Question,
  hits: readonly RankedHit[],
): Promise<RankedHit[]> {
  const written = hits.flatMap((hit) => {
    const corpus = CORPORA.find((name) => name === hit.candidate.corpus);
    const { id, part = '' } = hit.candidate;
    return corpus === undefined ? [] : [{ corpus, id, part, hit }];
  });
  const quotes = await knowledge.quote(caller, question.searchWords, written);
  const snippets = new Map(quotes.map(({ hit, snippet }) => [hit, snippet]));
  return hits.map((hit) => {
    const snippet = snippets.get(hit);
    return snippet === undefined ? hit : { ...hit, candidate: { ...hit.candidate, snippet } };
  });
}

function rowOf({ candidate, score, duplicates }: RankedHit, flag: StaleFlag | undefined, rank: number): Row {
  const { corpus, id, title, where, date, snippet, part, repo, path } = candidate;
  const { stale, plans = [] } = flag ?? {};
  const day = date?.toISOString().slice(0, 10);
  const named = plans.length === 0 ? (stale ?? '') : `${plans[0]?.id} ${stale ?? ''}`.trim();
  const section = corpus === 'documents' && part !== undefined && part !== '' ? `section="${part}"` : '';
  const more = duplicates > 0 ? `+${duplicates} similar` : '';
  const words = [title, where, section, day ?? '', named, more].map(oneLine).filter((word) => word !== '');
  return {
    group: '',
    id: `${rank} ${corpus} ${id}`,
    line: `${rank} ${corpus} ${id} · ${words.join(' · ')} · ${score.toFixed(2)}`,
    ...(snippet === '' ? {} : { body: oneLine(snippet) }),
    json: {
      rank,
      corpus,
      id,
      title: title === '' ? snippet : title,
      where,
      ...(section === '' ? {} : { section: part }),
      ...(repo === undefined ? {} : { repo }),
      ...(path === undefined ? {} : { path }),
      ...(date === undefined ? {} : { date: date.toISOString() }),
      snippet,
      score,
      ...(stale === undefined ? {} : { stale }),
      ...(plans.length === 0 ? {} : { plans }),
      ...(duplicates === 0 ? {} : { folded: duplicates }),
    },
  };
}

function notesOf(
  { findings, failures }: Gathered,
  { hits, total, offset, args }: { hits: readonly RankedHit[]; total: number; offset: number; args: SearchArguments },
): string[] {
  const failed = [
    ...[...failures].map(([corpus, why]) => `${corpus} could not be searched: ${why}`),
    ...[...findings.values()].flatMap(({ notes = [] }) => notes),
  ];
  if (total === 0) {
    const narrowed = args.since === undefined ? '' : ` since ${args.since}`;
    return [`nothing found${narrowed}; words match in any grammatical form: try other or fewer words`, ...failed];
  }
  const duplicates = hits.reduce((sum, hit) => sum + hit.duplicates, 0);
  const isLast = offset + args.limit >= hits.length;
  const unranked = total - hits.length - duplicates;
  return isLast && unranked > 0
    ? [
        `${unranked} weaker hits are not ranked: ask a single corpus for more, for example corpora=["signals"]`,
        ...failed,
      ]
    : failed;
}

function coverageJson({ findings, failures }: Gathered): Record<string, unknown> {
  const corpora = SEARCH_CORPORA.flatMap((corpus): [string, unknown][] => {
    const why = failures.get(corpus);
    if (why !== undefined) return [[corpus, { error: why }]];
    const corpusFindings = findings.get(corpus);
    if (corpusFindings === undefined) return [];
    const { total, isCut, coverage, unread } = corpusFindings;
    return [[corpus, { hits: total, ...(isCut === true && { at_least: true }), searched: coverage, unread }]];
  });
  return Object.fromEntries(corpora);
}
