export { sendDueDigests } from './send-digest.ts';
export { DIGEST_SECRETS } from './store/store-digest.ts';
export { openFetcher } from './fetch/fetch-page.ts';
export { PageReader } from './page/pages.ts';
export { Renderer } from './render/renderer.ts';
export { checkDuePages, forgetOld } from './watch/schedule.ts';
export { listCompetitors } from './watch/watch-list.ts';
export type { Competitors } from './watch/context.ts';
export { type CompetitorHeadings, selectCompetitorHeadings } from './store/store-headings.ts';
