import type { NewDecision } from '../knowledge/queries.ts';
import type { GIVEN_STATUSES } from './status.tsx';

/** A considered option as it is typed: arguments are one a line. */
export interface OptionForm {
  key: number;
  name: string;
  pros: string;
  cons: string;
}

/** A decision as it is typed. */
export interface DecisionForm {
  title: string;
  decision: string;
  context: string;
  options: readonly OptionForm[];
  consequences: string;
  links: string;
  status: (typeof GIVEN_STATUSES)[number];
  supersedes: string;
  tags: string;
  reviewOn: string;
}

export const emptyDecision: DecisionForm = {
  title: '',
  decision: '',
  context: '',
  options: [],
  consequences: '',
  links: '',
  status: 'accepted',
  supersedes: '',
  tags: '',
  reviewOn: '',
};

/** The entries of a text, without empty ones. */
export function linesOf(text: string, separator: string | RegExp = '\n'): string[] {
  return text
    .split(separator)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns the request; fields without a value are omitted. */
export function toDecision(form: DecisionForm): NewDecision {
  const options = form.options
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, pros, cons }) => ({ name: name.trim(), pros: linesOf(pros), cons: linesOf(cons) }));
  const lists = {
    consequences: linesOf(form.consequences),
    links: linesOf(form.links),
    supersedes: linesOf(form.supersedes, /[,\s]+/),
    tags: linesOf(form.tags, ','),
  };
  return {
    title: form.title.trim(),
    decision: form.decision.trim(),
    status: form.status,
    ...(form.context.trim() !== '' && { context: form.context.trim() }),
    ...(options.length > 0 && { options }),
    ...Object.fromEntries(Object.entries(lists).filter(([, entries]) => entries.length > 0)),
    ...(form.reviewOn !== '' && { review_on: form.reviewOn }),
  };
}
