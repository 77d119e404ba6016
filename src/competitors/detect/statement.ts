import { z } from 'zod';
import { excerpt } from '../../kernel/shown-values.ts';
import { comparePhrases } from './phrase-pair.ts';

/** Kinds of statements, those that weigh most first; `page` is about the page as a whole. */
export const STATEMENT_KINDS = ['page', 'price', 'plan', 'limit', 'section', 'clause', 'item', 'wording'] as const;

/** One thing that a change says, as a person would report it. */
export const StatementBody = z.object({
  kind: z.enum(STATEMENT_KINDS),
  subject: z.string().describe('Plan, row or section'),
  attribute: z.string().describe("Which of its properties; '' for its price"),
  before: z.string().nullable().describe('null for what is new'),
  after: z.string().nullable().describe('null for what is gone'),
  text: z.string().describe('For example: Ultimate: $20 to $25 a month'),
});
export type Statement = z.output<typeof StatementBody>;

/** Longer parts are quoted, and shown with the words around them. */
const SPAN_WORDS = 6;
const CONTEXT_WORDS = 3;
const QUOTED_CHARACTERS = 140;
const SUBJECT_CHARACTERS = 80;

/** A statement of something new, gone, or called something else. */
export function statementOf(statement: Omit<Statement, 'text'>): Statement {
  return { ...statement, text: textOf(statement) };
}

function textOf({ kind, subject, attribute, before, after }: Omit<Statement, 'text'>): string {
  const verb = before === null ? 'added' : 'removed';
  const text = after ?? before ?? '';
  if (kind === 'plan') {
    if (before !== null && after !== null) return `${before} is now called ${after}`;
    return `${subject}: plan ${verb}${text === '' ? '' : `, ${text}`}`;
  }
  if (kind === 'section') return `section ${verb}: ${quote(text)}`;
  const isShort = text.split(/\s+/).length <= SPAN_WORDS && kind === 'price';
  return `${prefixOf({ subject, attribute })}${verb} ${isShort ? text : quote(text)}`;
}

/** A statement of two wordings of one thing: by what differs when that is short, else with the words around it. */
export function describePair(
  base: Pick<Statement, 'kind' | 'subject' | 'attribute'>,
  before: string,
  after: string,
): Statement {
  const prefix = prefixOf(base);
  const parts = comparePhrases(before, after);
  const isShort = [parts.before, parts.after].every(
    (part) => part.trim() !== '' && part.trim().split(/\s+/).length <= SPAN_WORDS,
  );
  const isPlain = isShort && parts.start === '' && after.split(/\s+/).length <= 2 * SPAN_WORDS;
  if (isPlain) return { ...base, before, after, text: `${prefix}${parts.before.trim()} to ${parts.after}${parts.end}` };
  const start = lastWords(parts.start);
  const end = firstWords(parts.end);
  const [from, to] = [parts.before, parts.after].map((part) => quote(`${start}${part}${end}`));
  return { ...base, before, after, text: `${prefix}${from} to ${to}` };
}

/** An amount of money says what it is for; other values need the name of their property. */
function prefixOf({ subject, attribute }: Pick<Statement, 'subject' | 'attribute'>): string {
  const name = excerpt(subject, SUBJECT_CHARACTERS);
  const names = [name, attribute].filter((part) => part !== '');
  return names.length === 0 ? '' : `${names.join(', ')}: `;
}

function lastWords(text: string): string {
  const words = text.split(/(?<=\s)/);
  return `${words.length > CONTEXT_WORDS ? '…' : ''}${words.slice(-CONTEXT_WORDS).join('')}`;
}

function firstWords(text: string): string {
  const words = text.split(/(?=\s)/);
  return `${words.slice(0, CONTEXT_WORDS).join('')}${words.length > CONTEXT_WORDS ? '…' : ''}`;
}

function quote(text: string): string {
  return `"${excerpt(text, QUOTED_CHARACTERS)}"`;
}
