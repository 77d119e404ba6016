import { ServiceError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import { type NetAnswer, type NetPolicy, netRequest } from '../../platform/net.ts';
import type { ImportRecord } from '../import/import.ts';
import { SOURCE_NAMES, type SourceKind } from './context.ts';

/** Access to the interface of one source. */
export interface SourceLine {
  kind: SourceKind;
  baseUrl: string;
  project: string;
  /** Zendesk: whose token it is. */
  userName: string;
  token: string;
  net: NetPolicy;
}

interface SourceRequest {
  /** Below the base URL. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Not sent to another origin. */
  secretHeaders: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  body?: object;
}

/** An answer of a source, which is an object or a list. */
export interface SourceAnswer {
  headers: NetAnswer['headers'];
  json: unknown;
}

/** Some of what a source has, as exports have it, and where to go on once that is saved. */
export interface SourcePage {
  records: ImportRecord[];
  cursor: string;
}

/** Answers that ask for later. */
export class PutOff extends ServiceError {
  /** From when on it answers again. */
  readonly until: Date | undefined;

  constructor(kind: SourceKind, until: Date | undefined) {
    const when = until === undefined ? 'for a while' : `until ${until.toISOString()}`;
    super('rate_limited', `${SOURCE_NAMES[kind]} is refusing further requests ${when}.`, {
      fix: 'Nothing is lost: reading goes on where it stopped.',
    });
    this.until = until;
  }
}

/**
 * Asks a source.
 *
 * @throws PutOff when it asks for later; ServiceError `conflict` when it does not accept the token or shows no such project,
 * `upstream_failed` for anything else that is no answer in JSON.
 */
export async function askSource(line: SourceLine, request: SourceRequest, now: Date): Promise<SourceAnswer> {
  const { kind, baseUrl, net } = line;
  const { path, headers, secretHeaders, body } = request;
  const {
    status,
    headers: answered,
    text,
  } = await netRequest(net, {
    method: body === undefined ? 'GET' : 'POST',
    url: `${baseUrl}${path}`,
    headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'svc', ...headers },
    secretHeaders,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (status === 429 || (status === 403 && answered['x-ratelimit-remaining'] === '0'))
    throw new PutOff(kind, untilOf(answered, now));
  if (status === 401 || status === 403) throw refusalError(kind, 'does not accept the token');
  if (status === 404 || status === 410) throw refusalError(kind, 'shows nothing at this address with this token');
  const json = status < 300 ? parseJson(text) : undefined;
  if (typeof json === 'object' && json !== null) return { headers: answered, json };
  throw new ServiceError(
    'upstream_failed',
    `${SOURCE_NAMES[kind]} answered with status ${status} and nothing that can be read.`,
    {
      fix: 'It is asked again later.',
    },
  );
}

/** For a token or a project that the source does not accept, said in words. */
export function refusalError(kind: SourceKind, what: string): ServiceError {
  return new ServiceError('conflict', `${SOURCE_NAMES[kind]} ${what}.`, {
    fix: 'Check address, project and token, and connect it again.',
  });
}

function untilOf(headers: NetAnswer['headers'], now: Date): Date | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(seconds)) return new Date(now.getTime() + seconds * 1_000);
  // GitHub says the second, others the seconds from now.
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? Number.NaN);
  if (!Number.isFinite(reset)) return undefined;
  return new Date(reset > 1e9 ? reset * 1_000 : now.getTime() + reset * 1_000);
}
