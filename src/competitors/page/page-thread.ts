import { workerData } from 'node:worker_threads';
import { yieldThread } from '../../platform/background.ts';
import { serveTasks } from '../../platform/threads.ts';
import type { PageText, Selection } from './page-text.ts';
import { readFeed } from './read-feed.ts';
import { readPage } from './read-page.ts';
import { type SiteLink, siteLinks } from './site-links.ts';

/** What the thread is asked for: what a page or a feed says, or where a page leads to on its own site. */
export type PageTask =
  | { kind: 'page'; text: string; selection: Selection }
  | { kind: 'feed'; text: string }
  | { kind: 'links'; text: string; url: string };

yieldThread();
serveTasks(workerData as { data: undefined; stop: Int32Array }, () => (task: PageTask): PageText | SiteLink[] => {
  switch (task.kind) {
    case 'page':
      return readPage(task.text, task.selection);
    case 'feed':
      return readFeed(task.text);
    case 'links':
      return siteLinks(task.text, task.url);
  }
});
