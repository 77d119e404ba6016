import { excerpt } from '../../kernel/shown-values.ts';
import type { Statement } from '../detect/statement.ts';

const LONGEST = 200;
const MOST_STATEMENTS = 3;

/** A change on one line: what it says of plans, limits and clauses, else what weighs most. */
export function summaryOf({
  statements,
  added,
  removed,
  reasons,
}: {
  statements: readonly Statement[];
  added: readonly string[];
  removed: readonly string[];
  reasons: readonly string[];
}): string {
  const shown: string[] = [];
  for (const { text } of statements.slice(0, MOST_STATEMENTS))
    if (shown.length === 0 || [...shown, text].join('; ').length <= LONGEST) shown.push(text);
  const more = statements.length - shown.length;
  if (shown.length > 0) return excerpt(shown.join('; '), LONGEST) + (more > 0 ? ` (and ${more} more)` : '');
  const [reason = ''] = reasons;
  if (!reason.startsWith('wording')) return excerpt(reason, LONGEST);
  return excerpt(`wording: ${quoteText(removed[0])} to ${quoteText(added[0])}`, LONGEST);
}

function quoteText(text = ''): string {
  return text === '' ? 'nothing' : `"${excerpt(text, 60)}"`;
}
