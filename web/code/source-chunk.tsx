import { memo, type ReactNode } from 'react';
import type { FileNames } from '../../src/code/source-bodies.ts';
import { addressPath, writeLines, type LineRange, type SourceAddress } from './address.ts';
import { formatDate } from '../format.ts';
import type { LineAuthor } from './blame.ts';
import type { SmellMark } from './smells.ts';
import { readHandle } from './handles.ts';
import { segmentsOf, wordLength, type Name, type Segment, type Token } from './segments.ts';

/** Of a line of code in pixels; as in the style sheet. */
const LINE_PX = 20;

/** Symbols that names of the file refer to: those that it uses, then those that it defines. */
type NamedSymbols = Pick<FileNames, 'symbols' | 'defined'>;

interface ChunkProps {
  lines: readonly string[];
  /** Number of the first line. */
  first: number;
  tokens: readonly Token[][] | undefined;
  /** Names by line number. */
  names: ReadonlyMap<number, Name[]> | undefined;
  named: NamedSymbols | undefined;
  /** Author of each line, where authors are shown. */
  authors: ReadonlyMap<number, LineAuthor> | undefined;
  /** Smells by line; without any, there is no margin for them. */
  marks: ReadonlyMap<number, SmellMark> | undefined;
  address: SourceAddress;
  /** The selected lines, where some of them are in this part. */
  selected: LineRange | undefined;
}

/** Some lines of a file. Outside the window it costs no layout; the browser knows its height. */
export const SourceChunk = memo(function SourceChunk(props: ChunkProps) {
  const { lines, first, authors, marks, address, selected } = props;
  return (
    <div className="source-chunk" style={{ containIntrinsicBlockSize: `${lines.length * LINE_PX}px` }}>
      {lines.map((line, index) => {
        const number = first + index;
        const isSelected = selected !== undefined && number >= selected.from && number <= selected.to;
        return (
          <div key={number} id={`L${number}`} className="source-line" data-selected={isSelected || undefined}>
            {authors !== undefined && <Author repo={address.repo} author={authors.get(number)} />}
            {/* Not reached by Tab: a file has thousands, and "Go to line" selects them too. */}
            <a
              href={`#L${number}`}
              className="source-number"
              data-line={number}
              tabIndex={-1}
              aria-label={`Line ${number}`}
            >
              {number}
            </a>
            {marks !== undefined && marks.size > 0 && <Mark line={number} mark={marks.get(number)} />}
            <code className="source-text">
              <LineText {...props} line={line} index={index} />
              {'\n'}
            </code>
          </div>
        );
      })}
    </div>
  );
});

/** Reached by Tab, as there are few; a click selects what it is about. */
function Mark({ line, mark }: { line: number; mark: SmellMark | undefined }) {
  if (mark === undefined) return <span className="source-mark" />;
  const { text, end, isSevere } = mark;
  return (
    <a
      href={`#${writeLines({ from: line, to: end })}`}
      className="source-mark"
      data-line={line}
      data-end={end}
      data-severe={isSevere || undefined}
      title={text}
      aria-label={text}
    >
      {isSevere ? '▲' : '△'}
    </a>
  );
}

/** The first line of each commit names it; the colour shows its age among the others. */
function Author({ repo, author }: { repo: string; author: LineAuthor | undefined }) {
  if (author === undefined) return <span className="source-author" />;
  const { sha, author: name, date, age, isFirst } = author;
  return (
    <span className="source-author" data-age={age}>
      {isFirst && (
        <a
          href={`/history/${encodeURIComponent(repo)}/commits/${sha}`}
          data-commit={sha}
          tabIndex={-1}
          className="flex gap-2"
        >
          <span className="truncate">{name}</span>
          <span className="ml-auto shrink-0">{formatDate(date)}</span>
        </a>
      )}
    </span>
  );
}

function LineText({ line, index, first, tokens, names, named, address }: ChunkProps & { line: string; index: number }) {
  const segments = segmentsOf(line, tokens?.[index] ?? [], names?.get(first + index) ?? []);
  return segments.map((segment, at) => <SegmentText key={at} segment={segment} named={named} address={address} />);
}

function SegmentText({
  segment: { symbol, stretches },
  named,
  address,
}: {
  segment: Segment;
  named: NamedSymbols | undefined;
  address: SourceAddress;
}): ReactNode {
  const text = stretches.map(({ text: part, color }, index) =>
    color === '' ? (
      part
    ) : (
      <span key={index} style={{ color }}>
        {part}
      </span>
    ),
  );
  if (symbol === undefined || named === undefined) return text;
  const target = targetOf(named, symbol, address);
  // A plain link, whose click the view turns into a step of the router: a thousand of the router's own are slow.
  return target === undefined ? (
    text
  ) : (
    <a href={target} className="source-name" data-name={symbol}>
      {text}
    </a>
  );
}

/** Returns the address of a name: of its definition when it is used here, of its own page when it is defined here. */
function targetOf({ symbols, defined }: NamedSymbols, index: number, { repo, ref }: SourceAddress): string | undefined {
  const used = symbols[index];
  if (used !== undefined) {
    const lines = writeLines({ from: used.line, to: used.line });
    return `/r/${addressPath({ repo, ref, path: used.path })}#${lines}`;
  }
  const own = defined[index - symbols.length];
  if (own === undefined) return undefined;
  const entity = readHandle(own.id);
  const name = entity.kind === 'symbol' ? entity.name : own.qualified;
  return `/s/${addressPath({ repo, ref, path: own.path })}?symbol=${encodeURIComponent(name)}`;
}

/** The names of a file by line, as far as they stand where the index says: the text may be of another commit. */
export function namesByLine(
  { lines, first }: { lines: readonly string[]; first: number },
  { places, symbols, defined }: FileNames,
): Map<number, Name[]> {
  const byLine = new Map<number, Name[]>();
  const add = (at: { line: number; column: number }, length: number, symbol: number): void => {
    if (length === 0) return;
    const ofLine = byLine.get(at.line) ?? [];
    ofLine.push({ column: at.column, length, symbol });
    byLine.set(at.line, ofLine);
  };
  for (const use of places) add(use, wordLength(lines[use.line - first] ?? '', use.column), use.symbol);
  for (const [index, { line, column, name }] of defined.entries()) {
    const isThere = lines[line - first]?.startsWith(name, column) === true;
    if (isThere) add({ line, column }, name.length, symbols.length + index);
  }
  for (const names of byLine.values()) names.sort((a, b) => a.column - b.column);
  return byLine;
}
