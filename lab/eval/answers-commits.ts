import type { EvalInput } from './answers.ts';
import type { IndexedSnapshots } from './snapshots.ts';

/** The graders' names of our sections. */
const SECTIONS: Record<string, string> = {
  'Breaking changes': 'breaking',
  Added: 'feature',
  Changed: 'feature',
  Deprecated: 'breaking',
  Removed: 'breaking',
  Fixed: 'fix',
  Performance: 'perf',
  Security: 'fix',
  Reverted: 'fix',
  Documentation: 'docs',
};

/** Fields that are read from a row of a changelog. */
export interface ChangelogRow {
  section: string;
  refs: string[];
  shas: string[];
}

/** The changelog between two tags of the repository; the snapshot ends at the later one. */
export async function changelogAnswer(
  { repo, from = '' }: EvalInput,
  snapshots: IndexedSnapshots,
  ask: (call: Record<string, unknown>) => Promise<ChangelogRow[]>,
): Promise<Record<string, unknown>> {
  const rows = await ask({ action: 'changelog', since: snapshots.commitOf(repo, from), until: 'HEAD' });
  return { entries: changelogEntries(rows) };
}

/** Rows of a changelog in the words of the graders. */
export function changelogEntries(rows: readonly ChangelogRow[]): { section: string; refs: number[]; shas: string[] }[] {
  return rows.map(({ section, refs, shas }) => ({
    section: SECTIONS[section] ?? 'internal',
    refs: refs.filter((reference) => reference.startsWith('#')).map((reference) => Number(reference.slice(1))),
    shas,
  }));
}
