import { excerpt } from '../kernel/shown-values.ts';

/** Form of the answer to a POST: one JSON document, an event stream, or whichever of them suits the call. */
export type AnswerForm = 'json' | 'stream' | 'either';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
/** As the protocol demands it and the official clients send it. */
const USUAL_ACCEPT = `${JSON_TYPE}, ${STREAM_TYPE}`;
/** A header from a client in a message: as much of it as shows what is wrong. */
const MOST_SHOWN = 120;

/** A range of an `Accept` header with its weight. */
interface MediaRange {
  type: string;
  weight: number;
}

/**
 * The form that an `Accept` header asks for (RFC 9110, 12.5.1); undefined when it accepts neither. A client that accepts
 * everything, or says nothing, gets JSON: only one that names streams is known to read them.
 */
export function answerFormOf(accept: string | null): AnswerForm | undefined {
  if (accept === USUAL_ACCEPT) return 'either';
  const ranges = (accept ?? '').split(',').flatMap(readRange);
  if (ranges.length === 0) return 'json';
  const json = weightOf(ranges, JSON_TYPE);
  const stream = weightOf(ranges, STREAM_TYPE);
  if (json.weight === 0 && stream.weight === 0) return undefined;
  if (stream.weight === 0 || (!stream.isNamed && json.weight > 0)) return 'json';
  if (json.weight === stream.weight) return 'either';
  return json.weight > stream.weight ? 'json' : 'stream';
}

function readRange(text: string): MediaRange[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  if (type === '') return [];
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
  return [{ type, weight: weight !== undefined && /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 1 }];
}

/** The weight that the most specific range gives a type. `isNamed`: not only by the range for everything. */
function weightOf(ranges: readonly MediaRange[], type: string): { weight: number; isNamed: boolean } {
  for (const name of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const weights = ranges.filter((range) => range.type === name).map(({ weight }) => weight);
    if (weights.length > 0) return { weight: Math.max(...weights), isNamed: name !== '*/*' };
  }
  return { weight: 0, isNamed: false };
}

/** Fault of the headers of a POST, and how to answer it. */
interface HeaderFault {
  status: 406 | 415;
  message: string;
}

/** A fault of the headers of a POST: a body that is not JSON (415), or no form of answer that the client accepts (406). */
export function findHeaderFault(headers: Headers): HeaderFault | undefined {
  const type = headers.get('content-type') ?? undefined;
  if (type?.split(';')[0]?.trim().toLowerCase() !== JSON_TYPE)
    return { status: 415, message: `${describeUnread(type)} Send Content-Type: ${JSON_TYPE}.` };
  const accept = headers.get('accept');
  if (answerFormOf(accept) !== undefined) return undefined;
  const message = `Accept ${quoteHeader(accept ?? '')} allows no answer; send Accept: ${JSON_TYPE}, ${STREAM_TYPE}.`;
  return { status: 406, message };
}

/** Describes what was sent where JSON is read. */
export function describeUnread(contentType: string | undefined): string {
  if (contentType === undefined || contentType === '') return 'The body was sent without a Content-Type.';
  return `Content-Type ${quoteHeader(contentType)} is not read here.`;
}

function quoteHeader(header: string): string {
  return JSON.stringify(excerpt(header, MOST_SHOWN));
}

/** The headers as the SDK demands them of every client, whatever it accepts. */
export function acceptingBoth(request: Request): Request {
  const accept = request.headers.get('accept') ?? '';
  if (accept.includes(JSON_TYPE) && accept.includes(STREAM_TYPE)) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', `${JSON_TYPE}, ${STREAM_TYPE}`);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/**
 * The answer as one JSON document: of a stream the responses, as a list for a batch. Notifications about progress are omitted,
 * for they have nowhere to go. Waits for the end of the stream.
 */
export async function inJson(response: Response, isBatch: boolean): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith(STREAM_TYPE) !== true) return response;
  const answers = eventsOf(await response.text()).filter((message) => !('method' in message));
  const headers = new Headers(response.headers);
  for (const name of ['content-type', 'connection', 'x-accel-buffering']) headers.delete(name);
  return Response.json(isBatch ? answers : answers[0], { status: response.status, headers });
}

/** The messages of a stream that has ended. The SDK writes each as one line of data. */
function eventsOf(text: string): object[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as object] : []));
}
