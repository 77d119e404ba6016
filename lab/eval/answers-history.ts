import { FileFacts } from '../../src/commits/commits.ts';
import type { EvalInput } from './answers.ts';
import type { EvalIndex } from './snapshots.ts';

/** Before all histories: which files belong together is a question to the whole past. */
const BEGINNING = '1980-01-01';
const MOST_ROWS = 100;
const MOST_FILES = 50;
/** Paths of code: the only files that count as answers. */
const CODE = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs|py|go|java|kt|rs|vue|svelte)$/;
const DATA = /\.d\.ts$|(^|\/)(fixtures?|__snapshots__|testdata|snapshots?)\//;

type Ask<Row> = (call: Record<string, unknown>) => Promise<Row[]>;

/** Files of a snapshot that change often and hold much, most first. */
export async function hotspotsAnswer(ask: Ask<{ path: string; score: number }>): Promise<Record<string, unknown>> {
  const rows = await ask({ action: 'hotspots', limit: MOST_ROWS });
  return { files: rows.map(({ path, score }) => ({ path, score })) };
}

/** Code that is likely to change with one file. */
export async function cochangeAnswer(
  { path = '' }: EvalInput,
  ask: Ask<{ b: string }>,
): Promise<Record<string, unknown>> {
  const coupled = await ask({ action: 'coupling', path, since: BEGINNING, limit: MOST_ROWS });
  const code = coupled.map(({ b }) => b).filter((file) => CODE.test(file) && !DATA.test(file));
  return { files: code.slice(0, MOST_FILES) };
}

/** Returns the likely next authors of a file. */
export async function ownershipAnswer(
  { parts }: EvalIndex,
  { path = '' }: EvalInput,
): Promise<Record<string, unknown>> {
  const caller = { accountId: 'eval', productId: 'eval', keyId: 'eval', scopes: ['read' as const] };
  const ownership = await new FileFacts(parts).ownership({ caller, signal: new AbortController().signal, path });
  return { owners: ownership.likelyNext.map(({ email }) => email) };
}
