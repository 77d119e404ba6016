import { ZodError } from 'zod';
import type { Tenant } from '../../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../../accounts/accounts.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { openSealed } from '../../platform/sealed-column.ts';
import { sealSecret } from '../../platform/secrets.ts';
import { importRecords } from '../import/import.ts';
import { givenSignal, NewSignalBody } from '../signal-bodies.ts';
import { gatherThemes, saveSignals } from '../signals.ts';
import { SOURCE_NAMES, type SignalSources, type SourceKind } from './context.ts';
import { SOURCE_APIS } from './read-source.ts';
import { PutOff, type SourceLine } from './source-line.ts';
import {
  deleteSource,
  finishReading,
  insertSource,
  selectDueSources,
  selectSources,
  SOURCE_TOKENS,
  type SourceRow,
  updateCursor,
} from './store-sources.ts';

export type { SignalSources } from './context.ts';
export { SOURCE_TOKENS } from './store-sources.ts';

const MINUTE_MS = 60_000;
const FIRST_RETRY_MINUTES = 5;
const MOST_RETRY_MINUTES = 1_440;
const MOST_SOURCES = 50;

/** Base address of the interface of each tool, and the form of the name of a project there. */
const PLACES: Readonly<Record<SourceKind, { url?: string; path: string; project: RegExp; like: string }>> = {
  github: {
    url: 'https://api.github.com',
    path: '/api/v3',
    project: /^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/,
    like: 'owner/repository',
  },
  gitlab: {
    url: 'https://gitlab.com',
    path: '/api/v4',
    project: /^(?:\d+|[\w-][\w.-]*(?:\/[\w-][\w.-]*)+)$/,
    like: 'group/project',
  },
  zendesk: { path: '', project: /^$/, like: 'no project: all tickets of the account are read' },
  intercom: { url: 'https://api.intercom.io', path: '', project: /^$/, like: 'no project: all conversations are read' },
  slack: {
    url: 'https://slack.com/api',
    path: '/api',
    project: /^[CG][A-Z0-9]{5,20}$/,
    like: 'the id of a channel, such as C0123456789',
  },
};

/** Settings with which a person connects a source. */
export interface NewSource {
  kind: SourceKind;
  /** Absent: the public address; Zendesk has none. */
  baseUrl?: string | undefined;
  project?: string | undefined;
  userName?: string | undefined;
  token: string;
  everyMinutes: number;
}

/**
 * Connects a tool, once it was asked whether it accepts the token and knows the project. It is read soon, and then again and again.
 *
 * @throws ServiceError `bad_argument` for an address or project that cannot be one, `conflict` when the tool does not accept the
 * token or the project, or it is connected already, `upstream_failed`.
 */
export async function connectSource(
  { signals, net }: SignalSources,
  tenant: ProductRequest,
  { kind, baseUrl = '', project = '', userName = '', token, everyMinutes }: NewSource,
): Promise<SourceRow> {
  const place = { kind, baseUrl: urlOf(kind, baseUrl.trim()), project: projectOf(kind, project.trim()), userName };
  const { db, secretKeys, now } = signals;
  if ((await selectSources(db, tenant)).length >= MOST_SOURCES)
    throw new ServiceError('conflict', `The product already has ${MOST_SOURCES} sources, the most that it may have.`, {
      fix: 'Remove one first.',
    });
  await asFault(kind, SOURCE_APIS[kind].check({ ...place, token, net }, now()));
  const at = now();
  const id = uuidv7(at);
  const { accountId, productId, actor } = tenant;
  const sealed = sealSecret(secretKeys, token, SOURCE_TOKENS.contextOf(id));
  const row = {
    accountId,
    productId,
    id,
    ...place,
    token: sealed,
    cursor: '',
    everyMinutes,
    dueAt: at,
    createdAt: at,
    createdBy: actor,
  };
  await db.transaction().execute(async (tx) => {
    if (!(await insertSource(tx, row)))
      throw new ServiceError('conflict', `${SOURCE_NAMES[kind]} ${place.project} is connected already.`, {
        fix: 'To give it another token, remove it and connect it again: no signal is added twice.',
      });
    const detail = { name: `${SOURCE_NAMES[kind]} ${place.project}`.trim() };
    await recordAudit(tx, { accountId, actor, action: 'signal_source.connect', target: id, at, detail });
  });
  return { ...row, readAt: null, failures: 0, fault: '' };
}

/** Without their tokens in the clear, oldest first. */
export function listSources({ signals }: SignalSources, tenant: Tenant): Promise<SourceRow[]> {
  return selectSources(signals.db, tenant);
}

/** Forgets a source and its token; its signals stay. @throws ServiceError `unknown_id`. */
export async function removeSource(sources: SignalSources, tenant: ProductRequest, id: string): Promise<void> {
  const { kind, project } = await findSource(sources, tenant, id);
  const { signals } = sources;
  const { accountId, actor } = tenant;
  await signals.db.transaction().execute(async (tx) => {
    if (!(await deleteSource(tx, tenant, id))) return;
    const detail = { name: `${SOURCE_NAMES[kind]} ${project}`.trim() };
    await recordAudit(tx, { accountId, actor, action: 'signal_source.remove', target: id, at: signals.now(), detail });
  });
}

/** Reads a source now. Gives it as it is afterwards. @throws ServiceError `unknown_id`. */
export async function readNow(
  sources: SignalSources,
  tenant: Tenant,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<SourceRow> {
  await readSource(sources, await findSource(sources, tenant, id), signal);
  return findSource(sources, tenant, id);
}

async function findSource(sources: SignalSources, tenant: Tenant, id: string): Promise<SourceRow> {
  const source = (await listSources(sources, tenant)).find((row) => row.id === id);
  if (source !== undefined) return source;
  throw new ServiceError('unknown_id', `There is no source "${id.slice(0, 80)}".`, { fix: 'See the list of sources.' });
}

/** True if a source is due to be read. */
export async function hasDueSources({ signals: { db, now } }: SignalSources): Promise<boolean> {
  return (await selectDueSources(db, now())).length > 0;
}

/** Reads the sources of all products whose time has come, and gathers the themes of those that said something new. */
export async function readDueSources(sources: SignalSources, signal: AbortSignal): Promise<void> {
  const { db, now } = sources.signals;
  for (const row of await selectDueSources(db, now())) {
    signal.throwIfAborted();
    if ((await readSource(sources, row, signal)) > 0) await gatherThemes(sources.signals, row, signal);
  }
}

/**
 * Reads what is new of a source, page by page: what is saved is not asked for again, also after a stop in the middle. A failure is
 * noted and tried again later. Gives how many signals were added or changed.
 */
async function readSource({ signals, net }: SignalSources, row: SourceRow, signal: AbortSignal): Promise<number> {
  const { db, now } = signals;
  let changed = 0;
  try {
    const token = openSealed(signals.secretKeys, SOURCE_TOKENS, { id: row.id, secret: row.token });
    const { kind, baseUrl, project, userName } = row;
    const line: SourceLine = { kind, baseUrl, project, userName, token, net };
    for await (const { records, cursor } of SOURCE_APIS[kind].read(line, { cursor: row.cursor, now: now() })) {
      signal.throwIfAborted();
      const given = records.length === 0 ? [] : importRecords(records, {}).signals;
      const saved = await saveSignals(
        signals,
        { ...row, actor: 'system' },
        given.map((item) => givenSignal(NewSignalBody.parse(item))),
      );
      changed += saved.added + saved.updated;
      await updateCursor(db, { ...row, cursor });
    }
    const dueAt = new Date(now().getTime() + row.everyMinutes * MINUTE_MS);
    await finishReading(db, row, { dueAt, readAt: now(), fault: '' });
  } catch (error) {
    const fault = faultOf(row.kind, error);
    const waited = Math.min(FIRST_RETRY_MINUTES * 2 ** row.failures, MOST_RETRY_MINUTES);
    const later = new Date(now().getTime() + waited * MINUTE_MS);
    const retryAt = error instanceof PutOff ? error.until : undefined;
    await finishReading(db, row, {
      dueAt: retryAt !== undefined && retryAt > later ? retryAt : later,
      fault: fault.message,
    });
  }
  return changed;
}

/** Says what went wrong; an answer of another form is a fault of the tool. @throws what is no fault of the tool. */
function faultOf(kind: SourceKind, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof ZodError)) throw error;
  return new ServiceError('upstream_failed', `${SOURCE_NAMES[kind]} answered with something that cannot be read.`, {
    fix: 'Check the address.',
    cause: error,
  });
}

function asFault<Answer>(kind: SourceKind, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw faultOf(kind, error);
  });
}

/** @throws ServiceError `bad_argument`. */
function projectOf(kind: SourceKind, project: string): string {
  const { project: form, like } = PLACES[kind];
  if (form.test(project)) return project;
  throw new ServiceError('bad_argument', `"${project.slice(0, 100)}" is not a project of ${SOURCE_NAMES[kind]}.`, {
    fix: `Give ${like}.`,
  });
}

/** @throws ServiceError `bad_argument`. */
function urlOf(kind: SourceKind, given: string): string {
  const { url: defaultUrl = '', path } = PLACES[kind];
  const url = URL.parse(given === '' ? defaultUrl : given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
    throw new ServiceError('bad_argument', `"${given.slice(0, 200)}" is not an address of ${SOURCE_NAMES[kind]}.`, {
      fix:
        kind === 'zendesk'
          ? 'Use that of your account: https://acme.zendesk.com'
          : 'Use its https address, or leave it out.',
    });
  const own = url.pathname.replace(/\/+$/, '');
  return given === '' || own !== '' ? `${url.origin}${own}` : `${url.origin}${path}`;
}
