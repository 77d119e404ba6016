/**
 * Every code an expected failure can carry. `status` answers HTTP, `rest` is the code that REST clients see when it
 * differs (the REST surface has fewer codes), `title` heads its section in docs/errors.md.
 */
export const ERROR_CODES = {
  missing_credential: { status: 401, title: 'No API key was sent' },
  invalid_key: { status: 401, title: 'The API key does not authenticate' },
  scope_denied: { status: 403, title: 'The API key lacks a scope' },
  not_found: { status: 404, title: 'Not found' },
  bad_argument: { status: 400, title: 'An argument is not valid' },
  rate_limited: { status: 429, title: 'Too many requests' },
  too_large: { status: 413, title: 'The input is too large' },
  unsupported_media_type: { status: 415, rest: 'bad_argument', title: 'The body has another content type' },
  conflict: { status: 409, title: 'The current state does not allow this' },
  storage_full: { status: 507, title: 'The disk of the service is full' },
  database_unavailable: { status: 503, title: 'The database does not answer' },
  timed_out: { status: 503, title: 'The service is too busy to answer in time' },
  content_damaged: { status: 500, rest: 'internal', title: 'Stored data is damaged' },
  internal: { status: 500, title: 'A fault in the service' },
  unknown_repo: { status: 404, rest: 'not_found', title: 'No such repository in the bound product' },
  unknown_symbol: { status: 404, rest: 'not_found', title: 'No such symbol in the index' },
  ambiguous_symbol: { status: 409, rest: 'conflict', title: 'Several symbols match' },
  unknown_id: { status: 404, rest: 'not_found', title: 'No such id' },
  not_indexed: { status: 409, rest: 'conflict', title: 'The repository has no index yet' },
  stale_cursor: { status: 409, rest: 'conflict', title: 'The cursor belongs to an older index or to other arguments' },
  robots_denied: { status: 403, rest: 'scope_denied', title: 'The site forbids fetching' },
  upstream_failed: { status: 502, rest: 'internal', title: 'A service this one depends on failed' },
  run_not_found: { status: 404, rest: 'not_found', title: 'No such run' },
} as const satisfies Record<string, { status: number; rest?: string; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * A failure the caller can understand and act on. Thrown where it is known, answered once at a door.
 *
 * `message` says what happened with the value, `fix` says what to do now (for a tool: the exact next call). Anything
 * else that is thrown is a bug: it surfaces as `internal` and is logged whole.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly fix: string;

  constructor(code: ErrorCode, message: string, options: { fix: string; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.fix = options.fix;
  }

  /** HTTP status of the answer. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** What is asked for is being made: who can wait may ask again. Who cannot reads it as any other failure. */
export class NotYet extends ServiceError {
  /** How far it is. `done` and `total` are in one unit. */
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
