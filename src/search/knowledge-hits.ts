import type { Corpus, CorpusCoverage, KnowledgeHit, KnowledgeIndex, ProductScope } from '../knowledge/knowledge.ts';
import type { Candidate, CorpusFindings, SearchCorpus } from './candidate.ts';
import type { Question } from './question.ts';

/** How an answer says that a corpus has nothing. */
const NOTHING: Record<Corpus, string> = {
  plans: 'none yet',
  documents: 'none yet',
  signals: 'none yet',
  decisions: 'none yet',
  competitors: 'this version does not watch competitors',
};

/** What people wrote that fits a question, by corpus, and the number of the last change that it reflects. */
export interface KnowledgeFindings {
  byCorpus: Map<SearchCorpus, CorpusFindings>;
  revision: number;
}

/** At most `limit` hits of each corpus. */
export async function knowledgeHits(
  knowledge: KnowledgeIndex,
  scope: ProductScope,
  {
    question,
    corpora,
    limit,
    signal,
  }: { question: Question; corpora: readonly Corpus[]; limit: number; signal: AbortSignal },
): Promise<KnowledgeFindings> {
  const { terms, since } = question;
  const query = { query: terms.join(' '), corpora, limit, perCorpus: true, ...(since !== undefined && { since }) };
  const { hits, totals, coverage, entriesWith, revision } = await knowledge.rank(scope, query, signal);
  const entries = Object.values(coverage).reduce((sum, one) => sum + one.entries, 0);
  const counts = [{ documents: entries, having: terms.map((term) => entriesWith[term] ?? 0) }];
  const groups = Map.groupBy(hits, (hit) => hit.corpus);
  const findings = corpora.map((corpus): [SearchCorpus, CorpusFindings] => {
    const own = groups.get(corpus) ?? [];
    const best = own[0]?.score ?? 0;
    const candidates = own.map((hit) => candidateOf(hit, best));
    return [corpus, { candidates, total: totals[corpus], counts, coverage: coverageText(corpus, coverage[corpus]) }];
  });
  return { byCorpus: new Map(findings), revision };
}

function candidateOf(hit: KnowledgeHit, best: number): Candidate {
  const { corpus, id, part, title, section, date, terms, headTerms, customer, segment, source, score } = hit;
  const who = [customer, segment === '' ? '' : `(${segment})`, source].filter((word) => word !== '').join(' ');
  return {
    corpus,
    id,
    title,
    where: corpus === 'signals' ? who : section,
    date,
    terms,
    headTerms,
    relevance: best > 0 ? score / best : 0,
    sameness: `${id} ${part}`,
    thing: `${corpus} ${id}`,
    part,
    ...(corpus === 'signals' || source === '' ? {} : { source }),
    snippet: '',
  };
}

function coverageText(corpus: Corpus, { things, newest }: CorpusCoverage): string {
  if (things === 0) return NOTHING[corpus];
  return newest === undefined ? `${things}` : `${things}, newest ${newest.toISOString().slice(0, 10)}`;
}
