import { serveProcessTasks } from '../../platform/processes.ts';
import type { PageText, Selection } from './page-text.ts';
import { readFeed } from './read-feed.ts';
import { readPage } from './read-page.ts';
import { type SiteLink, siteLinks } from './site-links.ts';

/** Task of the process: read the text of a page or a feed, or the links of a page to its own site. */
export type PageTask =
  | { kind: 'page'; text: string; selection: Selection }
  | { kind: 'feed'; text: string }
  | { kind: 'links'; text: string; url: string };

serveProcessTasks((task: PageTask): PageText | SiteLink[] => {
  switch (task.kind) {
    case 'page':
      return readPage(task.text, task.selection);
    case 'feed':
      return readFeed(task.text);
    case 'links':
      return siteLinks(task.text, task.url);
  }
});
