import { ServiceError } from '../kernel/errors.ts';
import type { z } from '@hono/zod-openapi';
import type { NewSignalBody } from './signal-bodies.ts';

/** A signal as `POST /v1/signals` takes it. */
export type SignalJson = z.input<typeof NewSignalBody>;

/** Fields that a column can become, and what such columns are called elsewhere. */
const FIELD_NAMES: Record<keyof SignalJson, readonly string[]> = {
  text: [
    'text',
    'body',
    'message',
    'content',
    'feedback',
    'comment',
    'description',
    'review',
    'note',
    'summary',
    'title',
  ],
  external_id: ['external_id', 'externalid', 'id', 'key', 'ticket', 'ticket_id', 'issue'],
  source: ['source', 'channel', 'origin', 'via'],
  customer: ['customer', 'company', 'account', 'organization', 'organisation', 'client', 'user', 'author', 'email'],
  segment: ['segment', 'plan', 'tier', 'group', 'cohort'],
  value: ['value', 'arr', 'mrr', 'revenue', 'amount', 'deal'],
  date: ['date', 'created_at', 'created', 'createdat', 'timestamp', 'time', 'submitted_at', 'day'],
  tags: ['tags', 'labels', 'categories', 'category', 'topic'],
  link: ['link', 'url', 'permalink', 'href'],
};
export const SIGNAL_FIELDS = Object.keys(FIELD_NAMES) as (keyof SignalJson)[];

/** Which column each field is taken from. */
export type Mapping = Partial<Record<keyof SignalJson, string>>;

/** A line of a file: values by column. */
export type ImportRecord = Record<string, unknown>;

/** What a file becomes. Lines are counted from 1, the names of columns not among them. */
export interface ImportedFile {
  mapping: Mapping;
  signals: SignalJson[];
  /** Lines that are left out, with the reason. */
  skipped: { line: number; reason: string }[];
}

/**
 * Turns lines into signals. Columns are found by their names; `given` wins. An export of GitHub issues is known by its
 * fields: pull requests are left out, title and text are joined.
 *
 * @throws ServiceError `bad_argument` for a field or column that is not there, or when none can be the text.
 */
export function importRecords(records: readonly ImportRecord[], given: Mapping): ImportedFile {
  const issues = isGitHub(records);
  const rows = issues ? records.map(fromGitHub) : records;
  const columns = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row ?? {})))];
  const mapping = { ...guessMapping(columns), ...given };
  for (const [field, column] of Object.entries(mapping)) {
    if (!Object.hasOwn(FIELD_NAMES, field)) {
      throw new ServiceError('bad_argument', `"${field}" is not a field of a signal.`, {
        fix: `Use one of: ${SIGNAL_FIELDS.join(', ')}.`,
      });
    }
    if (!columns.includes(column)) throw noColumn(`There is no column "${column}".`, columns);
  }
  if (mapping.text === undefined) throw noColumn('No column looks like the text of a signal.', columns);
  const imported: ImportedFile = { mapping, signals: [], skipped: [] };
  for (const [index, row] of rows.entries()) {
    const made = row === undefined ? 'It is a pull request.' : signalOf(row, mapping);
    if (typeof made === 'string') imported.skipped.push({ line: index + 1, reason: made });
    else imported.signals.push(made);
  }
  return imported;
}

/** The columns that are called like fields, each used once. */
export function guessMapping(columns: readonly string[]): Mapping {
  const mapping: Mapping = {};
  const taken = new Set<string>();
  for (const field of SIGNAL_FIELDS) {
    for (const name of FIELD_NAMES[field]) {
      const column = columns.find((one) => !taken.has(one) && one.toLowerCase().replaceAll(/[\s-]+/g, '_') === name);
      if (column === undefined) continue;
      mapping[field] = column;
      taken.add(column);
      break;
    }
  }
  return mapping;
}

/** The signal, or why there is none. */
function signalOf(row: ImportRecord, mapping: Mapping): SignalJson | string {
  const valueOf = (field: keyof SignalJson): string => {
    const value = row[mapping[field] ?? ''];
    return value === undefined || value === null
      ? ''
      : typeof value === 'string'
        ? value.trim()
        : JSON.stringify(value);
  };
  const text = valueOf('text');
  if (text === '') return 'It has no text.';
  const [value, date] = [valueOf('value'), valueOf('date')];
  const number = Number(value.replaceAll(/[^\d.-]/g, '') || 'none');
  if (value !== '' && !Number.isFinite(number)) return `"${value}" is not a number.`;
  const time = date === '' ? undefined : new Date(/^\d{10}$/.test(date) ? Number(date) * 1_000 : date);
  if (time !== undefined && Number.isNaN(time.getTime())) return `"${date}" is not a date.`;
  const tags = tagsOf(row[mapping.tags ?? '']);
  const texts = Object.fromEntries(
    (['external_id', 'source', 'customer', 'segment', 'link'] as const)
      .map((field) => [field, valueOf(field).slice(0, 400)] as const)
      .filter(([, content]) => content !== ''),
  );
  return {
    text: text.slice(0, 20_000),
    ...texts,
    ...(value !== '' && { value: number }),
    ...(time !== undefined && { date: time.toISOString() }),
    ...(tags.length > 0 && { tags }),
  };
}

function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[,;|]/) : [];
  return list.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

function isGitHub(records: readonly ImportRecord[]): boolean {
  const [first] = records;
  return first !== undefined && ['number', 'html_url', 'title', 'user'].every((field) => field in first);
}

/** An issue as GitHub's REST interface gives it, as columns that are known here; undefined for a pull request. */
function fromGitHub(issue: ImportRecord): ImportRecord | undefined {
  if (issue['pull_request'] !== undefined && issue['pull_request'] !== null) return undefined;
  const link = String(issue['html_url']);
  const repository = /github\.com\/([^/]+\/[^/]+)\//.exec(link)?.[1] ?? 'unknown';
  const { login } = (issue['user'] ?? {}) as { login?: unknown };
  const labels = (Array.isArray(issue['labels']) ? issue['labels'] : []) as ({ name?: unknown } | string)[];
  return {
    text: [issue['title'], issue['body']].filter((part) => typeof part === 'string').join('\n\n'),
    external_id: String(issue['number']),
    source: `github:${repository}`,
    customer: typeof login === 'string' ? login : '',
    date: issue['created_at'],
    tags: labels.map((label) => String(typeof label === 'string' ? label : label.name)),
    link,
  };
}

function noColumn(message: string, columns: readonly string[]): ServiceError {
  return new ServiceError('bad_argument', message, {
    fix: `Say which column is which: --map text=<column>. Columns: ${columns.slice(0, 30).join(', ') || 'none'}.`,
  });
}
