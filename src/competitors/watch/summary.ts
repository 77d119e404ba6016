import type { ChangeKind } from '../page/page-kind.ts';

const LONGEST = 160;

/** A change on one line: what weighs most, else the first words that differ. */
export function summaryOf({
  kind,
  added,
  removed,
  reasons,
}: {
  kind: ChangeKind;
  added: readonly string[];
  removed: readonly string[];
  reasons: readonly string[];
}): string {
  const [reason = ''] = reasons;
  const isWording = reason.startsWith('wording');
  const size = `${formatCount(added.length, 'block')} added, ${removed.length} removed`;
  const what = isWording ? `wording: ${quoteText(removed[0])} -> ${quoteText(added[0])}` : reason;
  const line = `${kind}: ${what} (${size})`;
  return line.length > LONGEST + size.length ? `${line.slice(0, LONGEST)}… (${size})` : line;
}

function quoteText(text = ''): string {
  return text === '' ? 'nothing' : `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
