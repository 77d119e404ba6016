interface ErrorDescription {
  status: number;
  rest?: string;
  title: string;
  /** The event behind the code, for a reader who has the code alone. */
  happened: string;
  /** The next step for that reader. */
  remedy: string;
}

/**
 * Every code an expected failure can carry. `status` answers HTTP, `rest` is the code that REST clients see when it
 * differs (the REST surface has fewer codes). `title`, `happened` and `remedy` are its section in docs/errors.md.
 */
export const ERROR_CODES = {
  missing_credential: {
    status: 401,
    title: 'No API key was sent',
    happened:
      'The request has neither an `Authorization` nor an `X-API-Key` header. Under `/app/api` it means that nobody is signed in, or that the session has ended.',
    remedy:
      'Send `Authorization: Bearer svc_live_…`; on REST, `X-API-Key: svc_live_…` works too. An MCP client has an entry `headers` for it. There is no OAuth. In the web application, sign in again; API keys do not work there.',
  },
  invalid_key: {
    status: 401,
    title: 'The API key does not authenticate',
    happened:
      'The key is mistyped, expired, regenerated or deleted, or was sent without the word `Bearer`. The answer does not reveal which keys exist; only for a valid key sent in the wrong way (without `Bearer`, as `X-API-Key` over MCP, in the address) it says what is wrong. At sign-in: the password or code is wrong, or the link was used or is too old.',
    remedy:
      'Compare the header with `Authorization: Bearer svc_live_…`. `svc key list` shows which keys have expired; `svc key create --name <name>` creates one. For people, `svc login-link` prints a new link.',
  },
  scope_denied: {
    status: 403,
    title: 'The API key lacks a scope',
    happened:
      'The operation or route needs a scope (`read`, `decisions:write`, `plans:write`, `scrape`, `keys:write`) that this key does not have, or that the person it acts for may no longer use. Some routes need the token of the owner.',
    remedy:
      'Create a key with the scope that the message names: `svc key create --name <name> --scopes read,decisions:write`.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    happened:
      'There is no such route, or no such id in this account, or the message went to a stream that has ended. Data of another account is not found either.',
    remedy:
      'Look up routes in `/v1/openapi.json` and ids in the lists. For a stream, open a new one and post to the address in its first event.',
  },
  bad_argument: {
    status: 400,
    title: 'An argument is not valid',
    happened:
      'An argument is missing, has the wrong type, is out of range or is none of the choices; the body is not what the route accepts; or the call asked for so much that there was no answer within 45 s. For a repository: its address leads into a private network, this service may not read its folder, or something in it is not an ordinary file.',
    remedy:
      'The `fix` of a tool shows the call in a form that it accepts. [operate.md](operate.md#where-repositories-may-come-from) says which repositories are allowed and how to allow more.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    happened:
      'The key used up its requests per minute (600, `SVC_RATE_LIMIT_PER_MINUTE`), or all keys of its product those of the product (`SVC_PRODUCT_REQUESTS_PER_MINUTE`), the key has 20 open streams (`SVC_STREAMS_PER_KEY`), or one address failed 60 times in a minute with bad keys. At sign-in: too many wrong passwords for an e-mail address from this network address, or too many attempts that wait.',
    remedy:
      'Wait as many seconds as `Retry-After` says. The header `RateLimit` of every answer says how many requests are left. Give each program its own key.',
  },
  quota_reached: {
    status: 429,
    title: 'The product or the API key has used up what it may use',
    happened:
      'The product takes as much storage, or it or the key has begun as many runs today, as it may. Others go on.',
    remedy:
      'Delete what is not needed, wait until midnight (UTC), or have an owner or admin raise the limit with `svc quotas` or `svc key limit`, which also show what is used.',
  },
  too_large: {
    status: 413,
    title: 'The input is too large',
    happened: 'The body has more than 4 MiB, or an upload more than its route takes.',
    remedy: 'Send less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    rest: 'bad_argument',
    title: 'The body has another content type',
    happened:
      'The route reads JSON, and `Content-Type` is missing or names something else, which the message quotes; `curl -d` alone sends `application/x-www-form-urlencoded`.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  conflict: {
    status: 409,
    title: 'The current state does not allow this',
    happened:
      'Something with that name exists, the key to regenerate has expired, a limit on their number is reached, a port or data folder is in use, or a search through a whole index (`dead_code`, `smells`) is still running.',
    remedy: 'The message names the obstacle; `fix` says how to remove it.',
  },
  storage_full: {
    status: 507,
    title: 'The disk of the service is full',
    happened:
      'The disk of the data folder, of the blob folder or of the database server has no space left. The new data was not stored; earlier data is not lost. `/readyz` answers 503 before that, from 256 MB of free space on.',
    remedy: 'Free space on that disk (`svc doctor` prints the folders) and try again. Nothing needs a restart.',
  },
  storage_unavailable: {
    status: 503,
    title: 'The object storage does not answer',
    happened:
      'The object storage of `SVC_BLOB_URL` cannot be reached, is overloaded, or refuses the service; the message says which. The new data was not stored. Indexes of which this replica has a copy answer as before.',
    remedy:
      'Try again in a few seconds. If it happens again, run `svc doctor`, and check `SVC_BLOB_URL` and the `AWS_` settings.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database does not answer',
    happened:
      'The PostgreSQL server cannot be reached, was restarted during the call, or has no free connection; or the embedded database stopped and is being opened again. A change in progress was made completely or not at all.',
    remedy:
      'Try again in a few seconds: `/readyz` answers 200 as soon as the database answers. If it happens again, the log of the service says why.',
  },
  timed_out: {
    status: 503,
    title: 'The service is too busy to answer in time',
    happened:
      'A call had no answer within 45 s, a query of an index none within 10 s of processor time (30 s in all), or a part of the work took longer than it may. Nothing was saved in part.',
    remedy:
      'Repeat the same request in a minute. If it happens again while the machine has little to do, ask for less, and look for the `request_id` in the log of the service.',
  },
  content_damaged: {
    status: 500,
    rest: 'internal',
    title: 'Stored data is damaged',
    happened:
      'A stored file no longer has the content of its name, an index file cannot be read, or the database found damage in its files. No answer uses damaged data.',
    remedy:
      'Rebuild an index with `svc repo index <name>`. Upload the same file again to repair an upload. Restore a damaged database from a backup (`svc restore`). Then check the disk.',
  },
  internal: {
    status: 500,
    title: 'A fault in the service',
    happened: 'The service has a bug. The answer gives no internal details.',
    remedy: 'Try again. If it fails again, look for the `request_id` in the log of the service.',
  },
  unknown_repo: {
    status: 404,
    rest: 'not_found',
    title: 'No such repository in the bound product',
    happened: '`repo` names none of the repositories of the product that the API key is bound to.',
    remedy:
      'The message lists the nearest names. Leave `repo` out when the product has one repository, or pass `*` for all. `svc repo list` shows them.',
  },
  unknown_symbol: {
    status: 404,
    rest: 'not_found',
    title: 'No such symbol in the index',
    happened:
      'The index has no symbol of that name. It may be newer than the indexed commit: the header of the answer says how fresh the index is.',
    remedy:
      'The message lists the nearest names. Search with `code-tool search_symbols`, or by meaning with `code-tool semantic_search`.',
  },
  ambiguous_symbol: {
    status: 409,
    rest: 'conflict',
    title: 'Several symbols match',
    happened:
      'More than three symbols have this name. (Up to three are each answered, under their definition.) The message lists up to five candidates.',
    remedy: 'Repeat the call with one of the listed handles, with `Class/method`, or with `path`.',
  },
  unknown_id: {
    status: 404,
    rest: 'not_found',
    title: 'No such id',
    happened: 'An id or handle from an earlier answer no longer exists, or it is mistyped.',
    remedy: 'Repeat the call that returned the id, and use the one that it returns now.',
  },
  not_indexed: {
    status: 409,
    rest: 'conflict',
    title: 'The repository has no index yet',
    happened:
      'The first index of the repository is not ready, or indexing failed. A call whose client asked for progress waits up to 40 s for the first index and reports how far it is.',
    remedy:
      '`svc repo list` shows the state and the reason. Wait until it is `ready`, or start it again with `svc repo index <name>`.',
  },
  stale_cursor: {
    status: 409,
    rest: 'conflict',
    title: 'The cursor belongs to an older index or to other arguments',
    happened: 'A cursor is bound to the arguments and the index of the answer it came from; one of them has changed.',
    remedy: 'Repeat the call without `cursor`.',
  },
  robots_denied: {
    status: 403,
    rest: 'scope_denied',
    title: 'The site forbids fetching',
    happened: 'The `robots.txt` of the site does not allow the page to be fetched. It was not fetched.',
    remedy: 'Watch another page of the site, or ask its owner.',
  },
  upstream_failed: {
    status: 502,
    rest: 'internal',
    title: 'A service this one depends on failed',
    happened: 'A git server, a website or a language model did not answer, or answered with an error.',
    remedy:
      'The message names the service and its answer. Try again later; check the address and the credentials it needs.',
  },
  run_not_found: {
    status: 404,
    rest: 'not_found',
    title: 'No such run',
    happened: 'The `run_id` is mistyped, belongs to another product, or its run is older than 30 days.',
    remedy: 'Start the workflow again without `run_id`.',
  },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

/**
 * A failure the caller can understand and act on. Thrown where it is known, answered once at a door.
 *
 * `message` says what happened with the value, `fix` says what to do now (for a tool: the exact next call). Anything
 * else that is thrown is a bug: it surfaces as `internal` and is logged whole.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly fix: string;
  /** What is wrong with single fields of the request, by their names. */
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { fix: string; cause?: unknown; fields?: Readonly<Record<string, string>> },
  ) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.fix = options.fix;
    this.fields = options.fields;
  }

  /** HTTP status of the answer. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** The requested thing is being made: a caller who can wait may ask again; any other reads it as any other failure. */
export class NotYet extends ServiceError {
  /** Progress of the work. `done` and `total` are in one unit. */
  readonly progress: { done: number; total: number; message: string };

  constructor(
    code: ErrorCode,
    message: string,
    { progress, ...options }: { fix: string; progress: NotYet['progress'] },
  ) {
    super(code, message, options);
    this.progress = progress;
  }
}
