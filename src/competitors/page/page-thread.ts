import { workerData } from 'node:worker_threads';
import { yieldThread } from '../../platform/background.ts';
import { serveTasks } from '../../platform/threads.ts';
import type { PageText, Selection } from './page-text.ts';
import { readPage } from './read-page.ts';

export interface PageTask {
  html: string;
  selection: Selection;
}

yieldThread();
serveTasks(workerData as { data: undefined; stop: Int32Array }, () => ({ html, selection }: PageTask): PageText => {
  return readPage(html, selection);
});
