import { isRecord } from '../kernel/json.ts';

/** Depth to which nulls are removed: below `params` come an object of the protocol and its fields. */
const NULL_DEPTH = 3;
/** The last revision that has batches. Clients of it send no header that names it. */
const LAST_WITH_BATCHES = '2025-03-26';
/** Most messages of a batch. */
const MOST_IN_BATCH = 100;

/**
 * A message, or those of a batch, without fields that are `null`: some clients write absent fields so (`"cursor": null`), and
 * the protocol has no field that may be null. Arguments of tools are not changed.
 */
export function withoutNulls(body: unknown): unknown {
  if (Array.isArray(body)) return body.map((message: unknown) => withoutNulls(message));
  if (!isRecord(body) || typeof body['method'] !== 'string') return body;
  const { params, ...message } = body;
  if (params === undefined || params === null) return message;
  return { ...message, params: removeNulls(params, NULL_DEPTH) };
}

function removeNulls(value: unknown, depth: number): unknown {
  if (!isRecord(value) || depth === 0) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, name === 'arguments' ? field : removeNulls(field, depth - 1)]),
  );
}

/**
 * Returns why a batch is refused, in a sentence; undefined for one that is answered, and for one message. `revision`: of the
 * header.
 */
export function findBatchFault(body: unknown, revision: string | undefined): string | undefined {
  if (!Array.isArray(body)) return undefined;
  const batch: readonly unknown[] = body;
  if (revision !== undefined && revision > LAST_WITH_BATCHES)
    return `Revision ${revision.slice(0, 20)} has no batches: send one message per request.`;
  if (batch.length === 0) return 'The batch is empty: send at least one message.';
  if (batch.length > MOST_IN_BATCH) return `A batch has at most ${MOST_IN_BATCH} messages, not ${batch.length}.`;
  if (batch.some((message) => methodOf(message) === 'initialize'))
    return 'initialize cannot be part of a batch: send it alone, first.';
  const ids = batch.flatMap((message) =>
    isRecord(message) && 'method' in message && 'id' in message ? [message['id']] : [],
  );
  return new Set(ids).size < ids.length ? 'Two requests of the batch have the same id.' : undefined;
}

/** The method of a request or notification. */
export function methodOf(message: unknown): string | undefined {
  return isRecord(message) && typeof message['method'] === 'string' ? message['method'] : undefined;
}
