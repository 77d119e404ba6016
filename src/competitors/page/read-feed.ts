import { dayOf } from '../../kernel/time.ts';
import { parseFeed } from 'htmlparser2';
import { normalText, type PageText } from './page-text.ts';

const MOST_ENTRIES = 200;
const ENTRY_CHARACTERS = 2_000;

/** Reads RSS, Atom or RDF: each entry is a block of its date, title and text, newest first as feeds have them. */
export function readFeed(xml: string): PageText {
  const feed = parseFeed(xml);
  const blocks = (feed?.items ?? [])
    .slice(0, MOST_ENTRIES)
    .map(({ title = '', description = '', link = '', pubDate }) => {
      const day = pubDate === undefined || Number.isNaN(pubDate.getTime()) ? '' : dayOf(pubDate);
      const name = plainText(title) === '' ? link : plainText(title);
      const text = [day, name, plainText(description)].filter((part) => part !== '').join(' · ');
      return { text: text.slice(0, ENTRY_CHARACTERS), level: 0, place: 'feed' };
    });
  return { title: plainText(feed?.title ?? ''), blocks, isEmptyShell: false, isFeed: true };
}

/** Descriptions of entries are markup, written as text. */
function plainText(markup: string): string {
  return normalText(markup.replaceAll(/<[^<>]{0,2000}>/g, ' ').replaceAll(/&(?:nbsp|#160);/g, ' '));
}
