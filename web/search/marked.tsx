import { Fragment } from 'react';

/** Marks the words of the query; the text is shown as it is, never read as markup. */
export function Marked({ text, query }: { text: string; query: string }) {
  const words = query.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word.length > 1);
  if (words.length === 0) return text;
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll('$', '\\$')).join('|')})`, 'giu');
  return text.split(pattern).map((part, index) =>
    // Every second part is what the pattern found.
    index % 2 === 1 ? (
      // Without room at its sides: two words of the query can be parts of one name.
      <mark key={index} className="rounded-sm bg-warn-soft text-warn">
        {part}
      </mark>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
