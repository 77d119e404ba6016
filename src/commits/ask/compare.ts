import { compareCounts } from '../../kernel/text-order.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Row } from '../../kernel/answer.ts';
import { counted } from '../../kernel/counted.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { RefRange } from '../../kernel/ref-range.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { lacksObject } from '../../platform/git/git-failure.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import type { Break } from '../compare/breaks.ts';
import type { SymbolChange } from '../compare/compare-symbols.ts';
import { type ComparedFile, countCommits } from '../compare/comparison.ts';
import { SECTIONS } from '../queries/changelog.ts';
import type { RangeCounts } from '../queries/store-compare.ts';
import type { ActionCall } from './action.ts';
import type { ComparisonWithBreaks } from './comparisons.ts';
import { parseRange, resolveRef } from './refs.ts';
import { wordsOf } from '../../text/words.ts';

/** Longest head of a symbol in a row, in characters. */
const LONGEST_SIGNATURE = 160;
/** Changes for users that are named; the others are in the changelog. */
const MOST_NAMED = 6;

/**
 * `compare`: what lies between two commits. Files with what happened to their symbols and what that breaks, those that break
 * something first, code of the product before tests and documents; above them the commits by type.
 */
export async function compareAnswer(call: ActionCall): Promise<Findings> {
  const range = parseRange(call.args.query ?? '');
  if (range === undefined) {
    throw new ServiceError('bad_argument', 'The action compare needs two refs.', {
      fix: `commit-tool compare query="${(call.args.query ?? '').trim().split(/\s+/)[0] || 'v1.0.0'}..HEAD"`,
    });
  }
  const [repository, second] = call.sources.repositories;
  if (repository === undefined || second !== undefined) {
    throw new ServiceError('bad_argument', 'compare works in one repository at a time.', {
      fix: `commit-tool compare query=${JSON.stringify(call.args.query)} repo="${repository?.provenance.repo ?? ''}"`,
    });
  }
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) {
    throw new ServiceError('conflict', `The git objects of ${repository.provenance.repo} are missing.`, {
      fix: 'Index the repository again, then repeat the call.',
    });
  }
  const ends = await endsOf(call, repository, { gitDir, range });
  const [counts, named] = await changesBetween(call, repository, { gitDir, ...ends });
  const request = { gitDir, from: ends.from, to: ends.to, path: call.args.path };
  const comparison = await call.comparisons.of(call, repository, request);
  return findingsOf(call, { range, ends, counts, named, comparison });
}

/** The commits that are compared, in full. */
interface Ends {
  from: string;
  to: string;
  /** Commits that the first has and the second has not. */
  onlyInFrom: number;
}

async function endsOf(
  call: ActionCall,
  repository: IndexedRepository,
  { gitDir, range }: { gitDir: string; range: RefRange },
): Promise<Ends> {
  const [from, to] = [await resolveRef(call, repository, range.from), await resolveRef(call, repository, range.to)];
  await using objects = await openObjects(gitDir);
  const onlyInFrom = await objects.countBetween(to, from, call.signal);
  if (!range.isSinceParting) return { from, to, onlyInFrom };
  const output = await objects.run(['merge-base', '--all', from, to], call.signal).catch(() => Buffer.alloc(0));
  const [base = ''] = output.toString().split('\n');
  if (base !== '') return { from: base, to, onlyInFrom };
  throw new ServiceError('bad_argument', `${range.from} and ${range.to} have no commit in common.`, {
    fix: `commit-tool compare query="${range.from}..${range.to}"`,
  });
}

/** Changes that users notice, by what they do: `Fixed: empty baskets are refused (1d883a0)`. */
interface NamedChanges {
  lines: string[];
  total: number;
}

/**
 * The commits between, and the changes for users among them: from the indexed history where both ends are in it, else the
 * commits alone from git. Undefined where git lacks them.
 */
async function changesBetween(
  call: ActionCall,
  repository: IndexedRepository,
  { gitDir, from, to }: { gitDir: string; from: string; to: string },
): Promise<[RangeCounts | undefined, NamedChanges]> {
  const indexedEnds = await Promise.all(
    [from, to].map((name) => call.sources.ask(repository, ['findCommits', { name }])),
  );
  if (indexedEnds.every(({ length }) => length === 1)) {
    const range = { after: [from], at: to };
    const counts = await call.sources.ask(repository, ['rangeCounts', { range }]);
    return [counts, call.offset === 0 ? await namedChanges(call, repository, range) : { lines: [], total: 0 }];
  }
  await using objects = await openObjects(gitDir);
  try {
    return [await countCommits(objects, { from, to }, call.signal), { lines: [], total: 0 }];
  } catch (error) {
    if (lacksObject(error)) return [undefined, { lines: [], total: 0 }];
    throw error;
  }
}

async function namedChanges(
  call: ActionCall,
  repository: IndexedRepository,
  range: { after: string[]; at: string },
): Promise<NamedChanges> {
  const filter = { range, ...(call.args.path !== undefined && { path: call.args.path }) };
  const request = { filter, tag: undefined, types: [], removed: new Map() };
  const page = await call.sources.ask(repository, ['changelogEntries', request]);
  // Those that say that they break have a note of their own.
  const entries = page.entries.filter(({ section }) => section !== 'Breaking changes');
  return {
    lines: entries
      .toSorted((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section))
      .slice(0, MOST_NAMED)
      .map(({ section, text, shas: [sha = ''] }) => `${section}: ${text} (${sha.slice(0, 7)})`),
    total: entries.length,
  };
}

interface Compared {
  range: RefRange;
  ends: Ends;
  counts: RangeCounts | undefined;
  named: NamedChanges;
  comparison: ComparisonWithBreaks;
}

function findingsOf(call: ActionCall, compared: Compared): Findings {
  const { comparison } = compared;
  const breaksIn = (file: ComparedFile): number => {
    const fileBreaks = comparison.breaks.get(file);
    return (fileBreaks?.bySymbol.size ?? 0) + (fileBreaks?.lost.length ?? 0);
  };
  const files = comparison.files.toSorted(
    (a, b) => a.rank - b.rank || Number(breaksIn(b) > 0) - Number(breaksIn(a) > 0),
  );
  const rows = files.flatMap((file) => rowsOf(file, comparison));
  const symbols = files.flatMap((file) => file.symbols);
  const count = (kind: SymbolChange['change']): number => symbols.filter(({ change }) => change === kind).length;
  const breaking = files.reduce((sum, file) => sum + breaksIn(file), 0);
  const lost = files.reduce((sum, file) => sum + (comparison.breaks.get(file)?.lost.length ?? 0), 0);
  const sums = {
    added: files.reduce((sum, { change }) => sum + (change.added ?? 0), 0),
    deleted: files.reduce((sum, { change }) => sum + (change.deleted ?? 0), 0),
  };
  const totals = {
    files: files.length,
    added: count('added'),
    removed: count('removed') + lost,
    changed: count('changed'),
    moved: count('moved'),
  };
  return {
    total: rows.length,
    isCut: comparison.isCut,
    counts: totals,
    rows: rows.slice(call.offset, call.offset + call.args.limit),
    coverage: coverageText(compared, { files: files.length, breaking, ...sums }),
    notes: notesOf(compared),
    extra: {
      from: compared.ends.from,
      to: compared.ends.to,
      commits: commitsJson(compared),
      files: { total: files.length, plus: sums.added, minus: sums.deleted, status: statusCounts(files) },
      symbols: { added: totals.added, removed: totals.removed, changed: totals.changed, moved: totals.moved, breaking },
    },
  };
}

function coverageText(
  { ends, counts, comparison }: Compared,
  sums: { files: number; breaking: number; added: number; deleted: number },
): string {
  const lines = comparison.counted ? ` +${sums.added} -${sums.deleted}` : '';
  return [
    `${ends.from.slice(0, 7)}..${ends.to.slice(0, 7)}: ${commitsText(counts)}`,
    `${counted(sums.files, 'file')}${lines}`,
    sums.breaking === 0 ? 'nothing that others use was removed or changed' : `${sums.breaking} may break`,
  ].join('; ');
}

function commitsText(counts: RangeCounts | undefined): string {
  if (counts === undefined) return 'commits are not known';
  const types = Object.entries(counts.byType).toSorted(compareCounts);
  const merges = counts.merges === 0 ? [] : [`merges ${counts.merges}`];
  const parts = [...types.map(([type, count]) => `${type} ${count}`), ...merges];
  return `${counted(counts.commits, 'commit')}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

function commitsJson({ counts, ends }: Compared): Record<string, unknown> {
  if (counts === undefined) return {};
  const { commits: total, merges, byType, breaking } = counts;
  return { total, by_type: byType, merges, only_in_first: ends.onlyInFrom, breaking };
}

function statusCounts(files: readonly ComparedFile[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { change } of files) counts[change.status] = (counts[change.status] ?? 0) + 1;
  return counts;
}

function notesOf({ range, ends, counts, named, comparison }: Compared): string[] {
  const { from, to } = range;
  const unnamed = named.total - named.lines.length;
  return [
    ...named.lines,
    ...(unnamed > 0 ? [`${unnamed} more changes for users: commit-tool changelog query="${from}..${to}"`] : []),
    ...(comparison.files.length === 0 ? ['no file differs'] : []),
    ...(counts === undefined ? ['the commits between are not here (a partial or shallow clone)'] : []),
    ...(counts !== undefined && counts.commits > 0 && counts.merges === 0 && Object.keys(counts.byType).length === 0
      ? ['more than 2,000 commits outside of the indexed history: their types are not counted']
      : []),
    ...(counts?.breaking ?? []).map(({ sha, subject }) => `says that it breaks: ${sha.slice(0, 7)} ${subject}`),
    ...(ends.onlyInFrom > 0 && !range.isSinceParting
      ? [
          `${from} has ${counted(ends.onlyInFrom, 'commit')} that ${to} has not: they show as removed; query="${from}...${to}" leaves them out`,
        ]
      : []),
    ...(comparison.counted ? [] : ['lines and renames with edits are not known: file contents are missing']),
    ...(comparison.unparsed > 0
      ? [
          comparison.isCut
            ? `truncated: the symbols of ${counted(comparison.unparsed, 'file')} were not compared (at most 800 texts of 6 MB are parsed): narrow with path`
            : `the symbols of ${counted(comparison.unparsed, 'file')} are not known: they could not be parsed, or their contents are missing`,
        ]
      : []),
  ];
}

/** A file, then its symbols, then the names that it does not hand on any more. */
function rowsOf(file: ComparedFile, { breaks }: ComparisonWithBreaks): Row[] {
  const fileBreaks = breaks.get(file);
  const symbols = file.symbols.toSorted(
    (a, b) => Number(fileBreaks?.bySymbol.has(b)) - Number(fileBreaks?.bySymbol.has(a)),
  );
  return [
    fileRow(file),
    ...symbols.map((symbol) => symbolRow(file, symbol, fileBreaks?.bySymbol.get(symbol))),
    ...(fileBreaks?.lost ?? []).map(({ name, breakage: why }) => lostRow(file, name, why)),
  ];
}

function fileRow({ change }: ComparedFile): Row {
  const { path, oldPath, status, added, deleted } = change;
  const lines = added === undefined ? '' : ` +${added} -${deleted}`;
  return {
    group: path,
    id: `${status}${lines}`,
    line: `${status}${lines}${oldPath === undefined ? '' : ` from ${oldPath}`}`,
    json: {
      path,
      status,
      ...(oldPath === undefined ? {} : { old_path: oldPath }),
      ...(added === undefined ? {} : { plus: added, minus: deleted }),
    },
  };
}

function symbolRow(
  { change: { path, oldPath } }: ComparedFile,
  symbolChange: SymbolChange,
  why: Break | undefined,
): Row {
  const { change, symbol, before } = symbolChange;
  const head = shortenHead(symbol.signature, before?.signature);
  const earlier = before === undefined ? undefined : shortenHead(before.signature, symbol.signature);
  const was = earlier === undefined ? '' : `${earlier} => `;
  return {
    group: path,
    id: `${change}${why === undefined ? '' : '!'} ${symbol.qualified}`,
    line: `${change}${why === undefined ? '' : '!'} ${namesItself(symbol.qualified, head) ? '' : `${symbol.kind} ${symbol.qualified}: `}${was}${head}${whyText(why)}`,
    json: {
      path: change === 'removed' ? (oldPath ?? path) : path,
      change,
      kind: symbol.kind,
      name: symbol.qualified,
      line: symbol.line,
      signature: head,
      ...(earlier === undefined ? {} : { before: earlier }),
      exported: symbol.exported,
      ...breakJson(why),
    },
  };
}

/** True if a head has the whole name, which that of a member has not: `func Connect(to string) error`. */
function namesItself(qualified: string, head: string): boolean {
  return wordsOf(head, 'markedName').includes(qualified);
}

function lostRow({ change: { path } }: ComparedFile, name: string, why: Break): Row {
  return {
    group: path,
    id: `removed! ${name}`,
    line: `removed! export ${name}${whyText(why)}`,
    json: { path, change: 'removed', kind: 'export', name, exported: true, ...breakJson(why) },
  };
}

function breakJson(why: Break | undefined): Record<string, unknown> {
  if (why === undefined) return {};
  return { breaking: true, reach: why.reach, reason: why.reason, users: why.users, used_in: why.usedIn };
}

function whyText(why: Break | undefined): string {
  if (why === undefined) return '';
  const named = why.usedIn.slice(0, 3).join(', ');
  return `  (${why.reason}${named === '' ? '' : `: ${named}`})`;
}

/** A head cut to its length; one that is compared from shortly before where they part. */
function shortenHead(text: string, other = text): string {
  if (text.length <= LONGEST_SIGNATURE) return text;
  let same = 0;
  while (same < other.length && text[same] === other[same]) same += 1;
  const from = text === other || same < LONGEST_SIGNATURE - 60 ? 0 : same - 40;
  const part = text.slice(from, from + LONGEST_SIGNATURE);
  return `${from > 0 ? '…' : ''}${part}${from + LONGEST_SIGNATURE < text.length ? '…' : ''}`;
}
