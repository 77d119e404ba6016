import type { SuspectFile } from '../../code/code.ts';
import type { LentFiles } from '../../commits/commits.ts';
import type { Evidence } from './analysis.ts';

/** A part of the evidence that is smaller than this says nothing to a reader. */
const LEAST_WEIGHT = 0.05;
const LONGEST_QUOTE = 80;
const MOST_NAMES = 3;

type Part = keyof SuspectFile['parts'];
/** The share of all that speaks for a file which some of the parts are. */
type Share = (...parts: readonly Part[]) => number;

/** A fix of the past, of which a file may have been part. */
type Fix = Pick<LentFiles['commits'][number], 'sha' | 'subject' | 'paths'>;

/** What speaks for a file, heaviest first, in words. */
export function evidenceOf(file: SuspectFile, { commits }: { commits: readonly Fix[] }): Evidence[] {
  const { path, parts } = file;
  const positive = (part: Part): number => Math.max(0, parts[part] ?? 0);
  const all = (Object.keys(parts) as Part[]).reduce((sum, part) => sum + positive(part), 0) || 1;
  const share: Share = (...some) => Math.round((100 * some.reduce((sum, part) => sum + positive(part), 0)) / all) / 100;
  const fix = commits.find(({ paths }) => paths.includes(path));
  return [
    ...quoteFile(file, share),
    ...words(file, share),
    {
      kind: 'history' as const,
      id: fix === undefined ? `${path}:1` : `c:${fix.sha.slice(0, 7)}`,
      weight: share('history', 'fixes'),
      says:
        fix === undefined
          ? 'commits with such words touched it'
          : `fixes with such words touched it, such as ${JSON.stringify(cut(fix.subject))}`,
    },
    {
      kind: 'graph' as const,
      id: `${path}:1`,
      weight: share('graph', 'uses'),
      says: 'it uses code that the report points at',
    },
    {
      kind: 'recent_change' as const,
      id: `${path}:1`,
      weight: share('changed'),
      says: 'it changed since the last good state',
    },
  ]
    .filter(({ weight }) => weight >= LEAST_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight);
}

/** What the report says letter by letter: frames, paths and texts. */
function quoteFile({ path, frames, literals, symbols }: SuspectFile, share: Share): Evidence[] {
  const [frame] = frames;
  // Of those that stand in fewest files the longest is the surest to be the one that was meant.
  const [literal] = literals.toSorted((a, b) => a.files - b.files || b.text.length - a.text.length);
  const found: Evidence[] = [];
  if (frame !== undefined) {
    const inside = frame.symbol === undefined ? '' : `, in ${frame.symbol}`;
    const line = lineOf(frame, symbols);
    const other =
      frame.line === undefined || line === frame.line ? '' : ` (line ${frame.line} of the trace is of another version)`;
    const says = `frame ${frame.rank} of this repository${inside}${other}`;
    found.push({ kind: 'frame', id: `${path}:${line ?? 1}`, weight: share('frame', 'path'), says });
  } else found.push({ kind: 'text', id: `${path}:1`, weight: share('path'), says: 'the report names the path' });
  if (literal !== undefined) {
    const others =
      literal.files > 1
        ? `and in ${literal.files === 2 ? 'one more file' : `${literal.files - 1} more files`}`
        : 'and nowhere else';
    const says = `the text ${JSON.stringify(cut(literal.text))} stands there ${others}`;
    found.push({ kind: 'text', id: `${path}:${literal.line}`, weight: share('literal'), says });
  }
  return found;
}

/** Where a frame stands now: at its line, or at the head of its function where that has moved away from it. */
function lineOf({ line, symbol }: SuspectFile['frames'][number], symbols: SuspectFile['symbols']): number | undefined {
  if (symbol === undefined) return line;
  const own = symbols.filter((place) => nameOf(place.symbol) === nameOf(symbol));
  if (line === undefined) return own.length === 1 ? own[0]?.line : undefined;
  return own.length !== 1 || own.some((place) => place.line <= line && line <= place.end) ? line : own[0]?.line;
}

/** `Queue/flush(int)`, `Queue.flush` → flush. */
function nameOf(symbol: string): string | undefined {
  return symbol
    .replace(/\(.*$/, '')
    .split(/[/.#:]/)
    .at(-1);
}

function words({ path, symbols, names }: SuspectFile, share: Share): Evidence[] {
  const [symbol] = symbols;
  const id = symbol === undefined ? `${path}:1` : `sym:${symbol.symbol}@${path}`;
  // Of `settings.retry` it may define another `retry`.
  const defined = [...new Set(names.flatMap((name) => nameOf(name) ?? []))];
  const named = defined.slice(0, MOST_NAMES).join(', ');
  const asNames: readonly Part[] = named === '' ? ['names'] : [];
  const fit = share('text', 'symbols', 'title_search', 'file_name', ...asNames);
  const says = 'its names, comments and code have the words of the report';
  const found: Evidence[] = [{ kind: 'text', id, weight: fit, says }];
  if (named !== '') {
    const weight = share('defines', 'names');
    found.push({ kind: 'text', id, weight, says: `it defines ${named}, which the report names` });
  }
  return found;
}

function cut(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
