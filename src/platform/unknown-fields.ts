import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { parseJson, isRecord } from '../kernel/json.ts';

/** Most names in one answer; the names come from the client, so they are cut. */
const MOST_NAMED = 5;
const MOST_NAME_CHARACTERS = 40;

/** Header of answers without a JSON object: names of what was ignored. */
const IGNORED_HEADER = 'X-Ignored-Fields';

interface Sent {
  query?: z.ZodType | undefined;
  body?: z.ZodType | undefined;
}

/**
 * Names in the answer what a request carried and its route does not know, as the operations do: in `notes` of a JSON object,
 * and in the header X-Ignored-Fields of every answer. A spelling mistake must not look like a setting that was taken.
 */
export function noteUnknownFields({ query, body }: Sent): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (!c.res.ok) return;
    const isJson = body !== undefined && /json/i.test(c.req.header('content-type') ?? '');
    const fields = isJson ? unknownFields(body, parseJson(await c.req.text())) : [];
    const parameters = query === undefined ? [] : unknownFields(query, c.req.query());
    const ignored = [...fields, ...parameters];
    if (ignored.length === 0) return;
    const named = ignored.slice(0, MOST_NAMED);
    const notes = [noteOf('field', fields), noteOf('parameter', parameters)].filter((note) => note !== undefined);
    const headers = new Headers(c.res.headers);
    headers.set(IGNORED_HEADER, named.map((name) => encodeURIComponent(name)).join(', '));
    const answer =
      headers.get('content-type')?.startsWith('application/json') === true ? await c.res.clone().json() : undefined;
    if (!isRecord(answer)) {
      c.res = new Response(c.res.body, { status: c.res.status, headers });
      return;
    }
    const before = Array.isArray(answer['notes']) ? (answer['notes'] as unknown[]) : [];
    headers.delete('content-length');
    const text = JSON.stringify({ ...answer, notes: [...before, ...notes] });
    c.res = new Response(text, { status: c.res.status, headers });
  };
}

/** Names of the fields of a value that a schema does not know, as `signals[].sentment`, each once. */
export function unknownFields(schema: z.ZodType, value: unknown): string[] {
  return [...new Set(namesIn(schema, value, ''))];
}

function namesIn(schema: z.core.$ZodType, value: unknown, at: string): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion || inner instanceof z.ZodDiscriminatedUnion) {
    // Of the forms that a value may have, the first that takes it is meant.
    const option = inner.options.find((candidate) => z.safeParse(candidate, value).success);
    return option === undefined ? [] : namesIn(option, value, at);
  }
  if (inner instanceof z.ZodIntersection) {
    const [left, right] = [namesIn(inner.def.left, value, at), namesIn(inner.def.right, value, at)];
    return left.filter((name) => right.includes(name));
  }
  if (inner instanceof z.ZodArray)
    return Array.isArray(value) ? value.flatMap((item: unknown) => namesIn(inner.element, item, `${at}[]`)) : [];
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return [];
  const { shape } = inner;
  const isOpen = inner.def.catchall !== undefined && !(inner.def.catchall instanceof z.ZodNever);
  return Object.entries(value).flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const fieldSchema: z.core.$ZodType | undefined = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (fieldSchema !== undefined) return namesIn(fieldSchema, field, path);
    return isOpen ? [] : [path.slice(0, MOST_NAME_CHARACTERS)];
  });
}

/** The schema of what is sent, below what only changes or completes it. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (schema instanceof z.ZodLazy) return unwrap(schema.def.getter());
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly;
  return wraps ? unwrap(schema.def.innerType) : schema;
}

function noteOf(kind: 'field' | 'parameter', names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `ignored unknown ${kind}${names.length === 1 ? '' : 's'}: ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}
