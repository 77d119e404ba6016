import { excerpt } from '../../kernel/shown-values.ts';
import type { SuspectFile, SuspectFunction } from '../../code/code.ts';
import type { ReportHistory } from '../../commits/commits.ts';
import type { Evidence } from './analysis.ts';

/** A smaller part of the evidence says nothing to a reader. */
const LEAST_WEIGHT = 0.05;
const LONGEST_QUOTE = 80;
const MOST_NAMES = 3;
/** Share of the history of its file that counts for a function. */
const FILE_SHARE = 0.75;

/** A fix of the past that changed some files. */
type Fix = Pick<ReportHistory['commits'][number], 'sha' | 'subject' | 'paths'>;

/** Returns the evidence that a function holds the fault, heaviest first; weights are shares of all evidence for it. */
export function functionEvidence(suspect: SuspectFunction, fixes: readonly Fix[]): Evidence[] {
  const { file, parts, best, symbol, line } = suspect;
  const { path } = file;
  const shared = historyOf(file, fixes).map((item) => ({ ...item, weight: item.weight * FILE_SHARE }));
  const words = best?.words.join(', ') ?? '';
  return toShares([
    { ...frameOf(suspect), weight: parts.frame ?? 0 },
    { ...literalOf(file, suspect), weight: parts.literal ?? 0 },
    {
      kind: 'text',
      id: `${path}:${best?.line ?? line}`,
      weight: (parts.words ?? 0) + (parts.name ?? 0) + (parts.lines ?? 0),
      says: words === '' ? 'words of the report' : `words of the report: ${words}`,
    },
    { kind: 'text', id: `sym:${symbol}@${path}`, weight: parts.named ?? 0, says: 'the report has its name' },
    ...shared,
  ]);
}

/** Returns the evidence that a file holds the fault, heaviest first. */
export function fileEvidence(file: SuspectFile, fixes: readonly Fix[]): Evidence[] {
  const { path, parts, names } = file;
  const [frame] = file.frames;
  const defined = [...new Set(names.flatMap((name) => name.split('.').at(-1) ?? []))].slice(0, MOST_NAMES);
  return toShares([
    { kind: 'frame', id: `${path}:${frame?.line ?? 1}`, weight: parts.frame ?? 0, says: saysFrame(frame) },
    { ...literalOf(file), weight: parts.literal ?? 0 },
    { kind: 'text', id: `${path}:1`, weight: parts.path ?? 0, says: 'the report has its path' },
    { kind: 'text', id: `${path}:1`, weight: (parts.words ?? 0) + (parts.name ?? 0), says: 'words of the report' },
    {
      kind: 'text',
      id: `${path}:1`,
      weight: parts.identifiers ?? 0,
      says:
        defined.length === 0 ? 'identifiers of the report' : `defines ${defined.join(', ')}, which the report names`,
    },
    ...historyOf(file, fixes),
  ]);
}

function historyOf({ path, parts }: SuspectFile, fixes: readonly Fix[]): Evidence[] {
  const fix = fixes.find(({ paths }) => paths.includes(path));
  return [
    {
      kind: 'history',
      id: fix === undefined ? `${path}:1` : `c:${fix.sha.slice(0, 7)}`,
      weight: (parts.messages ?? 0) + (parts.fixes ?? 0),
      says:
        fix === undefined
          ? 'messages of its commits, and its fixes'
          : `fixed by ${JSON.stringify(excerpt(fix.subject, LONGEST_QUOTE))}`,
    },
    { kind: 'coupling', id: `${path}:1`, weight: parts.together ?? 0, says: 'changes with files of these words' },
    { kind: 'recent_change', id: `${path}:1`, weight: parts.changed ?? 0, says: 'changed since the last good state' },
  ];
}

/** The line of the frame where it still is in the function, else the head of the function. */
function frameOf({ file, line, end, symbol }: SuspectFunction): Omit<Evidence, 'weight'> {
  const frame =
    file.frames.find((candidate) => nameOf(candidate.symbol ?? '') === nameOf(symbol)) ??
    file.frames.find((candidate) => candidate.line !== undefined && line <= candidate.line && candidate.line <= end);
  const isInside = frame?.line !== undefined && line <= frame.line && frame.line <= end;
  const other = frame?.line === undefined || isInside ? '' : ` (line ${frame.line} of the trace is of another version)`;
  return { kind: 'frame', id: `${file.path}:${isInside ? frame.line : line}`, says: `${saysFrame(frame)}${other}` };
}

function saysFrame(frame: SuspectFile['frames'][number] | undefined): string {
  return `frame ${frame?.rank ?? ''} of this repository${frame?.symbol === undefined ? '' : `, in ${frame.symbol}`}`;
}

/** `Queue/flush(int)`, `Queue.flush` → flush. */
function nameOf(symbol: string): string | undefined {
  return symbol
    .replace(/\(.*$/, '')
    .split(/[/.#:]/)
    .at(-1);
}

function literalOf(
  { path, literals }: SuspectFile,
  range: { line: number; end: number } = { line: 1, end: Infinity },
): Omit<Evidence, 'weight'> {
  // Of those that few files have, the longest is the surest to be the one that is meant.
  const [literal] = literals
    .filter(({ line }) => range.line <= line && line <= range.end)
    .toSorted((a, b) => a.files - b.files || b.text.length - a.text.length);
  const others = (literal?.files ?? 1) - 1;
  const where = others === 0 ? 'nowhere else' : `in ${others} more ${others === 1 ? 'file' : 'files'}`;
  return {
    kind: 'text',
    id: `${path}:${literal?.line ?? 1}`,
    says: `has the text ${JSON.stringify(excerpt(literal?.text ?? '', LONGEST_QUOTE))}, which is ${where}`,
    ...(others === 0 && literal !== undefined && { isOnly: true }),
  };
}

function toShares(evidence: readonly Evidence[]): Evidence[] {
  const all = evidence.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return evidence
    .map((item) => ({ ...item, weight: Math.round((100 * item.weight) / all) / 100 }))
    .filter(({ weight }) => weight >= LEAST_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight);
}
