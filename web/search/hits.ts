import { linkOptions } from '@tanstack/react-router';
import type { SearchHit, SearchOutput } from '../../src/search/search-output.ts';
import { readLines } from '../code/address.ts';
import { fileLink } from '../code/links.ts';
import { type ToolAnswer, toolPages, toolQuery } from '../queries.ts';
import type { Corpus } from '../search-parameters.ts';

const PAGE = 20;

export type HitPage = ToolAnswer<typeof SearchOutput> & {
  /** Of one repository, or of each. */
  index: IndexState | IndexState[];
};

interface IndexState {
  repo?: string;
  state: string;
}

/** A search over everything; `corpus` narrows it to one kind of source. */
interface Question {
  query: string;
  corpus?: Corpus | undefined;
  repo?: string | undefined;
  since?: string | undefined;
}

/** The arguments of `search-tool`, without what is not said. */
export function argumentsOf({ query, corpus, repo = '*', since }: Question): Record<string, unknown> {
  return { query, repo, ...(corpus !== undefined && { corpora: [corpus] }), ...(since !== undefined && { since }) };
}

export function hitsQuery(product: string, question: Question) {
  const given = { ...argumentsOf(question), limit: PAGE };
  return toolPages<HitPage>('search', { product, name: 'search-tool' }, given, { keeps: true });
}

/** Reads the number of hits of each kind of source, whichever is chosen. */
export function hitCountsQuery(product: string, { query, repo, since }: Question) {
  const given = { ...argumentsOf({ query, repo, since }), limit: 1 };
  return toolQuery<HitPage>('search', { product, name: 'search-tool' }, given, { keeps: true });
}

/** The place of a hit as a page says it: one line is no range. */
export function formatLocation({ where }: Pick<SearchHit, 'where'>): string {
  return where.replace(/:(\d+)-\1$/, ':$1');
}

/** Returns the address of the page of a hit. */
export function hitLink({ corpus, id, where, repo = '', path = '' }: SearchHit) {
  const handle = id.slice(id.indexOf(':') + 1);
  switch (corpus) {
    case 'code':
      return fileLink({ repo, path, lines: readLines(`L${/:([\d-]+)$/.exec(where)?.[1] ?? ''}`) });
    case 'commits':
      return linkOptions({
        to: '/history/$repositoryId/commits/$sha',
        params: { repositoryId: repo, sha: handle },
      });
    case 'plans':
      // A part of a plan is on its page: plan:faster#R1.
      return linkOptions({ to: '/plans/$slug', params: { slug: handle.replace(/[#/].*/, '') } });
    case 'documents':
      return linkOptions({ to: '/documents/$documentId', params: { documentId: id } });
    case 'decisions':
      return linkOptions({ to: '/decisions/$decisionId', params: { decisionId: id } });
    case 'signals':
      return linkOptions({ to: '/signals/$signalId', params: { signalId: id } });
    case 'competitors':
      return linkOptions({ to: '/competitors' });
  }
}
