import type { Tenant } from '../kernel/tenant.ts';
import { openSecret } from '../platform/secrets.ts';
import { type Destination, TRACKER_NAMES, type TrackerKind, type Trackers } from './context.ts';
import { github, GITHUB_HEADERS } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { TrackerRow } from './store.ts';
import type { TrackerApi } from './tracker-api.ts';
import type { TrackerLine } from './tracker-call.ts';

const ATLASSIAN_SITE = /^https:\/\/[\w-]+\.atlassian\.net$/;
const ATLASSIAN_GATEWAY = 'https://api.atlassian.com';

/** The credentials and settings of a tracker beside its destination. */
type TrackerLogin = Pick<TrackerRow, 'userName' | 'issueType'> & { token: string };

/** The API of a connected tracker. @throws ServiceError `conflict` when its token cannot be decrypted. */
export function openTracker(trackers: Trackers, tenant: Tenant, row: TrackerRow): TrackerApi {
  const token = openSecret(trackers.keys, row.token, tokenContext(tenant, row));
  return trackerApi(trackers, row, { ...row, token });
}

/** The API of a tracker with this login. Asks nothing yet. */
export function trackerApi(trackers: Trackers, destination: Destination, login: TrackerLogin): TrackerApi {
  const { net, wait, now } = trackers;
  const { kind, baseUrl, project } = destination;
  const line: TrackerLine = {
    name: TRACKER_NAMES[kind],
    baseUrl,
    project,
    headers: kind === 'github' ? GITHUB_HEADERS : {},
    secretHeaders: secretHeadersOf(kind, login),
    net,
    wait,
    now,
  };
  switch (kind) {
    case 'github':
      return github(line);
    case 'gitlab':
      return gitlab(line);
    case 'linear':
      return linear(line);
    case 'jira':
      return jira(line, {
        issueType: login.issueType,
        isCloud: login.userName !== '',
        gateway: ATLASSIAN_SITE.test(baseUrl) ? ATLASSIAN_GATEWAY : undefined,
      });
  }
}

/** Returns the context in which a token is encrypted: no other destination can be given it. */
export function tokenContext({ accountId, productId }: Tenant, destination: Destination): string {
  const { kind, baseUrl, project } = destination;
  return JSON.stringify(['tracker', accountId, productId, kind, baseUrl, project]);
}

function secretHeadersOf(kind: TrackerKind, { token, userName }: TrackerLogin): Record<string, string> {
  switch (kind) {
    case 'github':
      return { authorization: `Bearer ${token}` };
    case 'gitlab':
      return { 'private-token': token };
    case 'linear':
      return { authorization: token };
    case 'jira':
      // Jira Cloud takes an e-mail address with its token, Data Center a token alone.
      return userName === ''
        ? { authorization: `Bearer ${token}` }
        : { authorization: `Basic ${Buffer.from(`${userName}:${token}`).toString('base64')}` };
  }
}
