import { parse, YAMLParseError } from 'yaml';
import { ServiceError } from '../../kernel/errors.ts';

/** Front matter of a plan. Further keys stay in the text and mean nothing here. */
export interface FrontMatter {
  title?: string;
  status?: string;
  owner?: string;
  slug?: string;
  /** Name of the repository that the plan is about; all of the product when absent. */
  repo?: string;
  /** The commit at which the plan was written. */
  commit?: string;
  /** Purpose of the plan, in a sentence or two. */
  overview?: string;
  todos?: FrontMatterTodo[];
}

/** A task in the front matter. Every value is as it is written. */
export interface FrontMatterTodo {
  /** A name within the plan; '' without one. */
  id: string;
  content: string;
  /** '' without one. */
  status: string;
  /** Ids of todos that come before it. */
  dependencies: string[];
}

const FENCE = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;
const KEYS = ['title', 'status', 'owner', 'slug', 'repo', 'commit', 'overview'] as const;

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
  // Some agents call the title of a plan its name.
  if (fields.title === undefined && typeof read['name'] === 'string') fields.title = read['name'].trim();
  const todos = todosOf(read['todos']);
  if (todos.length > 0) fields.todos = todos;
  return { fields, body: text.slice(whole.length), offset: whole.length };
}

function todosOf(value: unknown): FrontMatterTodo[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((todo: unknown): FrontMatterTodo[] => {
    if (typeof todo === 'string') return [{ id: '', content: todo, status: '', dependencies: [] }];
    if (typeof todo !== 'object' || todo === null) return [];
    const { id, content, title, status, dependencies } = todo as Record<string, unknown>;
    const text = [content, title, id].find((part) => typeof part === 'string' && part.trim() !== '');
    const names = Array.isArray(dependencies) ? dependencies.map(word).filter((name) => name !== '') : [];
    return text === undefined ? [] : [{ id: word(id), content: word(text), status: word(status), dependencies: names }];
  });
}

function word(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** `key: value: more`: YAML wants quotes around it, which people and agents forget. */
const UNQUOTED = /^(\s*(?:- +)?[\w-]+:[ \t]+)(?!["'|>[{&*!])(.*:(?:[ \t].*)?)$/gm;

function parseYaml(yaml: string): unknown {
  try {
    return parseText(yaml);
  } catch (cause) {
    const quoted = yaml.replaceAll(
      UNQUOTED,
      (_line, key: string, value: string) => key + JSON.stringify(value.trimEnd()),
    );
    if (quoted === yaml) throw cause;
    return parseText(quoted);
  }
}

/** `failsafe` reads every scalar as text; a plan has no use for aliases, which can be made to grow without end. */
function parseText(yaml: string): unknown {
  return parse(yaml, { schema: 'failsafe', maxAliasCount: 0 });
}

function fieldsOf(yaml: string): Record<string, unknown> {
  try {
    const value = parseYaml(yaml);
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
