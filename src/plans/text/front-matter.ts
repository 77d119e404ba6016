import { parse, YAMLParseError } from 'yaml';
import { ServiceError } from '../../kernel/errors.ts';

/** What a plan may say about itself. Further keys are kept in the text and mean nothing here. */
export interface FrontMatter {
  title?: string;
  status?: string;
  owner?: string;
  slug?: string;
  /** Name of the repository that the plan is about; all of the product when absent. */
  repo?: string;
  /** The commit at which the plan was written. */
  commit?: string;
}

const FENCE = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;
const KEYS = ['title', 'status', 'owner', 'slug', 'repo', 'commit'] as const;

/**
 * Splits a text into its YAML front matter and what follows. `offset` is where the body starts. Numbers and dates are
 * read as they are written.
 *
 * @throws ServiceError `bad_argument` when the front matter is not YAML, or not keys with values.
 */
export function splitFrontMatter(text: string): { fields: FrontMatter; body: string; offset: number } {
  const [whole = '', yaml = ''] = FENCE.exec(text) ?? [];
  const read = whole === '' ? {} : fieldsOf(yaml);
  const fields: FrontMatter = {};
  for (const key of KEYS) {
    const value = read[key];
    if (typeof value === 'string' && value.trim() !== '') fields[key] = value.trim();
  }
  return { fields, body: text.slice(whole.length), offset: whole.length };
}

function fieldsOf(yaml: string): Record<string, unknown> {
  try {
    // `failsafe` reads every scalar as text; a plan has no use for aliases, which can be made to grow without end.
    const value: unknown = parse(yaml, { schema: 'failsafe', maxAliasCount: 0 });
    if (value === null || value === '') return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (cause) {
    const line = cause instanceof YAMLParseError ? (cause.linePos?.[0].line ?? 0) + 1 : undefined;
    const where = line === undefined ? '' : ` (line ${line})`;
    throw new ServiceError('bad_argument', `The front matter cannot be read as YAML${where}.`, {
      fix: 'Write one "key: value" per line between the two lines of three hyphens; quote values that contain ":".',
      cause,
    });
  }
  throw new ServiceError('bad_argument', 'The front matter is not a list of keys with values.', {
    fix: 'For example, write "title: Faster search" between the two lines of three hyphens.',
  });
}
