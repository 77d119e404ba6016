import { counted } from '../../kernel/counted.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { ActionCall } from './code-tool-input.ts';
import type { ChosenRoot } from './root.ts';
import { rowMaker } from './rows.ts';
import { untestedNotes } from './tests.ts';

/** People that the text names; the JSON form has all. */
const MOST_NAMED = 5;

/** Who knows the files of a change. */
interface Reviewer {
  name: string;
  /** Files of the change whose main author this is. */
  files: number;
}

/**
 * What a reviewer of a difference asks besides what it may break: what of it no test reaches, and who knows its files. It comes
 * with the first page alone.
 */
export async function reviewOfChange(
  call: ActionCall,
  { roots }: ChosenRoot,
): Promise<{ notes: string[]; extra: Findings['extra'] }> {
  const [[repository, root] = []] = [...roots];
  const isDifference = root !== undefined && 'changed' in root && root.changed.length > 0;
  if (repository === undefined || !isDifference || call.offset > 0) return { notes: [], extra: {} };
  const untested = await call.sources.ask(repository, ['untestedOf', { root }]);
  const make = rowMaker(call, repository);
  const paths = root.changed.map(({ path: file }) => file);
  const reviewers = countOwners((await call.history?.filesOf(repository, paths)) ?? []);
  const named = reviewers.slice(0, MOST_NAMED).map(({ name, files }) => `${name} (${files})`);
  const { of, total } = untested;
  return {
    notes: [
      ...untestedNotes([{ make, untested }]),
      ...(named.length === 0 ? [] : [`main authors of ${counted(paths.length, 'file')}: ${named.join(', ')}`]),
    ],
    extra: { untested: { of, total }, reviewers },
  };
}

function countOwners(files: readonly { owner?: { name: string } }[]): Reviewer[] {
  const counts = new Map<string, number>();
  for (const { owner } of files) if (owner !== undefined) counts.set(owner.name, (counts.get(owner.name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, files: count }))
    .toSorted((a, b) => b.files - a.files || a.name.localeCompare(b.name));
}
