import type { ChangelogPage } from '../../src/commits/history-bodies.ts';

export type ChangelogRow = ChangelogPage['rows'][number];

/** Entries under one heading of one version, in their order. */
interface ChangelogGroup {
  version: string | null;
  section: string;
  rows: ChangelogRow[];
}

/** Puts neighbours of one version and section together. */
export function changelogGroups(rows: readonly ChangelogRow[]): ChangelogGroup[] {
  const groups: ChangelogGroup[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.version === row.version && last.section === row.section) last.rows.push(row);
    else groups.push({ version: row.version, section: row.section, rows: [row] });
  }
  return groups;
}

/** Names that are listed of an entry's removed exports; all are counted. */
const MOST_NAMES = 5;

/** `send, deliver and 2 more`; '' when it removed none. */
export function removedNames({ removed_exports: removed }: Pick<ChangelogRow, 'removed_exports'>): string {
  const names = [...new Set(removed.map(({ name }) => name.replace(/^\* of /, 'all of ')))];
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * A changelog as Keep a Changelog has it. `dates` are the days of the versions. What people wrote stays text: nothing of it
 * becomes markup where it is pasted.
 */
export function changelogMarkdown(rows: readonly ChangelogRow[], dates: ReadonlyMap<string, string>): string {
  const lines: string[] = [];
  let version: string | null | undefined;
  for (const group of changelogGroups(rows)) {
    if (group.version !== version) {
      version = group.version;
      const day = version === null ? undefined : dates.get(version);
      lines.push(`## [${version ?? 'Unreleased'}]${day === undefined ? '' : ` - ${day}`}`, '');
    }
    lines.push(`### ${group.section}`, '', ...group.rows.map(entryLine), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function entryLine(row: ChangelogRow): string {
  const removed = removedNames(row);
  const scope = row.scope === null ? '' : `**${escapeMarkdown(row.scope)}:** `;
  const marks = [...row.refs, ...row.shas.slice(0, 3).map((sha) => sha.slice(0, 7))].join(', ');
  return `- ${scope}${escapeMarkdown(row.text)}${removed === '' ? '' : `; removed: ${escapeMarkdown(removed)}`} (${marks})`;
}

/** Code in backticks stays as it is: nothing in it is markup. */
function escapeMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[<[\]]/g, '\\$&')))
    .join('');
}
