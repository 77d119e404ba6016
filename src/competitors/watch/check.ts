import type { Tenant } from '../../kernel/tenant.ts';
import { uuidv7, sha256 } from '../../kernel/ids.ts';
import { putEntries, putThings } from '../../knowledge/knowledge.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Db } from '../../platform/db.ts';
import type { Competitors } from './context.ts';
import { changeEntry } from './change-entry.ts';
import { type Look, lookAt } from '../detect/look.ts';
import { type FetchOutcome, fetchPage, type Validators } from '../fetch/fetch-page.ts';
import { type PageText, textOfBlocks } from '../page/page-text.ts';
import { describeThinPage, pageEntries, pageThing } from './page-entries.ts';
import { Places } from './places.ts';
import { summaryOf } from './summary.ts';
import { insertChange, touchCapture, upsertCapture } from '../store/store-changes.ts';
import {
  type CheckedPage,
  lockPage,
  type PageRow,
  type PageStatus,
  selectState,
  updateChecked,
} from '../store/store.ts';

const MINUTE_MS = 60_000;
/** Hosts that are asked at a time. */
const HOSTS_AT_A_TIME = 8;
/** Pages whose looks are begun and not ended; most of them wait between two fetches. */
const PAGES_AT_A_TIME = 64;
const LONGEST_BACK_OFF_MS = 24 * 60 * MINUTE_MS;
/** Part of the interval that a check is put off at random, so that pages of one host are not asked at the same minute. */
const JITTER = 0.1;
/** A page is gone when it is not there for so many checks. */
const GONE_CHECKS = 2;

export interface CheckResult {
  page: PageRow;
  status: PageStatus;
  /** Reason in words; '' when there is nothing to say. */
  detail: string;
  nextAllowedAt: Date;
  changeId?: string;
}

interface CheckOptions {
  signal: AbortSignal;
  /** Pause between two fetches of one look, besides what the site asks for: some noise changes with the minute only. */
  betweenMs?: number;
  /** Called after each page. */
  checked?: (result: CheckResult) => void;
}

/** Lets other looks go on while one waits. */
type Pause = (wait: () => Promise<void>) => Promise<void>;

interface LookOptions extends CheckOptions {
  pause: Pause;
}

/**
 * Checks pages: several hosts at a time, one page of a host after the other. While a look waits between two fetches, others
 * take its place. Each page is kept when it has been looked at, in
 * one transaction with what changed, so a stop loses no change and repeats no look. Gives results in the order of the pages;
 * those that the signal cut off are left out.
 */
export async function checkPages(
  competitors: Competitors,
  tenant: Tenant,
  pages: readonly PageRow[],
  options: CheckOptions,
): Promise<CheckResult[]> {
  const { signal, checked } = options;
  const results = new Map<string, CheckResult>();
  const places = new Places(HOSTS_AT_A_TIME);
  const hosts = [...Map.groupBy(pages, ({ url }) => new URL(url).host).values()].map((ofHost) => ({
    ofHost,
    turns: new Places(1),
  }));
  const next = byTurns(hosts).values();
  const work = async (): Promise<void> => {
    for (const { page, turns } of next) {
      if (signal.aborted) return;
      const pause: Pause = (wait) => places.pause(() => turns.pause(wait));
      const check = () => checkPage(competitors, tenant, page, { ...options, pause });
      const result = await turns
        .run(() => places.run(check))
        .catch((error: unknown) => {
          if (signal.aborted) return undefined;
          throw error;
        });
      if (result === undefined) return;
      results.set(page.id, result);
      checked?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(PAGES_AT_A_TIME, pages.length) }, work));
  return pages.flatMap(({ id }) => results.get(id) ?? []);
}

/** The first page of each host, then the second of each, and so on: hosts with many pages hold up no others. */
function byTurns(hosts: readonly { ofHost: readonly PageRow[]; turns: Places }[]): { page: PageRow; turns: Places }[] {
  const most = Math.max(0, ...hosts.map(({ ofHost }) => ofHost.length));
  return Array.from({ length: most }, (_, at) => at).flatMap((at) =>
    hosts.flatMap(({ ofHost, turns }) => ofHost.slice(at, at + 1).map((page) => ({ page, turns }))),
  );
}

/** Checks one page, unless it was checked just before: then it tells what that said. */
async function checkPage(
  competitors: Competitors,
  tenant: Tenant,
  page: PageRow,
  options: LookOptions,
): Promise<CheckResult> {
  const { db, now } = competitors;
  if (page.allowedAt > now()) {
    const { status, allowedAt } = page;
    const detail = `not fetched again before ${allowedAt.toISOString()}${page.detail === '' ? '' : `; ${page.detail}`}`;
    return { page, status, detail, nextAllowedAt: allowedAt };
  }
  const state = await selectState(db, tenant, page.id);
  const looking = new Looking(competitors, page, state !== undefined, options);
  const look = await lookAt({
    url: page.url,
    ...(page.kind !== 'other' && { kind: page.kind }),
    state,
    fetch: () => looking.fetch(),
  });
  return db.transaction().execute((tx) => keep(competitors, tx, { tenant, page, looking, look }));
}

/** The fetches of one look, and what became of the last one. */
class Looking {
  last: FetchOutcome | undefined;
  /** Of the first fetch of the look: what a later request has to be compared with. */
  validators: Validators | undefined;
  title = '';
  readonly #competitors: Competitors;
  readonly #page: PageRow;
  readonly #isKnown: boolean;
  readonly #signal: AbortSignal;
  readonly #betweenMs: number;
  readonly #pause: Pause;
  #fetches = 0;

  constructor(
    competitors: Competitors,
    page: PageRow,
    isKnown: boolean,
    { signal, pause, betweenMs = 0 }: LookOptions,
  ) {
    this.#competitors = competitors;
    this.#page = page;
    this.#isKnown = isKnown;
    this.#signal = signal;
    this.#betweenMs = betweenMs;
    this.#pause = pause;
  }

  /** The page as it is now; nothing when it is as it was, or cannot be read. */
  async fetch(): Promise<PageText | undefined> {
    const { fetcher, pages } = this.#competitors;
    const { url, settings, validators } = this.#page;
    const isFirst = this.#fetches === 0;
    this.#fetches += 1;
    if (!isFirst && this.#betweenMs > 0) await this.#pause(() => fetcher.wait(this.#betweenMs, this.#signal));
    this.last = await fetchPage(fetcher, {
      url,
      headers: { ...settings.headers, ...(!isFirst && { 'cache-control': 'no-cache' }) },
      // What a page with scripts shows may be new though its source is not.
      validators: isFirst && this.#isKnown && settings.render !== 'browser' ? validators : {},
      signal: this.#signal,
    });
    if (this.last.kind !== 'page') return undefined;
    try {
      const text = await (this.last.isFeed
        ? pages.feed(this.last.text, this.#signal)
        : pages.page(await this.#sourceOf(this.last), settings, this.#signal));
      if (text.isEmptyShell) return this.#fail(this.#emptyText());
      if (isFirst) [this.validators, this.title] = [this.last.validators, text.title];
      return text;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#fail(error.message);
    }
  }

  /** The page as its site sent it, or as its scripts made it. */
  async #sourceOf({ url, text }: Extract<FetchOutcome, { kind: 'page' }>): Promise<string> {
    const { renderer } = this.#competitors;
    if (this.#page.settings.render !== 'browser') return text;
    if (renderer !== undefined) return renderer.render({ url, html: text, signal: this.#signal });
    throw new ServiceError('upstream_failed', 'The page is to be read with a browser, and this service has none.', {
      fix: 'Set SVC_CHROMIUM.',
    });
  }

  #emptyText(): string {
    if (this.#page.settings.render === 'browser') return 'The page shows next to nothing, also after its scripts ran.';
    const how = this.#competitors.renderer === undefined ? '' : '; its render mode "browser" runs them';
    return `The page shows next to nothing without scripts, which are not run${how}.`;
  }

  #fail(message: string): undefined {
    const httpStatus = this.last !== undefined && 'httpStatus' in this.last ? this.last.httpStatus : undefined;
    this.last = { kind: 'failed', httpStatus, message, retryAfterMs: undefined, isLimited: false };
    return undefined;
  }
}

interface Looked {
  tenant: Tenant;
  page: PageRow;
  looking: Looking;
  look: Look | undefined;
}

async function keep(competitors: Competitors, tx: Db, looked: Looked): Promise<CheckResult> {
  const { page, tenant } = looked;
  const { last } = looked.looking;
  if (last === undefined) throw new Error('A look fetches at least once.');
  const locked = await lockPage(tx, tenant, page.id);
  // Another check was quicker, or the page is gone: what it kept stands, and nothing is told twice.
  if (locked === undefined || locked.checkedAt?.getTime() !== page.checkedAt?.getTime()) {
    const { status, allowedAt } = page;
    return { page, status, detail: 'Another check looked at the page at the same time.', nextAllowedAt: allowedAt };
  }
  const at = competitors.now();
  const next = { checkedAt: at, hasChanged: false, failures: 0, ...timesOf(competitors, page, { at, failures: 0 }) };
  if (looked.look !== undefined && !looked.look.isReplaced) return keepLook(tx, looked, next);
  if (last.kind === 'unchanged') {
    if (page.captureId !== null) await touchCapture(tx, tenant, page.captureId, at);
    return save(tx, looked, { ...next, id: page.id, status: 'same', detail: '' });
  }
  const failures = page.failures + 1;
  const isReplaced = looked.look?.isReplaced === true;
  const { retryAfterMs, isLimited } = last.kind === 'failed' ? last : { retryAfterMs: undefined, isLimited: false };
  const later = timesOf(competitors, page, { at, failures, retryAfterMs, isLimited });
  const outcome = statusOf(last, isReplaced);
  const isGone = last.kind === 'gone' && failures === GONE_CHECKS && page.captureId !== null;
  const changeId = isGone ? await keepGone(tx, looked, at) : undefined;
  const state = isReplaced ? looked.look?.state : undefined;
  const result = await save(tx, looked, {
    ...next,
    ...later,
    ...outcome,
    id: page.id,
    failures,
    state,
    hasChanged: isGone,
  });
  return { ...result, ...(changeId !== undefined && { changeId }) };
}

function statusOf(last: FetchOutcome, isReplaced: boolean): { status: PageStatus; detail: string } {
  if (isReplaced) {
    const detail =
      'The page says something quite different, as during maintenance; it is told when the next check sees it too.';
    return { status: 'error', detail };
  }
  if (last.kind === 'robots_denied')
    return { status: 'robots_denied', detail: 'robots.txt forbids fetching this page.' };
  if (last.kind === 'gone')
    return { status: 'removed', detail: `The site answers ${last.httpStatus}: the page is not there.` };
  return { status: 'error', detail: last.kind === 'failed' ? last.message : '' };
}

interface Times {
  at: Date;
  failures: number;
  retryAfterMs?: number | undefined;
  isLimited?: boolean;
}

/** Returns when a page is due again, and the time before which it may not be requested: later after each failure. */
function timesOf(
  { shortestIntervalMs }: Competitors,
  page: PageRow,
  { at, failures, retryAfterMs = 0, isLimited = false }: Times,
): { dueAt: Date; allowedAt: Date } {
  const everyMs = Math.max(page.everyMinutes * MINUTE_MS, shortestIntervalMs);
  const backOffMs = failures === 0 ? 0 : Math.min(LONGEST_BACK_OFF_MS, everyMs * 2 ** Math.min(failures - 1, 10));
  const putOffMs = Math.max(everyMs, backOffMs) * (1 + Math.random() * JITTER);
  return {
    dueAt: new Date(at.getTime() + Math.max(putOffMs, retryAfterMs)),
    allowedAt: new Date(at.getTime() + Math.max(shortestIntervalMs, isLimited ? retryAfterMs : 0)),
  };
}

type Next = Omit<CheckedPage, 'id' | 'status' | 'detail'>;

async function keepLook(tx: Db, looked: Looked, next: Next): Promise<CheckResult> {
  const { tenant, page, looking, look } = looked;
  if (look === undefined) throw new Error('There is a look to keep.');
  const { last, title, validators } = looking;
  const text = textOfBlocks(look.state.blocks);
  const at = next.checkedAt;
  const captureId = await upsertCapture(tx, tenant, {
    id: uuidv7(at),
    pageId: page.id,
    hash: sha256(text),
    title,
    text,
    httpStatus: last?.kind === 'page' ? last.httpStatus : 0,
    fetchedAt: at,
  });
  const movedTo = last?.kind === 'page' ? last.movedTo : undefined;
  const saved = {
    ...next,
    id: page.id,
    isSearchable: true,
    state: look.state,
    captureId,
    movedTo,
    validators: validators ?? {},
  };
  const notes = [movedTo === undefined ? '' : `The page moved to ${movedTo}.`, describeThinPage(look.state.blocks)];
  const detail = notes.filter((note) => note !== '').join(' ');
  const isNewText = page.captureId !== captureId || !page.isSearchable;
  if (look.change === undefined) {
    const result = await save(tx, looked, { ...saved, status: page.captureId === null ? 'new' : 'same', detail });
    if (isNewText) await putEntries(tx, tenant, pageThing(page), pageEntries(page, { title, text, at }));
    return result;
  }
  const { kind, severity, reasons, added, removed } = look.change;
  const id = uuidv7(at);
  const { statements } = look.change;
  const summary = summaryOf({ statements, added, removed, reasons });
  const change = {
    id,
    competitorId: page.competitorId,
    pageId: page.id,
    at,
    kind,
    severity,
    summary,
    reasons,
    added,
    removed,
    statements,
  };
  await insertChange(tx, tenant, { ...change, beforeId: page.captureId, afterId: captureId });
  const message = [summary, detail].filter((note) => note !== '').join(' · ');
  const result = await save(tx, looked, { ...saved, status: 'changed', detail: message, hasChanged: true });
  const entry = changeEntry({ ...change, competitor: page.competitor, url: page.url });
  await putThings(tx, tenant, [
    { corpus: 'competitors', id: `chg:${id}`, entries: [entry] },
    { ...pageThing(page), entries: pageEntries(page, { title, text, at }) },
  ]);
  return { ...result, changeId: id };
}

/** A page that is not there any more is a change too. */
async function keepGone(tx: Db, { tenant, page }: Looked, at: Date): Promise<string> {
  const id = uuidv7(at);
  const summary = 'The page is not there any more.';
  const change = {
    id,
    competitorId: page.competitorId,
    pageId: page.id,
    at,
    kind: page.kind,
    severity: 'high' as const,
    summary,
    reasons: [`the site answered that the page is not there at ${GONE_CHECKS} checks in a row`],
    added: [],
    removed: [],
    statements: [],
  };
  await insertChange(tx, tenant, { ...change, beforeId: page.captureId, afterId: null });
  await putEntries(tx, tenant, { corpus: 'competitors', id: `chg:${id}` }, [
    changeEntry({ ...change, competitor: page.competitor, url: page.url }),
  ]);
  return id;
}

async function save(tx: Db, { tenant, page }: Looked, checked: CheckedPage): Promise<CheckResult> {
  await updateChecked(tx, tenant, checked);
  return { page, status: checked.status, detail: checked.detail, nextAllowedAt: checked.allowedAt };
}
