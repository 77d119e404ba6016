import { dayOf } from '../kernel/time.ts';
import { type Documents, countUnread, selectFailed } from '../documents/documents.ts';
import { counted } from '../kernel/counted.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { type Plans, readPlanFiles } from '../plans/plans.ts';
import type { Corpus, CorpusCoverage, KnowledgeHit, KnowledgeIndex } from '../knowledge/knowledge.ts';
import type { Candidate, CorpusFindings, SearchCorpus } from './candidate.ts';
import type { Question } from './question.ts';

/** The words of an answer for a corpus that is empty. */
const NOTHING: Record<Corpus, string> = {
  plans: 'none yet',
  documents: 'none yet',
  signals: 'none yet',
  decisions: 'none yet',
  competitors: 'no change was seen yet',
};

/** Texts by people that fit a question, by corpus, and the number of the last change that it reflects. */
interface KnowledgeFindings {
  byCorpus: Map<SearchCorpus, CorpusFindings>;
  revision: number;
}

type RankedResult = Awaited<ReturnType<KnowledgeIndex['rank']>>;

/** A repository of the product, as what people wrote names it. */
interface NamedRepository {
  id: string;
  name: string;
}

interface Searched {
  knowledge: KnowledgeIndex;
  plans: Plans;
  documents: Documents;
}

interface KnowledgeRequest {
  question: Question;
  corpora: readonly Corpus[];
  limit: number;
  /** All that are known, to tell where a document lies. */
  repositories: readonly NamedRepository[];
  /** Documentation and plans of other repositories are left out. */
  only: NamedRepository | undefined;
  signal: AbortSignal;
}

/** The locations of things that are files of repositories. */
interface Places {
  repositories: readonly NamedRepository[];
  /** Files of plans by their handle. */
  plans: ReadonlyMap<string, { repositoryId: string; path: string }>;
}

/** At most `limit` hits of each corpus. */
export async function knowledgeHits(
  { knowledge, plans, documents }: Searched,
  tenant: Tenant,
  { question, corpora, limit, repositories, only, signal }: KnowledgeRequest,
): Promise<KnowledgeFindings> {
  const { searchWords, terms, since } = question;
  const reading = corpora.includes('plans') ? readPlanFiles(plans, tenant) : Promise.resolve([]);
  const counting = corpora.includes('documents') ? countUnread(documents.db, tenant) : 0;
  const plain = {
    query: searchWords,
    corpora,
    limit,
    perCorpus: true,
    byMeaning: true,
    ...(since !== undefined && { since }),
  };
  const rank = async (): Promise<RankedResult> => {
    if (only === undefined) return knowledge.rank(tenant, plain, signal);
    const others = (await reading).filter(({ repositoryId }) => repositoryId !== only.id);
    const from = { repository: only.name, without: others.map(({ slug }) => `plan:${slug}`) };
    return knowledge.rank(tenant, { ...plain, from }, signal);
  };
  // All at once: each waits for its turn at the embedded database.
  const [files, unread, ranked] = await Promise.all([reading, counting, rank()]);
  const { hits, totals, coverage, entriesWith, revision } = ranked;
  const isMissed = corpora.includes('documents') && totals.documents === 0;
  const failed = isMissed ? await failedNotes(documents, tenant) : [];
  const places: Places = { repositories, plans: new Map(files.map((file) => [`plan:${file.slug}`, file])) };
  const entries = Object.values(coverage).reduce((sum, part) => sum + part.entries, 0);
  const counts = [{ documents: entries, having: terms.map((term) => entriesWith[term] ?? 0) }];
  const groups = Map.groupBy(hits, (hit) => hit.corpus);
  const findings = corpora.map((corpus): [SearchCorpus, CorpusFindings] => {
    const own = groups.get(corpus) ?? [];
    const best = own[0]?.score ?? 0;
    const candidates = own.map((hit) => candidateOf(hit, best, locateHit(hit, places)));
    const shared = { candidates, total: totals[corpus], counts, coverage: coverageText(corpus, coverage[corpus]) };
    // What is pending may be of any corpus: it is said once.
    const notes = corpus === corpora[0] ? pendingNotes(ranked) : [];
    if (corpus !== 'documents') return [corpus, { ...shared, notes }];
    const others = [...(unread > 0 ? [unreadNote(unread)] : []), ...failed];
    return [corpus, { ...shared, ...(unread > 0 && { unread }), notes: [...notes, ...others] }];
  });
  return { byCorpus: new Map(findings), revision };
}

/** The repository and path of a plan or of documentation that was taken from a repository. */
function locateHit(
  { id, kind, source }: KnowledgeHit,
  { repositories, plans }: Places,
): { repo?: string; path?: string } {
  const plan = plans.get(id);
  if (plan !== undefined) {
    const repo = repositories.find((repository) => repository.id === plan.repositoryId)?.name;
    return { ...(repo !== undefined && { repo }), path: plan.path };
  }
  if (kind !== 'product_doc') return {};
  // The name of one repository may begin with that of another.
  const names = repositories.map(({ name }) => name).filter((name) => source.startsWith(`${name}/`));
  const repo = names.toSorted((a, b) => b.length - a.length)[0];
  return repo === undefined ? { path: source } : { repo, path: source.slice(repo.length + 1) };
}

function candidateOf(hit: KnowledgeHit, best: number, location: { repo?: string; path?: string }): Candidate {
  const { corpus, id, part, title, section, date, terms, headTerms, meaning, customer, segment, source, score } = hit;
  const who = [customer, segment === '' ? '' : `(${segment})`, source].filter((word) => word !== '').join(' ');
  const file = [location.repo, location.path].filter((word) => word !== undefined).join(': ');
  return {
    corpus,
    id,
    title,
    where: corpus === 'signals' ? who : [file, section].filter((word) => word !== '').join(' · '),
    date,
    terms,
    headTerms,
    meaning,
    relevance: best > 0 ? score / best : 0,
    sameness: `${id} ${part}`,
    thing: `${corpus} ${id}`,
    part,
    ...location,
    ...(corpus === 'signals' || source === '' ? {} : { source }),
    snippet: '',
  };
}

/** Says that documents are not found yet. */
export function unreadNote(unread: number): string {
  return `${counted(unread, 'document')} not read yet: ask again in a moment`;
}

/** Returns notes on what a search may lack: changes that are not indexed yet, and missing meanings. */
export function pendingNotes({
  pending,
  vectors = { pending: 0, total: 0 },
  failure,
}: Pick<RankedResult, 'pending' | 'vectors' | 'failure'>): string[] {
  return [
    ...(pending === 0 ? [] : [`${counted(pending, 'change')} not read yet: ask again in a moment`]),
    ...(vectors.pending === 0
      ? []
      : [`vectors pending ${vectors.pending} of ${vectors.total}: these are found by words`]),
    ...(failure === undefined ? [] : [`${failure} What people wrote was searched by words.`]),
  ];
}

function coverageText(corpus: Corpus, { things, newest }: CorpusCoverage): string {
  if (things === 0) return NOTHING[corpus];
  return newest === undefined ? `${things}` : `${things}, newest ${dayOf(newest)}`;
}

/** Documents that an answer without documents names because they could not be read. */
const MOST_FAILED = 5;

/** Returns notes on the documents that could not be read, the first five; none without any. */
export async function failedNotes({ db }: Documents, tenant: Tenant): Promise<string[]> {
  const { total, documents } = await selectFailed(db, tenant, MOST_FAILED);
  if (total === 0) return [];
  const named = documents.map(({ name, reason }) => `${name} (${reason.replace(/\.$/, '')})`).join(', ');
  return [`not read: ${named}${total > documents.length ? ` and ${total - documents.length} more` : ''}`];
}
