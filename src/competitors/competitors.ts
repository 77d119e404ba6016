export { sendDueDigests } from './send-digest.ts';
export { openFetcher } from './fetch/fetch-page.ts';
export { PageReader } from './page/pages.ts';
export { type ChangeFilter, type ChangeRow, selectChanges } from './store/store-changes.ts';
export { checkDuePages, forgetOld } from './watch/schedule.ts';
export type { Competitors } from './watch/context.ts';
export { findCompetitor, listCompetitors, type WatchedCompetitor } from './watch/watch-list.ts';
