import { parseJson } from '../kernel/json.ts';
import { z } from 'zod';
import type { AnyOperation } from '../platform/operation/operation.ts';

/** Arguments as a client meant them. */
interface ReadSpellings {
  args: Record<string, unknown>;
  /** Sentences for the answer's notes on other words that were taken for a value. */
  notes: string[];
}

/**
 * Reads values as they are commonly written by models: `"50"` as a number, one value as a list of one, a list as JSON
 * text, a name for an object that has only to be named, words of a choice in any case, and other words for a value as the operation names them (`references` for
 * `usages`). What cannot be read stays as it is, so that the schema refuses it.
 */
export function readSpellings(operation: AnyOperation, given: Record<string, unknown>): ReadSpellings {
  const { shape } = operation.input;
  const args: Record<string, unknown> = {};
  const implied: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const schema = innerOf(shape[name]);
    const meant = isAccepted(schema, value) ? undefined : resolveSynonym(operation, name, value);
    if (meant === undefined) {
      args[name] = read(schema, value);
      continue;
    }
    Object.assign(implied, meant);
    if (name === 'action') notes.push(`${name} ${JSON.stringify(value)} was read as ${wordsOf(meant)}`);
  }
  // What the client says itself goes before what a word implies, other than that word's own argument.
  return { args: { ...implied, ...args }, notes };
}

/** The arguments that a word means, when the operation has them. */
function resolveSynonym(
  { input, synonyms }: AnyOperation,
  name: string,
  value: unknown,
): Record<string, unknown> | undefined {
  if (typeof value !== 'string' && typeof value !== 'boolean') return undefined;
  const words = synonyms?.[name];
  const word = wordOf(String(value));
  const meant = words !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
  return meant !== undefined && isAccepted(innerOf(input.shape[name]), meant[name]) ? meant : undefined;
}

/** `findReferences`, `find-references` and `Find References` are `find_references`. */
function wordOf(text: string): string {
  return text
    .trim()
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

function wordsOf(meant: Record<string, unknown>): string {
  return Object.entries(meant)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

function read(schema: unknown, value: unknown): unknown {
  if (isAccepted(schema, value)) return value;
  if (schema instanceof z.ZodArray) return readList(schema, value);
  if (schema instanceof z.ZodObject) return readObject(schema, value);
  if (schema instanceof z.ZodNumber) return readNumber(value);
  if (schema instanceof z.ZodBoolean) return readBoolean(value);
  if (schema instanceof z.ZodEnum) return readChoice(schema, value);
  if (schema instanceof z.ZodString) return readText(value);
  return value;
}

function readList(schema: z.ZodArray, value: unknown): unknown {
  const list = listOf(value);
  return list === undefined ? value : list.map((item) => read(schema.element, item));
}

/** A text where an object has one required field: that field, so that a list of objects may be a list of their names. */
function readObject({ shape }: z.ZodObject, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => [name, read(innerOf(shape[name]), field)] as const);
    return Array.isArray(value) ? value : Object.fromEntries(fields);
  }
  const required = Object.keys(shape).filter((name) => !isAccepted(shape[name], undefined));
  const [only, other] = required;
  if (only === undefined || other !== undefined) return value;
  const object = { [only]: read(innerOf(shape[only]), value) };
  return isAccepted(shape[only], object[only]) ? object : value;
}

/** `["a","b"]` as text, words as in `a, b`, or one value: a sentence with a comma is one. */
function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!text.startsWith('[')) return /^[^\s,]+(?:\s*,\s*[^\s,]+)+$/.test(text) ? text.split(/\s*,\s*/) : [text];
  const parsed = parseJson(text);
  return Array.isArray(parsed) ? parsed : undefined;
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\d{1,9}(?:\.0*)?\s*$/.test(value) ? Number(value) : value;
}

function readBoolean(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  return value;
}

function readChoice(schema: z.ZodEnum, value: unknown): unknown {
  const [only, other] = Array.isArray(value) ? (value as unknown[]) : [value];
  if (typeof only !== 'string' || other !== undefined) return value;
  const word = wordOf(only);
  return schema.options.find((option) => wordOf(String(option)) === word) ?? value;
}

function readText(value: unknown): unknown {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' ? value[0] : value;
}

export function isAccepted(schema: unknown, value: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(value).success;
}

/** The schema of a value that is there. */
export function innerOf(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return innerOf(schema.unwrap());
  return schema;
}
