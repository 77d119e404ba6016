import { Agent, request as send } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** Sending goes on this long after the first request that got no answer: a service that stops still answers meanwhile. */
const AFTER_FAILURE_MS = 300;

/** Requests to one path over connections that are kept. */
export interface Load {
  url: string;
  key: string;
  /** JSON that is posted; absent for requests that get. */
  body?: string;
  /** The status of every answer. */
  status: number;
  connections: number;
  requestsPerSecond: number;
  seconds: number;
}

export interface LoadResult {
  /** Requests whose answer came whole. */
  answered: number;
  /** Those that got none, as when the service is gone. */
  failed: number;
  /** From the first request to the last answer. */
  seconds: number;
}

/**
 * Sends requests when they are due, whether or not others have been answered. Ends by itself: after the time, or soon after
 * the service stopped answering. Rejects when another status is answered.
 */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const { url, connections, requestsPerSecond, seconds } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const startAt = performance.now();
  let endAt = startAt + seconds * 1000;
  const result: LoadResult = { answered: 0, failed: 0, seconds: 0 };
  const refused: string[] = [];
  const running = new Set<Promise<void>>();
  const ask = async (): Promise<void> => {
    try {
      const status = await statusOf(load, agent);
      if (status !== load.status) refused.push(`${url} was answered with ${status}.`);
      result.answered += 1;
      result.seconds = (performance.now() - startAt) / 1000;
    } catch {
      if (result.failed === 0) endAt = Math.min(endAt, performance.now() + AFTER_FAILURE_MS);
      result.failed += 1;
    }
  };
  for (let sent = 0; performance.now() < endAt && refused.length === 0; await setTimeout(1)) {
    const due = Math.floor(((performance.now() - startAt) / 1000) * requestsPerSecond) + 1;
    // What is late waits here, not in the agent: it has one request for each connection, and one in its queue.
    for (; sent < due && running.size < 2 * connections; sent++) {
      const request = ask().finally(() => running.delete(request));
      running.add(request);
    }
  }
  await Promise.all(running);
  agent.destroy();
  if (refused[0] !== undefined) throw new Error(refused[0]);
  return result;
}

/** Resolves once the answer is there whole. */
function statusOf({ url, key, body }: Load, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const request = send(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode));
      response.resume();
    });
    request.on('error', reject);
    request.end(body);
  });
}
