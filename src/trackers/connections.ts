import type { Tenant } from '../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import { resealSecret, sealSecret } from '../platform/secrets.ts';
import { type Destination, TRACKER_NAMES, type TrackerKind, type Trackers } from './context.ts';
import { tokenContext, trackerApi } from './open-tracker.ts';
import { deleteTracker, selectTrackers, type TrackerRow, updateToken, upsertTracker } from './store.ts';

/** The input for connecting a tracker. */
interface NewTracker {
  kind: TrackerKind;
  /** Absent: the public one; Jira has none. */
  baseUrl?: string | undefined;
  project: string;
  /** Jira Cloud: the e-mail address that the token belongs to. */
  userName?: string | undefined;
  /** Jira: `Task` when absent. */
  issueType?: string | undefined;
  token: string;
}

const PUBLIC_URLS: Readonly<Record<TrackerKind, string | undefined>> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com',
  linear: 'https://api.linear.app',
  jira: undefined,
};
/** Path of the API on a self-hosted installation, when only its host was given. */
const API_PATHS: Readonly<Record<TrackerKind, string>> = { github: '/api/v3', gitlab: '/api/v4', linear: '', jira: '' };

const PROJECTS: Readonly<Record<TrackerKind, { form: RegExp; like: string }>> = {
  github: { form: /^[\w.-]+\/[\w.-]+$/, like: 'owner/repository' },
  gitlab: { form: /^(\d+|[\w.-]+(\/[\w.-]+)+)$/, like: 'group/project' },
  linear: { form: /^[A-Z][A-Z0-9]{0,19}$/, like: 'the key of a team, such as ENG' },
  jira: { form: /^[A-Z][A-Z0-9_]{0,39}$/, like: 'the key of a project, such as SHOP' },
};

/** Without their tokens, oldest first. */
export async function listTrackers(trackers: Trackers, tenant: Tenant): Promise<TrackerRow[]> {
  return selectTrackers(trackers.plans.db, tenant);
}

/** @throws ServiceError `unknown_id`. */
export async function findTracker(trackers: Trackers, tenant: Tenant, id: string): Promise<TrackerRow> {
  const tracker = (await listTrackers(trackers, tenant)).find((row) => row.id === id);
  if (tracker !== undefined) return tracker;
  throw new ServiceError('unknown_id', `This product has no tracker "${id.slice(0, 40)}".`, {
    fix: 'GET trackers lists the trackers.',
  });
}

/**
 * Connects a tracker after asking it whether the token sees the project. The same destination again replaces its token and
 * settings.
 *
 * @throws ServiceError `conflict` when the tracker does not accept the token or the project; `bad_argument` for an address that may not be called.
 */
export async function connectTracker(
  trackers: Trackers,
  request: ProductRequest,
  given: NewTracker,
): Promise<TrackerRow> {
  const destination = destinationOf(given);
  const { accountId, actor } = request;
  const sealed = sealSecret(trackers.keys, given.token, tokenContext(request, destination));
  const login = { userName: given.userName ?? '', issueType: given.issueType ?? 'Task' };
  await trackerApi(trackers, destination, { ...login, token: given.token }).check();
  const at = trackers.now();
  const row = { ...destination, ...login, id: uuidv7(at), token: sealed };
  return trackers.plans.db.transaction().execute(async (tx) => {
    const stored = await upsertTracker(tx, request, { ...row, createdAt: at, createdBy: actor, updatedAt: at });
    const detail = { ...destination };
    await recordAudit(tx, { accountId, actor, action: 'tracker.connect', target: stored.id, at, detail });
    return stored;
  });
}

/** Forgets the token. Links to the issues that were made stay. @throws ServiceError `unknown_id`. */
export async function removeTracker(trackers: Trackers, request: ProductRequest, id: string): Promise<void> {
  const { kind, baseUrl, project } = await findTracker(trackers, request, isUuid(id) ? id : '');
  const { accountId, actor } = request;
  const at = trackers.now();
  await trackers.plans.db.transaction().execute(async (tx) => {
    if (!(await deleteTracker(tx, request, id))) return;
    const detail = { kind, baseUrl, project };
    await recordAudit(tx, { accountId, actor, action: 'tracker.remove', target: id, at, detail });
  });
}

/** Encrypts the tokens of a product with the first key that are encrypted with another one. What no key opens stays. */
export async function resealTokens(trackers: Trackers, tenant: Tenant): Promise<void> {
  const { keys, plans } = trackers;
  for (const row of await selectTrackers(plans.db, tenant)) {
    const token = resealSecret(keys, row.token, tokenContext(tenant, row));
    if (token !== undefined) await updateToken(plans.db, tenant, { id: row.id, before: row.token, token });
  }
}

/** @throws ServiceError `bad_argument` for an address or a project that cannot be one of this tracker. */
export function destinationOf({ kind, baseUrl, project }: Omit<NewTracker, 'token'>): Destination {
  const { form, like } = PROJECTS[kind];
  const name = project.trim().replaceAll(/^\/|\/$/g, '');
  const written = kind === 'linear' || kind === 'jira' ? name.toUpperCase() : name;
  if (!form.test(written) || written.split('/').some((part) => /^\.+$/.test(part))) {
    throw new ServiceError('bad_argument', `"${project.slice(0, 100)}" is not a project of ${TRACKER_NAMES[kind]}.`, {
      fix: `Give ${like}.`,
    });
  }
  return { kind, baseUrl: apiUrlOf(kind, baseUrl?.trim() ?? ''), project: written };
}

function apiUrlOf(kind: TrackerKind, given: string): string {
  const url = URL.parse(given === '' ? (PUBLIC_URLS[kind] ?? '') : given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '') {
    throw new ServiceError('bad_argument', `"${given.slice(0, 200)}" is not an address of ${TRACKER_NAMES[kind]}.`, {
      fix: `Use its https address${kind === 'jira' ? ', such as https://example.atlassian.net' : ', or leave it out for the public one'}.`,
    });
  }
  if (kind === 'github' && /^(api\.|www\.)?github\.com$/.test(url.hostname)) return 'https://api.github.com';
  const path = url.pathname.replace(/\/+$/, '').replace(/\/graphql$/, '');
  return `${url.origin}${path === '' ? API_PATHS[kind] : path}`;
}
