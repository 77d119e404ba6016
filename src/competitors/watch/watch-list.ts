import type { Tenant } from '../../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../../accounts/accounts.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { isUuid, uuidv7 } from '../../kernel/ids.ts';
import { removeThings } from '../../knowledge/knowledge.ts';
import type { Db } from '../../platform/db.ts';
import { allowedUrl } from '../../platform/net.ts';
import type { Competitors } from './context.ts';
import { type ChangeKind, pageKind } from '../page/page-kind.ts';
import { pageThing } from './page-entries.ts';
import { selectChanges } from '../store/store-changes.ts';
import {
  type CompetitorRow,
  deleteCompetitor,
  deletePage,
  insertCompetitor,
  insertPage,
  type PageRow,
  type PageSettings,
  selectCompetitors,
  selectPages,
  updatePage,
} from '../store/store.ts';

const NAME_CHARACTERS = 80;
const URL_CHARACTERS = 2_048;
const MOST_COMPETITORS = 200;
const MOST_PAGES = 2_000;
const DEFAULT_MINUTES = 24 * 60;
/** Set by the service itself, or by the connection. */
const OWN_HEADERS =
  /^(?:host|connection|content-.*|transfer-.*|user-agent|accept-encoding|if-.*|cookie|authorization|proxy-.*|te|upgrade|via)$/i;

/** A page as somebody wants it watched. */
export interface PageToWatch {
  url: string;
  kind?: ChangeKind | undefined;
  settings?: Partial<PageSettings> | undefined;
  everyMinutes?: number | undefined;
}

/** A competitor with its pages. */
export interface WatchedCompetitor extends CompetitorRow {
  pages: PageRow[];
}

/** All of the product, by name, with their pages by address. Two queries. */
export async function listCompetitors({ db }: Pick<Competitors, 'db'>, tenant: Tenant): Promise<WatchedCompetitor[]> {
  const pages = Map.groupBy(await selectPages(db, tenant), ({ competitorId }) => competitorId);
  return (await selectCompetitors(db, tenant)).map((row) => ({ ...row, pages: pages.get(row.id) ?? [] }));
}

/**
 * Adds a competitor, or pages to the one that has this name. Pages that are watched already stay as they are.
 *
 * @throws ServiceError `bad_argument` for a name or an address that cannot be used; `conflict` when there are too many.
 */
export async function watchCompetitor(
  competitors: Competitors,
  tenant: ProductRequest,
  { name, domain = '', pages }: { name: string; domain?: string | undefined; pages: readonly PageToWatch[] },
): Promise<WatchedCompetitor> {
  const { db, now } = competitors;
  const checked = pages.map((page) => ({ ...page, url: checkedUrl(competitors, page.url) }));
  for (const { settings } of checked) checkSettings(competitors, settings ?? {});
  const added = { id: uuidv7(now()), name: checkedName(name), domain, createdAt: now(), createdBy: tenant.actor };
  await db.transaction().execute(async (tx) => {
    const isNew = await insertCompetitor(tx, tenant, added);
    const all = await listCompetitors({ db: tx }, tenant);
    const competitor = all.find(
      (watchedCompetitor) => watchedCompetitor.name.toLowerCase() === added.name.toLowerCase(),
    );
    if (competitor === undefined) throw new Error('A competitor that was added is there.');
    checkNumbers(all, checked.length);
    if (isNew)
      await audit(tx, tenant, { action: 'competitor.add', target: competitor.id, detail: { name: added.name } }, now());
    for (const page of checked) await addPage(tx, tenant, { competitor, page, at: now() });
  });
  return findCompetitor(competitors, tenant, added.name);
}

async function addPage(
  tx: Db,
  tenant: ProductRequest,
  { competitor, page, at }: { competitor: CompetitorRow; page: PageToWatch; at: Date },
): Promise<void> {
  const { url, kind = pageKind(url), settings, everyMinutes = DEFAULT_MINUTES } = page;
  const id = uuidv7(at);
  const row = { id, competitorId: competitor.id, url, kind, settings: wholeSettings(settings), everyMinutes };
  if (!(await insertPage(tx, tenant, { ...row, createdAt: at, dueAt: at }))) return;
  await audit(tx, tenant, { action: 'competitor.watch', target: id, detail: { name: competitor.name, url } }, at);
}

/**
 * Changes how a page is watched. When something else is read of it, its next check is like its first.
 *
 * @throws ServiceError `unknown_id`, `bad_argument`.
 */
export async function changePage(
  competitors: Competitors,
  tenant: ProductRequest,
  { id, kind, settings, everyMinutes }: Omit<PageToWatch, 'url'> & { id: string },
): Promise<PageRow> {
  const { db, now } = competitors;
  checkSettings(competitors, settings ?? {});
  await db.transaction().execute(async (tx) => {
    const page = await findPage({ db: tx }, tenant, id);
    const next = wholeSettings({ ...page.settings, ...settings });
    const change = {
      id: page.id,
      kind: kind ?? page.kind,
      settings: next,
      everyMinutes: everyMinutes ?? page.everyMinutes,
    };
    await updatePage(tx, tenant, {
      ...change,
      isReadAnew: JSON.stringify(next) !== JSON.stringify(wholeSettings(page.settings)),
    });
    await audit(
      tx,
      tenant,
      { action: 'competitor.watch', target: page.id, detail: { name: page.competitor, url: page.url } },
      now(),
    );
  });
  return findPage({ db }, tenant, id);
}

/** @throws ServiceError `unknown_id`. */
export async function findCompetitor(
  parts: Pick<Competitors, 'db'>,
  tenant: Tenant,
  reference: string,
): Promise<WatchedCompetitor> {
  const all = await listCompetitors(parts, tenant);
  const key = reference.trim().toLowerCase();
  const competitor = all.find(({ id, name, domain }) => [id, name.toLowerCase(), domain].includes(key) && key !== '');
  if (competitor !== undefined) return competitor;
  const names = all.slice(0, 10).map(({ name }) => `"${name}"`);
  throw new ServiceError('unknown_id', `There is no competitor "${reference.slice(0, 80)}".`, {
    fix: names.length === 0 ? 'Add one first: svc competitor add <domain>' : `Use one of ${names.join(', ')}.`,
  });
}

/** A page by its id or address. @throws ServiceError `unknown_id`. */
export async function findPage({ db }: Pick<Competitors, 'db'>, tenant: Tenant, reference: string): Promise<PageRow> {
  const pages = await selectPages(db, tenant);
  const page = pages.find(({ id, url }) => id === reference || url === reference || url === URL.parse(reference)?.href);
  if (page !== undefined) return page;
  throw new ServiceError('unknown_id', `No page "${reference.slice(0, 200)}" is watched.`, {
    fix: 'competitor-tool list names the watched pages.',
  });
}

/** Stops watching a competitor, and forgets what its pages said. @throws ServiceError `unknown_id`. */
export async function removeCompetitor(
  competitors: Competitors,
  tenant: ProductRequest,
  reference: string,
): Promise<void> {
  const { db, now } = competitors;
  const { id, name, pages } = await findCompetitor(competitors, tenant, reference);
  await db.transaction().execute(async (tx) => {
    const changes = await allChanges(tx, tenant, { competitorId: id });
    if (!(await deleteCompetitor(tx, tenant, id))) return;
    await audit(tx, tenant, { action: 'competitor.remove', target: id, detail: { name } }, now());
    await removeThings(tx, tenant, [...changes, ...pages.map(pageThing)]);
  });
}

/** Stops watching a page, and forgets what it said. @throws ServiceError `unknown_id`. */
export async function removePage({ db, now }: Competitors, tenant: ProductRequest, reference: string): Promise<void> {
  const { id, url, competitor: name } = await findPage({ db }, tenant, reference);
  await db.transaction().execute(async (tx) => {
    const changes = await allChanges(tx, tenant, { pageId: id });
    if (!(await deletePage(tx, tenant, id))) return;
    await audit(tx, tenant, { action: 'competitor.unwatch', target: id, detail: { name, url } }, now());
    await removeThings(tx, tenant, [...changes, pageThing({ id })]);
  });
}

/** As searches know them. */
async function allChanges(tx: Db, tenant: Tenant, of: { competitorId?: string; pageId?: string }) {
  const { rows } = await selectChanges(tx, tenant, { ...of, limit: 100_000, offset: 0 });
  return rows.map(({ id }) => ({ corpus: 'competitors' as const, id: `chg:${id}` }));
}

function audit(
  tx: Db,
  { accountId, actor }: ProductRequest,
  change: {
    action: 'competitor.add' | 'competitor.watch' | 'competitor.unwatch' | 'competitor.remove';
    target: string;
    detail: Record<string, unknown>;
  },
  at: Date,
): Promise<void> {
  return recordAudit(tx, { accountId, actor, at, ...change });
}

function checkNumbers(all: readonly WatchedCompetitor[], more: number): void {
  const pages = all.reduce((sum, competitor) => sum + competitor.pages.length, 0);
  if (all.length <= MOST_COMPETITORS && pages + more <= MOST_PAGES) return;
  throw new ServiceError(
    'conflict',
    `A product watches at most ${MOST_COMPETITORS} competitors with ${MOST_PAGES} pages.`,
    {
      fix: 'Remove some first: svc competitor remove <name>',
    },
  );
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= NAME_CHARACTERS && !isUuid(trimmed)) return trimmed;
  throw new ServiceError('bad_argument', 'A competitor needs a name.', {
    fix: `Use 1 to ${NAME_CHARACTERS} characters.`,
  });
}

/** Checks a requested address and returns it. The host that its name resolves to is checked when it is called. */
function checkedUrl({ fetcher }: Competitors, text: string): string {
  const url = URL.parse(text.trim());
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isUsable && url.href.length <= URL_CHARACTERS) {
    url.hash = '';
    return allowedUrl(fetcher.net, url.href, true).href;
  }
  throw new ServiceError('bad_argument', `"${text.slice(0, 200)}" is not the address of a page.`, {
    fix: 'Use an http or https address without a user name.',
  });
}

function wholeSettings({
  render = 'none',
  include = [],
  remove = [],
  ignore = [],
  headers = {},
}: Partial<PageSettings> = {}): PageSettings {
  return { render, include, remove, ignore, headers };
}

function checkSettings({ renderer }: Competitors, { render, headers = {} }: Partial<PageSettings>): void {
  if (render === 'browser' && renderer === undefined) {
    throw new ServiceError('bad_argument', 'This service has no browser to read pages with.', {
      fix: 'Ask whoever runs it to set SVC_CHROMIUM, or use render "none".',
    });
  }
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\w-]{1,60}$/.test(name) && !OWN_HEADERS.test(name) && /^[\t\x20-\x7e]{0,500}$/.test(value)) continue;
    throw new ServiceError('bad_argument', `The header "${name.slice(0, 60)}" cannot be sent.`, {
      fix: 'Use headers such as Accept-Language. Headers that log in are not supported: they would be stored as plain text.',
    });
  }
}
