import { reportReached } from './connection.ts';

/** A failure that the service answered, or that the way to it made. */
export class ApiError extends Error {
  /** HTTP status; 0 when the service could not be reached. */
  declare readonly status: number;
  declare readonly code: string;
  /** Instruction for the person; may be empty. */
  declare readonly fix: string;
  /** What is wrong with fields of the body, by their names. */
  declare readonly fields?: Readonly<Record<string, string>>;

  constructor(failure: Pick<ApiError, 'status' | 'code' | 'message' | 'fix' | 'fields'>) {
    super(failure.message);
    Object.assign(this, failure, { name: 'ApiError' });
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Asks the application's own API; the session travels in its cookie.
 *
 * @throws ApiError for every answer that is not a success, and when there is none.
 */
export async function send<Answer>(method: Method, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const response = await reach(`/app/api/${path}`, {
    method,
    ...(signal !== undefined && { signal }),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  // 204 has no body; callers of such routes expect nothing.
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  throw failureOf(response.status, answer);
}

export function get<Answer>(
  path: string,
  query: Record<string, string | number | undefined> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const parameters = new URLSearchParams(filled.map(([name, value]) => [name, String(value)]));
  return send('GET', parameters.size === 0 ? path : `${path}?${parameters}`, undefined, signal);
}

export function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return send('POST', path, body);
}

/** Asks an operation as an MCP client does, about a product. */
export function callTool<Answer>(
  { product, name, signal }: { product: string; name: string; signal?: AbortSignal | undefined },
  given: object,
): Promise<Answer> {
  return send('POST', `tools/${name}?${new URLSearchParams({ product })}`, given, signal);
}

export function remove(path: string): Promise<void> {
  return send('DELETE', path);
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    reportReached(true);
    return response;
  } catch (error) {
    // Nobody waits for it any more.
    if (init.signal?.aborted === true) throw error;
    reportReached(false);
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      message: 'The service does not answer.',
      fix: 'Check that it runs and that you are online, then try again.',
    });
  }
}

/** The error in an unsuccessful answer. */
export function failureOf(status: number, answer: unknown): ApiError {
  const { error } = (answer ?? {}) as { error?: Omit<ApiError, 'status'> };
  if (error !== undefined) return new ApiError({ status, ...error });
  return new ApiError({ status, code: 'internal', message: `The service answered ${status}.`, fix: 'Try again.' });
}
