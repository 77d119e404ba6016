import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { ActionCall } from './code-tool-input.ts';
import type { ChosenRoot } from './root.ts';
import { rowMaker } from './rows.ts';
import { TESTS_DEFAULTS, untestedNotes } from './tests.ts';

/** People that the text names; the JSON form has all. */
const MOST_NAMED = 5;

/** Who knows the files of a change. */
interface Reviewer {
  name: string;
  /** Files of the change whose main author this is. */
  files: number;
}

/** What a reviewer of a difference asks besides what it may break: what of it no test reaches, and who knows its files. */
export async function reviewOfChange(
  call: ActionCall,
  { roots, path }: ChosenRoot,
): Promise<{ notes: string[]; extra: Findings['extra'] }> {
  const [[repository, root] = []] = [...roots];
  if (repository === undefined || root === undefined || !('changed' in root) || root.changed.length === 0)
    return { notes: [], extra: {} };
  const search = { root, depth: TESTS_DEFAULTS.depth, path, companions: [], offset: 0, limit: 1 };
  const result = await call.sources.ask(repository, ['testsOf', search]);
  const make = rowMaker(call, repository);
  const paths = root.changed.map(({ path: file }) => file);
  const reviewers = countOwners((await call.history?.filesOf(repository, paths)) ?? []);
  const named = reviewers.slice(0, MOST_NAMED).map(({ name, files }) => `${name} (${files})`);
  const { of, total } = result.untested;
  return {
    notes: [
      ...untestedNotes([{ make, result }]),
      ...(named.length === 0 ? [] : [`main authors of the ${paths.length} files: ${named.join(', ')}`]),
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
