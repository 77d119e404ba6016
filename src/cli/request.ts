// Loaded like this they cost 5 ms of processor time: an import reads every export, and loads what `fetch` needs, 60 ms.
const http = process.getBuiltinModule('node:http');

/** A connection that says nothing for so long is given up: longer than the longest call of an operation. */
const IDLE_LIMIT_MS = 120_000;

/** A request as commands send it. */
export interface ServiceRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

/** The part of an answer that commands read; a `Response` is one. */
export interface ServiceAnswer {
  ok: boolean;
  status: number;
  headers: { get: (name: string) => string | null };
  /** Read once: as a whole with `text`, or piece by piece. */
  body: AsyncIterable<Uint8Array> | null;
  text: () => Promise<string>;
}

/**
 * Sends a request to an http or https address and waits for the head of its answer. Redirects are answers.
 *
 * @throws the system's error when nobody answers, or `signal` aborts.
 */
export function request(url: URL, { method, headers, body, signal }: ServiceRequest): Promise<ServiceAnswer> {
  const client = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
  return new Promise((resolve, reject) => {
    const sent = client.request(url, { method, headers, ...(signal !== undefined && { signal }) });
    sent.setTimeout(IDLE_LIMIT_MS, () => sent.destroy(new Error(`No answer within ${IDLE_LIMIT_MS / 1_000} s.`)));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const get = (name: string): string | null => {
        const value = response.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      };
      const text = async (): Promise<string> => Buffer.concat(await Array.fromAsync(response)).toString('utf8');
      resolve({ ok: status >= 200 && status < 300, status, headers: { get }, body: response, text });
    });
    sent.end(body);
  });
}
