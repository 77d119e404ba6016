import { parseHTML } from 'linkedom';
import type { PageElement } from './element.ts';
import { isSameSite } from './site-addresses.ts';

const MOST_LINKS = 2_000;
const FEED_TYPES = /^application\/(?:rss|atom)\+xml$/i;

/** An address that a page names, with the words of the link. */
export interface SiteLink {
  url: string;
  text: string;
  isFeed: boolean;
}

/** Links and feeds of a page that lead to its own site, each address once, in the order of the page. */
export function siteLinks(html: string, base: string): SiteLink[] {
  const { document } = parseHTML(html);
  const links: PageElement[] = [...document.querySelectorAll('a[href], link[rel=alternate][href]')];
  const linkOf = new Map<string, SiteLink>();
  for (const link of links.slice(0, MOST_LINKS)) {
    const url = URL.parse(link.getAttribute('href') ?? '', base);
    if (url === null || !/^https?:$/.test(url.protocol) || !isSameSite(url.hostname, new URL(base).hostname)) continue;
    url.hash = '';
    const isFeed = FEED_TYPES.test(link.getAttribute('type') ?? '');
    if (link.tagName.toUpperCase() === 'LINK' && !isFeed) continue;
    if (!linkOf.has(url.href)) linkOf.set(url.href, { url: url.href, text: (link.textContent ?? '').trim(), isFeed });
  }
  return [...linkOf.values()];
}
