import { ServiceError } from '../../kernel/errors.ts';
import { type FetchOutcome, fetchPage } from '../fetch/fetch-page.ts';
import { type ChangeKind, isFrontPage, pageKind } from '../page/page-kind.ts';
import { isSameSite, sitemapAddresses } from '../page/site-addresses.ts';
import type { SiteLink } from '../page/site-links.ts';
import type { Competitors } from './context.ts';

/** A page of a site that is worth watching. */
interface ProposedPage {
  url: string;
  kind: ChangeKind;
  /** Source that named the page. */
  from: 'front page' | 'link' | 'sitemap' | 'feed';
}

/** Kinds that people watch, and how many pages of each are proposed at most. */
const PROPOSED_KINDS: readonly [kind: ChangeKind, most: number][] = [
  ['pricing', 2],
  ['changelog', 2],
  ['feature', 2],
  ['docs', 1],
  ['jobs', 1],
  ['legal', 2],
  ['positioning', 1],
];
const MOST_SITEMAPS = 5;
const MOST_ADDRESSES = 20_000;
const MOST_FEEDS = 1;

/**
 * Proposes pages of a site: its front page, what this links to and what its sitemaps name, by kind, and its feed. Fetches
 * the front page and at most five sitemaps, those of robots.txt first, as politely as every page.
 *
 * @param site a domain, or the address of a front page.
 * @throws ServiceError `bad_argument` for what is no site; `robots_denied` and `upstream_failed` when its front page cannot
 * be read.
 */
export async function proposePages(
  competitors: Competitors,
  site: string,
  signal: AbortSignal,
): Promise<ProposedPage[]> {
  const home = await frontPage(competitors, homeOf(site), signal);
  const links = await competitors.pages.links(home.text, home.url, signal);
  const mapped = await mappedAddresses(competitors, home.url, signal);
  const feeds = links.filter(({ isFeed }) => isFeed).slice(0, MOST_FEEDS);
  const candidates: ProposedPage[] = [
    ...links
      .filter(({ isFeed, url }) => !isFeed && url !== home.url)
      .map((link) => ({ url: link.url, kind: kindOf(link), from: 'link' as const })),
    ...mapped.map((url) => ({ url, kind: pageKind(url), from: 'sitemap' as const })),
  ];
  const pages: ProposedPage[] = [{ url: home.url, kind: 'positioning', from: 'front page' }];
  for (const [kind, most] of PROPOSED_KINDS) {
    const urls = new Set(pages.map(({ url }) => url));
    const fitting = candidates.filter(
      (candidate) => candidate.kind === kind && !urls.has(candidate.url) && !isFrontPage(candidate.url),
    );
    const distinct = [...new Map(fitting.toReversed().map((page) => [page.url, page])).values()];
    pages.push(...distinct.toSorted((a, b) => depthOf(a) - depthOf(b) || a.url.localeCompare(b.url)).slice(0, most));
  }
  return [...pages, ...feeds.map(({ url }) => ({ url, kind: 'changelog' as const, from: 'feed' as const }))];
}

/** The words of a link tell what its address does not. */
function kindOf({ url, text }: SiteLink): ChangeKind {
  const byAddress = pageKind(url);
  return byAddress === 'other' ? pageKind(url, [text]) : byAddress;
}

/** Pages near the front are about the whole; those that links lead to are meant to be found. */
function depthOf({ url, from }: ProposedPage): number {
  const { pathname, search, hostname } = new URL(url);
  const steps = pathname.split('/').filter((part) => part !== '').length;
  return steps + (search === '' ? 0 : 2) + (from === 'link' ? 0 : 0.5) + (hostname.split('.').length > 3 ? 0.25 : 0);
}

function homeOf(site: string): URL {
  const text = site.trim();
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}/`);
  if (url !== null && /\.|^localhost$/.test(url.hostname)) return url;
  throw new ServiceError('bad_argument', `"${site.slice(0, 200)}" is not a domain.`, {
    fix: 'Use a domain such as acme.example, or the address of a front page.',
  });
}

async function frontPage(
  competitors: Competitors,
  home: URL,
  signal: AbortSignal,
): Promise<{ url: string; text: string }> {
  const outcome = await fetchText(competitors, home.href, signal);
  if (outcome.kind === 'page') return { url: outcome.movedTo ?? home.href, text: outcome.text };
  if (outcome.kind === 'robots_denied') {
    throw new ServiceError('robots_denied', `${home.host} forbids fetching its front page.`, {
      fix: 'Name the pages to watch yourself.',
    });
  }
  const why = outcome.kind === 'failed' ? outcome.message : 'It is not there.';
  throw new ServiceError('upstream_failed', `The front page of ${home.host} cannot be read: ${why}`, {
    fix: 'Check the domain, or name the pages to watch yourself.',
  });
}

/** Addresses of the site that its sitemaps name; none of them has to be there. */
async function mappedAddresses(competitors: Competitors, home: string, signal: AbortSignal): Promise<string[]> {
  const { hostname } = new URL(home);
  const named = competitors.fetcher.robots.sitemapsOf(new URL(home));
  const waiting = [...new Set([...named, new URL('/sitemap.xml', home).href])];
  const addresses: string[] = [];
  for (let read = 0; read < MOST_SITEMAPS && waiting.length > 0 && addresses.length < MOST_ADDRESSES; read += 1) {
    const outcome = await fetchText(competitors, waiting.shift() ?? '', signal);
    if (outcome.kind !== 'page') continue;
    const { pages, sitemaps } = sitemapAddresses(outcome.text);
    waiting.push(...sitemaps);
    addresses.push(...pages);
  }
  return addresses.slice(0, MOST_ADDRESSES).filter((address) => {
    const url = URL.parse(address);
    return url !== null && /^https?:$/.test(url.protocol) && isSameSite(url.hostname, hostname);
  });
}

function fetchText({ fetcher }: Competitors, url: string, signal: AbortSignal): Promise<FetchOutcome> {
  return fetchPage(fetcher, { url, headers: {}, validators: {}, signal });
}
