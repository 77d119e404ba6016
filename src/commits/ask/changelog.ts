import { dayOfSeconds } from '../../kernel/time.ts';
import { compareCounts, compareTexts } from '../../kernel/text-order.ts';
import { counted, sumCounts } from '../../kernel/counted.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { removedNames } from '../classify/breaking.ts';
import { shortenOwn } from '../classify/trailers.ts';
import { type ChangelogEntry, SECTIONS } from '../queries/changelog.ts';
import type { RangeEnds } from './removed-exports.ts';
import type { ChangelogPage } from '../queries/store-changelog.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { type ActionCall, type AnswerScope, resolveScopes, rowJson } from './action.ts';
import { inHistory } from './range.ts';
import { parseRange } from './refs.ts';

/** An entry where it stands in the changelog. */
interface Placed {
  repository: IndexedRepository;
  entry: ChangelogEntry;
  version: string;
  /** Its heading below the version. */
  heading: string;
}

/**
 * `changelog`: what users notice, by version and section in the layout of Keep a Changelog, what breaks first. With
 * `until=<tag>` alone it begins at the version before.
 */
export async function changelogAnswer(given: ActionCall): Promise<Findings> {
  const call = withRange(given);
  // Types choose entries, not commits: a pull request may hold commits of several.
  const allTypesCall = { ...call, args: { ...call.args, types: undefined } };
  const { scopes, missing } = await resolveScopes(allTypesCall, (repository) => versionBefore(call, repository));
  const types = (call.args.types ?? []).map((type) => type.trim().toLowerCase());
  const results = await call.sources.fromEach(scopes, async (whole) => {
    const { scope: narrowed, folder } = await ofPackage(call, whole);
    const lost = { filter: narrowed.filter, ends: rangeEnds(narrowed) };
    const { bySha: removed, gaps, isPending } = await call.removedExports.of(call, narrowed.repository, lost);
    const request = { filter: narrowed.filter, tag: call.args.until, types, removed };
    const page = await call.sources.ask(narrowed.repository, ['changelogEntries', request]);
    return { ...narrowed, page, gaps, isPending, folder, placed: arrangeEntries(call, narrowed, page) };
  });
  const entries = results.flatMap((answer) => answer.placed);
  const skipped = sumCounts(results.map(({ page }) => page.skipped));
  const skippedCount = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const bots = results.reduce((sum, { page }) => sum + page.bots, 0);
  const reverted = results.reduce((sum, { page }) => sum + page.reverted, 0);
  const page = entries.slice(call.offset, call.offset + call.args.limit);
  // The name of a version stands above the first heading of it that is on the page.
  const firsts = new Map(page.toReversed().map(({ version, heading }) => [version, heading]));
  return {
    total: entries.length,
    // A commit that took something away is an entry, whatever it says.
    isCut: results.some(({ page: answer, isPending }) => answer.isCut || isPending),
    counts: sumCounts([
      Object.fromEntries(SECTIONS.map((name) => [name, entries.filter(({ entry }) => entry.section === name).length])),
    ]),
    rows: page.map((entry) => entryRow(call, entry, firsts.get(entry.version))),
    notes: [
      ...(entries.length === 0 ? ['no user-visible changes in this period'] : []),
      ...missing,
      ...new Set(results.flatMap(({ folder }) => (folder === undefined ? [] : [packageNote(folder)]))),
      `period: ${scopes.map(({ period }) => period).join(', ')}`,
      `skipped: ${counted(skippedCount, 'change')} without effect on users${skippedCount === 0 ? '' : ` (${describeCounts(skipped)})`}, ${counted(bots, 'commit')} by bots, ${counted(reverted, 'commit')} reverted within the period and their reverts`,
      ...new Set(results.flatMap(({ gaps }) => gaps)),
      ...(results.some((answer) => answer.page.isCut)
        ? ['more than 20,000 commits: the oldest ones are left out']
        : []),
    ],
    extra: {
      period: scopes.map(({ period }) => period).join('; '),
      skipped: { total: skippedCount, by_type: skipped, bots, reverted },
    },
  };
}

/**
 * `query: "v1..v2"` as `since` and `until`.
 *
 * @throws ServiceError `bad_argument` for a query that is no range, or beside `since` or `until`.
 */
function withRange(call: ActionCall): ActionCall {
  const { query, since, until } = call.args;
  if (query === undefined || query.trim() === '') return call;
  const range = parseRange(query);
  if (range === undefined) {
    throw new ServiceError('bad_argument', `"${query}" is not a range of versions: a changelog takes two refs.`, {
      fix: `commit-tool changelog query="v1.0.0..v2.0.0", or commit-tool changelog until=${JSON.stringify(query.trim())}`,
    });
  }
  if (since !== undefined || until !== undefined) {
    throw new ServiceError('bad_argument', 'The range is in query, and again in since or until.', {
      fix: `commit-tool changelog query=${JSON.stringify(query.trim())}`,
    });
  }
  // Without its beginning a changelog begins at the version before.
  const from = query.trim().startsWith('.') ? undefined : range.from;
  return { ...call, args: { ...call.args, since: from, until: range.to } };
}

/** The commits of the package of a workspace whose tag ends the range, or else begins it; all of them for other refs. */
async function ofPackage(
  call: ActionCall,
  whole: AnswerScope,
): Promise<{ scope: AnswerScope; folder: string | undefined }> {
  const { path, until, since } = call.args;
  if (path !== undefined) return { scope: whole, folder: undefined };
  const refs = [until, since].filter((ref) => ref !== undefined && ref !== 'HEAD');
  for (const tag of refs) {
    const folder = await call.sources.ask(whole.repository, ['packageOfTag', { tag: tag ?? '' }]);
    if (folder !== undefined) return { scope: { ...whole, filter: { ...whole.filter, path: folder } }, folder };
  }
  return { scope: whole, folder: undefined };
}

function packageNote(folder: string): string {
  return `only changes below ${folder}/, the package that the tag names; path="." brings all`;
}

/** The commits between which a range lies, where it begins at one. */
function rangeEnds({ repository, filter }: AnswerScope): RangeEnds | undefined {
  const { after = [], at, until } = filter.range;
  const [from] = after;
  if (from === undefined || after.length > 1 || until !== undefined) return undefined;
  return { from, to: at ?? repository.provenance.commit };
}

/** The version before `until` in a repository, where that is a ref. */
async function versionBefore(call: ActionCall, repository: IndexedRepository): Promise<string | undefined> {
  const { until } = call.args;
  if (until === undefined || /^\d{4}-\d{2}-\d{2}|^\d+[mhdw]$/.test(until)) return undefined;
  const [end] = await inHistory(call, repository, until);
  return end && (await call.sources.ask(repository, ['previousVersion', { sha: end.sha, tag: until }]));
}

/** The entries of one repository in their order, each with its headings. */
function arrangeEntries(call: ActionCall, { repository }: AnswerScope, page: ChangelogPage): Placed[] {
  const order = new Map(['', ...page.versions.map(({ name }) => name)].map((version, at) => [version, at]));
  const days = new Map(page.versions.map(({ name, time }) => [name, dayOfSeconds(time)]));
  const name = call.sources.repositories.length === 1 ? '' : `${repository.provenance.repo} `;
  return page.entries
    .map((entry) => {
      const version = entry.version === '' ? '[Unreleased]' : `[${entry.version}] - ${days.get(entry.version) ?? ''}`;
      return { repository, entry, version: `${name}${version}`, heading: headingOf(call, entry) };
    })
    .toSorted(
      (a, b) =>
        (order.get(a.entry.version) ?? -1) - (order.get(b.entry.version) ?? -1) ||
        rankOf(call, a) - rankOf(call, b) ||
        compareTexts(call.args.group_by === 'type' ? '' : a.heading, call.args.group_by === 'type' ? '' : b.heading) ||
        Number(b.entry.breaking) - Number(a.entry.breaking) ||
        compareTexts(a.entry.scope ?? '', b.entry.scope ?? '') ||
        b.entry.time - a.entry.time,
    );
}

function rankOf({ args }: ActionCall, { entry }: Placed): number {
  return args.group_by === 'type' ? SECTIONS.indexOf(entry.section) : 0;
}

function headingOf({ args }: ActionCall, entry: ChangelogEntry): string {
  switch (args.group_by) {
    case 'type':
      return entry.section;
    case 'scope':
      return entry.scope ?? '(no scope)';
    case 'author':
      return entry.author;
    case 'path':
      return entry.folder;
    case 'month':
      return dayOfSeconds(entry.time).slice(0, 7);
  }
}

function entryRow(call: ActionCall, row: Placed, first: string | undefined): Row {
  const { repository, entry, version, heading } = row;
  const { section, text, type, breaking, breakingBy, removed, scope, shas, author, time } = entry;
  const references = shortenOwn(entry.references, repository.fullName);
  const shown = shas.slice(0, 3).map((sha) => sha.slice(0, 7));
  const marks = [
    ...references.slice(0, 5),
    ...shown,
    ...(shas.length > shown.length ? [`+${shas.length - shown.length}`] : []),
  ];
  const isSection = call.args.group_by === 'type';
  const title = `${scope === undefined ? '' : `**${scope}:** `}${breaking && !isSection ? '**breaking** ' : ''}${text}`;
  const lost = removed.length === 0 ? '' : `; removed: ${removedNames(removed)}`;
  return {
    ...(heading === first && { heading: `## ${version}` }),
    group: `### ${heading}`,
    id: `- ${text}`,
    line: `- ${title}${lost} (${marks.join(', ')})`,
    json: rowJson(call, repository, {
      version: entry.version === '' ? null : entry.version,
      section,
      group: heading,
      text,
      type,
      breaking,
      ...(breakingBy.length === 0 ? {} : { breaking_by: breakingBy }),
      ...(removed.length === 0 ? {} : { removed_exports: removed }),
      ...(scope === undefined ? {} : { scope }),
      refs: references,
      shas,
      author,
      date: dayOfSeconds(time),
    }),
  };
}

function describeCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(compareCounts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
