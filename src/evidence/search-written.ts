import { COMMIT_OUTPUTS } from '../commits/outputs/outputs.ts';
import { type SearchHit, SearchOutput } from '../search/search.ts';
import type { Reference, SourceKind } from './model/brief.ts';
import type { Operations } from './model/operations.ts';

/** The most of the message of a commit that is shown, in characters. */
const MESSAGE_CHARACTERS = 350;

const KINDS = {
  plans: 'plan',
  documents: 'document',
  signals: 'signal',
  decisions: 'decision',
  competitors: 'change',
} as const satisfies Partial<Record<SearchHit['corpus'], SourceKind>>;
type WrittenCorpus = keyof typeof KINDS;

/** True if a corpus contains texts of people about the product. */
export function isWritten(corpus: SearchHit['corpus']): corpus is WrittenCorpus {
  return corpus in KINDS;
}

/** A source of one corpus, with its date as ISO text; '' when it has none. */
interface DatedReference {
  reference: Reference;
  date: string;
}

/** The best hits of commits, or of one corpus of what people wrote, as sources. */
export async function searchCorpus(
  operations: Operations,
  {
    text,
    corpus,
    since,
    most,
  }: { text: string; corpus: SearchHit['corpus']; since?: string | undefined; most: number },
): Promise<DatedReference[]> {
  const args = { query: text, corpora: [corpus], limit: most, ...(since !== undefined && { since }) };
  const hits = (await operations.read('search-tool', args, SearchOutput))?.rows ?? [];
  const dates = new Map(hits.map(({ id, date = '' }) => [id, date]));
  const references = corpus === 'commits' ? await readCommits(operations, hits, most) : hits.flatMap(referToText);
  return references.map((reference) => ({ reference, date: dates.get(reference.id) ?? '' }));
}

/** The commits that fit a question best, with the beginning of their messages. */
export async function readCommits(
  operations: Operations,
  hits: readonly SearchHit[],
  most: number,
): Promise<Reference[]> {
  const best = hits.filter(({ corpus }) => corpus === 'commits').slice(0, most);
  return Promise.all(
    best.map(async ({ id, title, date = '', repo = '' }): Promise<Reference> => {
      const args = { action: 'show', query: id.replace(/^c:/, ''), ...(repo !== '' && { repo }) };
      const [shown] = (await operations.read('commit-tool', args, COMMIT_OUTPUTS.show))?.rows ?? [];
      const message = shown !== undefined && 'body' in shown ? shown.body : undefined;
      const body = (message ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, MESSAGE_CHARACTERS);
      return {
        id,
        kind: 'commit',
        repo,
        commit: id.replace(/^c:/, ''),
        text: body === '' ? title : `${title}\n${body}`,
        why: [date.slice(0, 10)],
      };
    }),
  );
}

/** Returns a text of people as a source; nothing for code and commits. */
export function referToText(hit: SearchHit): Reference[] {
  if (!isWritten(hit.corpus)) return [];
  const kind = KINDS[hit.corpus];
  const { id, title, section = '', snippet, date = '', repo = '' } = hit;
  const why = [title, section, date.slice(0, 10)].filter((word) => word !== '');
  return [{ id, kind, repo, text: snippet, why }];
}
