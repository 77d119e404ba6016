import { withoutIndent } from '../code-words.ts';
import { Marked } from '../search/marked.tsx';
import { readQuote } from './answer-text.ts';

/** Quoted code with its line numbers in the margin, the words of the question marked, and a rule where lines are left out. */
export function QuotedLines({ quote, words }: { quote: string; words: string }) {
  const lines = readQuote(quote);
  if (lines === undefined)
    return (
      <code className="font-mono whitespace-pre-wrap">
        <Marked text={withoutIndent(quote)} query={words} />
      </code>
    );
  const texts = withoutIndent(lines.map(({ text }) => text).join('\n')).split('\n');
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono leading-5">
      {lines.map(({ number, isAfterGap }, at) => (
        <div
          key={number}
          className={`col-span-2 grid grid-cols-subgrid ${isAfterGap ? 'border-t border-dashed border-line' : ''}`}
        >
          <span className="text-right text-quiet tabular-nums select-none">{number}</span>
          <code className="whitespace-pre-wrap">
            <Marked text={texts[at] ?? ''} query={words} />
          </code>
        </div>
      ))}
    </div>
  );
}
