import { shorten } from '../kernel/shown-values.ts';
import { z } from 'zod';
import { describeCall } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { AnyOperation } from '../platform/operation/operation.ts';
import { innerOf, readSpellings, isAccepted } from './spellings.ts';

/** Most faults in one message. */
const MOST_FAULTS = 3;
/** Names of ignored arguments come from the client: a few of them, cut, are enough to see a typing error. */
const MOST_IGNORED = 5;
const MOST_NAME_CHARACTERS = 40;

interface Arguments {
  /** Validated, with defaults filled in: what `operation.run` takes. */
  args: Record<string, unknown>;
  /** Sentences for the answer's notes: what was read as something else, and which arguments are not known. */
  notes: string[];
}

/**
 * Reads the arguments that a client sent for an operation: other spellings are rewritten, `null` counts as absent, unknown keys
 * are omitted and noted, the others are validated. `tools` are all operations: an action of one of them is named.
 *
 * @throws ServiceError `bad_argument`; its `fix` is the call as it would be accepted.
 */
export function readArguments(operation: AnyOperation, given: unknown, tools: readonly AnyOperation[] = []): Arguments {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    throw new ServiceError('bad_argument', 'The arguments must be an object.', { fix: nextCall(operation, {}, []) });
  }
  const { known: named, others } = canonicalize(operation, new Map(Object.entries(given ?? {})));
  const { args: spelled, notes } = readSpellings(operation, named);
  const { args, used } = operation.combine?.(spelled, others) ?? { args: spelled, used: [] };
  const ignored = Object.keys(others).filter((name) => !used.includes(name));
  const parsed = operation.input.safeParse({ ...operation.fallbacks?.(args), ...args });
  if (!parsed.success) {
    const owner = ownerOf(args['action'], operation, tools);
    if (owner !== undefined) throw actionOfAnother(operation, owner, args);
    throw new ServiceError('bad_argument', faults(parsed.error.issues, args), {
      fix: nextCall(operation, args, parsed.error.issues),
    });
  }
  return { args: parsed.data, notes: ignored.length === 0 ? notes : [...notes, ignoredNote(ignored)] };
}

/** The operation that has this action, by its name or another word for it, when this one has not. */
function ownerOf(
  action: unknown,
  operation: AnyOperation,
  others: readonly AnyOperation[],
): { other: AnyOperation; meant: Record<string, unknown> } | undefined {
  if (typeof action !== 'string' || operation.input.shape['action'] === undefined || takes(operation, action)) return;
  for (const other of others) {
    if (other.input.shape['action'] === undefined) continue;
    const { args: meant } = readSpellings(other, { action });
    if (takes(other, meant['action'])) return { other, meant };
  }
  return undefined;
}

function takes({ input }: AnyOperation, action: unknown): boolean {
  return (input.shape['action'] as z.ZodType | undefined)?.safeParse(action).success === true;
}

function actionOfAnother(
  operation: AnyOperation,
  { other, meant }: { other: AnyOperation; meant: Record<string, unknown> },
  args: Record<string, unknown>,
): ServiceError {
  const message = `${showValue(args['action'])} is no action of ${operation.name}, but of ${other.name}`;
  return new ServiceError('bad_argument', message, {
    fix: describeCall(other.name, { ...args, ...meant }),
  });
}

/** Arguments by their canonical names. The canonical spelling wins over an alias; the first alias over the next. */
function canonicalize(
  operation: AnyOperation,
  given: Map<string, unknown>,
): Record<'known' | 'others', Record<string, unknown>> {
  for (const [key, value] of given) if (value === null) given.delete(key);
  const { shape } = operation.input;
  underscoreNames(given);
  for (const [name, spellings] of Object.entries(operation.aliases)) {
    if (given.has(name)) continue;
    const alias = spellings.find((spelling) => given.has(spelling) && !Object.hasOwn(shape, spelling));
    if (alias === undefined) continue;
    given.set(name, given.get(alias));
    given.delete(alias);
  }
  const isKnown = ([key]: [string, unknown]): boolean => Object.hasOwn(shape, key);
  return {
    known: Object.fromEntries([...given].filter(isKnown)),
    others: Object.fromEntries([...given].filter((entry) => !isKnown(entry))),
  };
}

/** `filePath` and `file-path` are `file_path`, unless that is given as well. */
function underscoreNames(given: Map<string, unknown>): void {
  for (const [key, value] of given) {
    const name = key.replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, '_').toLowerCase();
    if (name === key || given.has(name)) continue;
    given.delete(key);
    given.set(name, value);
  }
}

function ignoredNote(names: string[]): string {
  const listed = names.slice(0, MOST_IGNORED).map((name) => name.slice(0, MOST_NAME_CHARACTERS));
  const more = names.length > MOST_IGNORED ? ` and ${names.length - MOST_IGNORED} more` : '';
  return `ignored unknown ${names.length === 1 ? 'argument' : 'arguments'}: ${listed.join(', ')}${more}`;
}

function faults(issues: z.core.$ZodIssue[], args: Record<string, unknown>): string {
  return issues
    .slice(0, MOST_FAULTS)
    .map((issue) => faultOf(issue, args))
    .join('; ');
}

function faultOf(issue: z.core.$ZodIssue, args: Record<string, unknown>): string {
  const name = issue.path.join('.');
  const value = valueAt(args, issue.path);
  if (issue.code === 'invalid_value') {
    const choices = `one of ${issue.values.map(String).join(', ')}`;
    return value === undefined ? `${name} is missing: ${choices}` : `${name} ${showValue(value)} is not ${choices}`;
  }
  if (value === undefined) return `${name} is missing`;
  if (issue.code === 'invalid_type')
    return `${name} must be ${article(issue.expected)} ${typeName(issue.expected)}, not ${showValue(value)}`;
  if (issue.code === 'too_big')
    return `${name} must be at most ${issue.maximum}${unitOf(issue)}, not ${size(issue, value)}`;
  if (issue.code === 'too_small')
    return `${name} must be at least ${issue.minimum}${unitOf(issue)}, not ${size(issue, value)}`;
  return `${name}: ${issue.message}`;
}

function unitOf(issue: { origin: string; maximum?: unknown; minimum?: unknown }): string {
  const plural = (issue.maximum ?? issue.minimum) === 1 ? '' : 's';
  if (issue.origin === 'string') return ` character${plural}`;
  return issue.origin === 'array' ? ` item${plural}` : '';
}

function size(issue: { origin: string }, value: unknown): string {
  const sized = issue.origin === 'string' || issue.origin === 'array';
  return sized ? String((value as { length: number }).length) : showValue(value);
}

function typeName(expected: string): string {
  return expected === 'int' ? 'integer' : expected;
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? 'an' : 'a';
}

/** A value from the client in a message: as JSON, cut. */
function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return shorten(text, 80);
}

function valueAt(args: Record<string, unknown>, path: readonly PropertyKey[]): unknown {
  let value: unknown = args;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}

/** The call with each faulty value replaced by the nearest one that is accepted, or by its stand-in: nothing is omitted. */
function nextCall(operation: AnyOperation, args: Record<string, unknown>, issues: z.core.$ZodIssue[]): string {
  const call = structuredClone(args);
  for (const issue of issues) {
    if (issue.path.length === 0) continue;
    const schema = schemaAt(operation.input, issue.path);
    const value = describeAccepted(issue, valueAt(args, issue.path));
    const isRight = schema === undefined || (value !== undefined && isAccepted(schema, value));
    setValueAt(call, issue.path, isRight ? value : placeholder(nameAt(issue.path), schema));
  }
  for (const [name, schema] of Object.entries(operation.input.shape)) {
    if (!(name in call) && !isAccepted(schema, undefined)) call[name] = placeholder(name, schema);
  }
  return describeCall(operation.name, call);
}

/** The argument or field that a path leads to: of an item of a list, that of the list. */
function nameAt(path: readonly PropertyKey[]): string {
  return path.findLast((key) => typeof key === 'string') ?? 'value';
}

function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  let reached: unknown = schema;
  for (const key of path) {
    const inner = innerOf(reached);
    if (inner instanceof z.ZodObject) reached = inner.shape[String(key)];
    else if (inner instanceof z.ZodArray) reached = inner.element;
    else return undefined;
  }
  return reached;
}

function setValueAt(call: Record<string, unknown>, path: readonly PropertyKey[], value: unknown): void {
  const holder = valueAt(call, path.slice(0, -1));
  // What holds the value is an object or a list: it has been read that far.
  (holder as Record<PropertyKey, unknown>)[path.at(-1) ?? ''] = value;
}

function describeAccepted(issue: z.core.$ZodIssue, value: unknown): unknown {
  if (issue.code === 'invalid_value') return findNearest(typeof value === 'string' ? value : '', issue.values);
  if (issue.code === 'too_big') return shortenValue(value, issue.maximum);
  if (issue.code === 'too_small' && typeof value === 'number') return issue.minimum;
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'number' || issue.expected === 'int') return wholeNumber(value);
  if (issue.expected === 'array') return [value];
  if (issue.expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (issue.expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return undefined;
}

function shortenValue(value: unknown, maximum: number | bigint): unknown {
  if (typeof value === 'number') return maximum;
  return typeof value === 'string' || Array.isArray(value) ? value.slice(0, Number(maximum)) : undefined;
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.round(number) : undefined;
}

/** Returns a stand-in for a value: the default, the first of a choice, a list of what it holds, or the name in angle brackets. */
function placeholder(name: string, schema: unknown): unknown {
  const fallback = schema instanceof z.ZodType ? schema.safeParse(undefined).data : undefined;
  if (fallback !== undefined) return fallback;
  const inner = innerOf(schema);
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodArray) return [placeholder(name, inner.element)];
  return `<${name}>`;
}

/** The choice that shares the longest start with the value, ties by order; the first choice when none does. */
function findNearest(value: string, choices: readonly unknown[]): unknown {
  const normalized = value.toLowerCase().replaceAll('-', '_');
  const starts = choices.map((choice) => commonStart(normalized, String(choice).toLowerCase()));
  return choices[starts.indexOf(Math.max(...starts))];
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
