import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { FileNames } from '../../src/code/source-bodies.ts';
import { type LineRange, type SourceAddress, writeLines } from './address.ts';
import type { LineAuthor } from './blame.ts';
import { NameCard, useNameCard } from './name-card.tsx';
import type { Token } from './segments.ts';
import type { SmellMark } from './smells.ts';
import { namesByLine, SourceChunk } from './source-chunk.tsx';
import './source.css';

/** Lines that are drawn, and read for colours, at once. */
const CHUNK = 100;
/** More than anybody reads in colour; reading all of it keeps the page busy for a second. */
const MOST_COLOURED = 400_000;

interface SourceViewProps {
  text: string;
  /** Number of the first line, of a part of a file, which scrolls in itself when it is long; the whole file when absent. */
  first?: number;
  /** Of the file, at its commit. */
  address: SourceAddress;
  names: FileNames | undefined;
  authors?: ReadonlyMap<number, LineAuthor> | undefined;
  /** Smells by the line on which they begin. */
  marks?: ReadonlyMap<number, SmellMark> | undefined;
  selected: LineRange | undefined;
  onSelect: (lines: LineRange) => void;
}

/** The text of a file with its line numbers: a click selects a line, with Shift up to there; names lead to what they mean. */
export function SourceView({
  text,
  first: start,
  address,
  names,
  authors,
  marks,
  selected,
  onSelect,
}: SourceViewProps) {
  const first = start ?? 1;
  const lines = useMemo(() => linesOf(text), [text]);
  const chunks = useMemo(() => chunksOf(lines), [lines]);
  const tokens = useTokens(chunks, { path: address.path, text });
  const byLine = useMemo(
    () => (names === undefined ? undefined : namesByLine({ lines, first }, names)),
    [lines, first, names],
  );
  const frame = useRef<HTMLDivElement>(null);
  const card = useNameCard(frame);
  const click = useClicks({ selected, onSelect, onLeave: card.hide });
  useScrollTo(selected);

  return (
    <div ref={frame} className="relative">
      <div
        role="region"
        aria-label={`Source of ${address.path}`}
        tabIndex={0}
        className={start === undefined ? 'source' : 'source max-h-[28rem] overflow-y-auto'}
        onClick={click}
        {...card.handlers}
      >
        {chunks.map((chunk, index) => (
          <SourceChunk
            key={index}
            lines={chunk}
            first={first + index * CHUNK}
            tokens={tokens[index]}
            names={byLine}
            named={names}
            authors={authors}
            marks={marks}
            address={address}
            selected={inside(selected, first + index * CHUNK)}
          />
        ))}
      </div>
      {names !== undefined && <NameCard card={card} names={names} address={address} />}
    </div>
  );
}

interface ClicksOptions extends Pick<SourceViewProps, 'selected' | 'onSelect'> {
  onLeave: () => void;
}

/** A click on a number or a mark selects lines; on a name or a commit, it is a step of the router. */
function useClicks({ selected, onSelect, onLeave }: ClicksOptions): (event: MouseEvent) => void {
  const router = useRouter();
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) return;
    const lines = linesMeant(link, event.shiftKey ? selected?.from : undefined);
    if (lines !== undefined) {
      event.preventDefault();
      onSelect(lines);
    } else if ((link.dataset['name'] ?? link.dataset['commit']) !== undefined && !event.shiftKey) {
      event.preventDefault();
      onLeave();
      void router.navigate({ href: link.getAttribute('href') ?? '' });
    }
  };
}

/** The lines that a number or a mark of the margin selects, from another line on when that is given. */
function linesMeant({ dataset }: HTMLElement, other: number | undefined): LineRange | undefined {
  const line = Number(dataset['line'] ?? 0);
  if (line === 0) return undefined;
  const from = other ?? line;
  return { from: Math.min(from, line), to: Math.max(from, Number(dataset['end'] ?? line)) };
}

/** The selection for a part that it touches: other parts are not drawn again. */
function inside(selected: LineRange | undefined, first: number): LineRange | undefined {
  const isTouched = selected !== undefined && selected.from < first + CHUNK && selected.to >= first;
  return isTouched ? selected : undefined;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function chunksOf(lines: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(lines.length / CHUNK) }, (_, index) =>
    lines.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}

/** Colours of the parts, as they become known: one after the other, so that the page can be used meanwhile. */
function useTokens(chunks: readonly string[][], { path, text }: { path: string; text: string }): readonly Token[][][] {
  const [colouring, setColouring] = useState<{ of: unknown; tokens: readonly Token[][][] }>({ of: chunks, tokens: [] });
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      if (text.length > MOST_COLOURED) return;
      const { openHighlighter } = await import('./highlight.ts');
      const highlight = await openHighlighter(path);
      if (highlight === undefined) return;
      for (const chunk of chunks) {
        // Lets the page answer to the person between two parts.
        await new Promise((resolve) => setTimeout(resolve));
        if (stop.signal.aborted) return;
        const tokens = highlight(chunk);
        setColouring((before) => ({ of: chunks, tokens: [...(before.of === chunks ? before.tokens : []), tokens] }));
      }
    };
    // Without colours the text can still be read.
    read().catch(() => {});
    return () => stop.abort();
  }, [chunks, path, text]);
  return colouring.of === chunks ? colouring.tokens : [];
}

/** True if the router has restored the scroll position: there is a later page in the history, and this one is not at its top. */
function isComeBackTo(): boolean {
  // Browsers without the Navigation API show the selected lines.
  return 'navigation' in window && window.navigation.canGoForward && window.scrollY > 0;
}

/** Brings the selected lines into view when the page opens at them, and when the address changes to them from outside. */
function useScrollTo(selected: LineRange | undefined): void {
  const line = selected?.from;
  const shown = useRef<number>(undefined);
  useEffect(() => {
    if (line === undefined || shown.current === line) return undefined;
    shown.current = line;
    // After the router has put the page where it was, or at its top.
    const frame = requestAnimationFrame(() => {
      const element = document.getElementById(writeLines({ from: line, to: line }));
      const bounds = element?.getBoundingClientRect();
      // A line that can be seen stays where it is: it was clicked.
      const isVisible = bounds !== undefined && bounds.top >= 0 && bounds.bottom <= window.innerHeight;
      if (!isVisible && !isComeBackTo()) element?.scrollIntoView({ block: 'center' });
    });
    return () => cancelAnimationFrame(frame);
  }, [line]);
}
