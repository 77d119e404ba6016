import { useMemo } from 'react';
import type { Stretch } from '../word-diff.ts';
import { type DiffRow, readPatch, type Side } from './patch.ts';

export type DiffLook = 'unified' | 'split';

interface DiffViewProps {
  path: string;
  patch: string;
  look: DiffLook;
  /** Breaks long lines, as of prose; otherwise those of one column scroll. */
  wraps?: boolean;
}

/** The patch of one file, below each other or side by side. */
export function DiffView({ path, patch, look, wraps = false }: DiffViewProps) {
  const rows = useMemo(() => readPatch(patch), [patch]);
  return (
    <div
      className="overflow-x-auto font-mono text-[12.5px] leading-5 -outline-offset-2"
      role="region"
      aria-label={`Changes of ${path}`}
      tabIndex={0}
    >
      <div className={look === 'split' ? 'min-w-[760px]' : wraps ? undefined : 'w-max min-w-full'}>
        {rows.map((row, index) => (
          <Row key={index} row={row} look={look} wraps={wraps} />
        ))}
      </div>
    </div>
  );
}

function Row({ row, look, wraps }: { row: DiffRow; look: DiffLook; wraps: boolean }) {
  if (row.kind === 'hunk') return <div className="bg-hover px-3 py-0.5 whitespace-pre text-quiet">{row.text}</div>;
  const isSplit = look === 'split';
  if (row.kind === 'same') {
    const stretches = [{ text: row.text, isOwn: false }];
    if (!isSplit) return <Line numbers={[row.before, row.after]} sign=" " stretches={stretches} wraps={wraps} />;
    return (
      <div className="grid grid-cols-2">
        <Line numbers={[row.before]} sign=" " stretches={stretches} wraps />
        <Line numbers={[row.after]} sign=" " stretches={stretches} wraps />
      </div>
    );
  }
  const { before, after } = row;
  if (isSplit)
    return (
      <div className="grid grid-cols-2">
        <OneSide side={before} sign="-" />
        <OneSide side={after} sign="+" />
      </div>
    );
  return (
    <>
      {before !== undefined && (
        <Line numbers={[before.line, undefined]} sign="-" stretches={before.stretches} wraps={wraps} />
      )}
      {after !== undefined && (
        <Line numbers={[undefined, after.line]} sign="+" stretches={after.stretches} wraps={wraps} />
      )}
    </>
  );
}

function OneSide({ side, sign }: { side: Side | undefined; sign: '-' | '+' }) {
  if (side === undefined) return <div className="bg-hover/50" />;
  return <Line numbers={[side.line]} sign={sign} stretches={side.stretches} wraps />;
}

const LOOKS = { ' ': '', '-': 'bg-bad-soft', '+': 'bg-good-soft' } as const;
const MARKS = { ' ': '', '-': 'rounded-sm bg-bad/20 text-ink', '+': 'rounded-sm bg-good/20 text-ink' } as const;
const WORDS = { ' ': '', '-': 'removed: ', '+': 'added: ' } as const;

interface LineProps {
  numbers: readonly (number | undefined)[];
  sign: ' ' | '-' | '+';
  stretches: readonly Stretch[];
  /** Breaks lines that are too long; otherwise the view scrolls. */
  wraps?: boolean;
}

function Line({ numbers, sign, stretches, wraps = false }: LineProps) {
  return (
    <div className={`flex min-w-0 ${LOOKS[sign]}`}>
      {numbers.map((number, index) => (
        <span key={index} className="w-12 shrink-0 pr-2 text-right text-quiet tabular-nums select-none">
          {number}
        </span>
      ))}
      <span aria-hidden="true" className="w-4 shrink-0 text-center select-none">
        {sign}
      </span>
      <code className={wraps ? 'min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap' : 'pr-4 whitespace-pre'}>
        {sign !== ' ' && <span className="sr-only">{WORDS[sign]}</span>}
        {stretches.map(({ text, isOwn }, index) =>
          isOwn ? (
            <mark key={index} className={MARKS[sign]}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
        {'\n'}
      </code>
    </div>
  );
}
