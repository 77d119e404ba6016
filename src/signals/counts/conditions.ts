import { ServiceError } from '../../kernel/errors.ts';

/** Fields that signals are grouped by. */
export const GROUP_FIELDS = [
  'month',
  'week',
  'rating',
  'theme',
  'customer',
  'segment',
  'source',
  'version',
  'language',
  'tone',
  'intent',
  'tag',
  'competitor',
] as const;
export type GroupField = (typeof GROUP_FIELDS)[number];

const FIELDS = [...GROUP_FIELDS, 'value'] as const;
type Field = (typeof FIELDS)[number];
const OPERATORS = ['!=', '<=', '>=', '=', '<', '>'] as const;
type Operator = (typeof OPERATORS)[number];

/** A condition on a field of a signal: `rating<=2`. */
export interface Condition {
  field: Field;
  operator: Operator;
  value: string;
}

const WRITTEN = /^\s*([a-z]+)\s*(!=|<=|>=|=|<|>)\s*(.*?)\s*$/is;
/** Fields whose values have an order. */
const ORDERED: ReadonlySet<Field> = new Set(['month', 'week', 'rating', 'version', 'value']);
const NUMBERS: ReadonlySet<Field> = new Set(['rating', 'value']);
const TONES: readonly string[] = ['negative', 'neutral', 'positive'];

/**
 * Conditions as callers write them.
 *
 * @throws ServiceError `bad_argument` for what is none, for a field or operator that does not exist, and for a value that the field cannot have.
 */
export function readConditions(written: readonly string[]): Condition[] {
  return written.map((text) => {
    const [, name = '', operator = '', value = ''] = WRITTEN.exec(text) ?? [];
    const field = FIELDS.find((one) => one === name.toLowerCase());
    const comparison = OPERATORS.find((one) => one === operator);
    if (field === undefined || comparison === undefined || value === '')
      throw fault(`filter "${text.slice(0, 80)}" is not field, operator and value.`);
    if (!ORDERED.has(field) && comparison !== '=' && comparison !== '!=')
      throw fault(`"${field}" has no order: "${comparison}" cannot compare it.`);
    if (NUMBERS.has(field) && !Number.isFinite(Number(value)))
      throw fault(`"${value.slice(0, 40)}" of "${field}" is not a number.`);
    if (field === 'tone' && !TONES.includes(value.toLowerCase()))
      throw fault(`"${value.slice(0, 40)}" is not a tone: ${TONES.join(', ')}.`);
    return { field, operator: comparison, value };
  });
}

function fault(message: string): ServiceError {
  return new ServiceError('bad_argument', message, {
    fix: `filter=["rating<=2", "segment=pro"]: fields ${FIELDS.join(', ')}; operators = and !=, for ${[...ORDERED].join(', ')} also <= >= < >`,
  });
}
