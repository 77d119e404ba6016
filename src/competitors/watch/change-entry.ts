import type { Entry } from '../../knowledge/knowledge.ts';
import type { ChangeRow } from '../store/store-changes.ts';

/** Longest text that a search looks at, of a change. */
const TEXT_CHARACTERS = 20_000;

/** A change as searches find it. */
export function changeEntry(
  change: Pick<
    ChangeRow,
    'competitor' | 'url' | 'kind' | 'severity' | 'summary' | 'added' | 'removed' | 'statements' | 'at'
  >,
): Entry {
  const { competitor, url, kind, severity, summary, statements, added, removed, at } = change;
  const text = [
    ...statements.map((statement) => statement.text),
    ...added.map((line) => `+ ${line}`),
    ...removed.map((line) => `- ${line}`),
  ].join('\n');
  return {
    part: '',
    kind,
    title: `${competitor}: ${summary}`,
    section: '',
    text: text.slice(0, TEXT_CHARACTERS),
    date: at,
    tags: [kind, severity],
    customer: '',
    segment: '',
    source: url,
  };
}
