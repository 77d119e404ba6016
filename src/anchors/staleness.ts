import { baseName } from '../kernel/paths.ts';
import { compareCounts } from '../kernel/text-order.ts';
import type { FileVersion, FileVersions } from './lookups/history-lookup.ts';
import { bestInText } from './lookups/text-anchors.ts';
import { textPlaces, tokensOf } from './lookups/text-places.ts';
import type { AnchorChange, AnchorCommit, AnchorRow, AnchorStatus, AnchorTarget } from './store/store.ts';

/** The thing that an anchor names, as a commit has it. */
interface Version {
  path: string;
  lines: readonly string[];
  /** Its words and signs: comments and white space do not count. */
  words: string;
  head: string;
}

/** Commits that are read at once; further ones only while they do not explain what became of the thing. */
const AT_ONCE = 40;

/**
 * Those of the commits that changed the thing that an anchor names itself, each with what it did: it is read in each of
 * them and in the commit before. First the newest that moved it where it is moved, and that removed it where it is gone
 * (the other one where there is none), then newest first.
 * Older commits are read only until one explains the status. Empty where none of them is known to.
 *
 * @param commits that touched one of its files, newest first.
 * @param paths of the file: as it was at the baseline, all later ones, and where the thing is now.
 */
export async function causesOf(
  { symbol }: Pick<AnchorTarget, 'symbol'>,
  { status, paths }: { status: AnchorStatus; paths: readonly string[] },
  commits: readonly AnchorCommit[],
  read: FileVersions,
): Promise<AnchorCommit[]> {
  const causes: AnchorCommit[] = [];
  const newest = (kind: AnchorChange['kind']): AnchorCommit | undefined =>
    causes.find(({ change }) => change?.kind === kind);
  const findEnd = (): AnchorCommit | undefined =>
    status === 'changed' ? causes[0] : newest(status === 'moved' ? 'moved' : 'removed');
  for (let from = 0; from < commits.length && findEnd() === undefined; from += AT_ONCE)
    causes.push(...(await changesIn(commits.slice(from, from + AT_ONCE), { symbol, paths }, read)));
  // What is elsewhere now may have been written anew there, what is gone may have moved before.
  const last = findEnd() ?? newest('removed') ?? newest('moved');
  return last === undefined ? causes : [last, ...causes.filter((cause) => cause !== last)];
}

async function changesIn(
  commits: readonly AnchorCommit[],
  { symbol, paths }: { symbol: string | null; paths: readonly string[] },
  read: FileVersions,
): Promise<AnchorCommit[]> {
  const versions = commits.flatMap(({ sha }) =>
    [true, false].flatMap((isBefore) => paths.map((path): FileVersion => ({ commit: sha, isBefore, path }))),
  );
  const texts = await read(versions);
  const versionAt = (from: number): Version | undefined =>
    paths
      .map((path, index) => versionOf(texts[from + index], path, symbol))
      .findLast((version) => version !== undefined);
  return commits.flatMap((commit, index): AnchorCommit[] => {
    const from = index * 2 * paths.length;
    const change = changeBetween(versionAt(from), versionAt(from + paths.length));
    return change === undefined ? [] : [{ ...commit, change }];
  });
}

/** Describes a change for people: `changed its signature, +3 −1`. */
export function describeChange({ kind, added, removed }: AnchorChange): string {
  const words = { body: 'changed it', signature: 'changed its signature', moved: 'moved it', removed: 'removed it' };
  if (kind === 'removed' || added + removed === 0) return words[kind];
  return `${words[kind]}, +${added} −${removed}`;
}

function versionOf(text: string | undefined, path: string, symbol: string | null): Version | undefined {
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  if (symbol === null) return { path, lines, words: wordsOf(text, path), head: '' };
  const name = baseName(symbol).replace(/\(.*$/, '');
  const places = textPlaces(lines, name, path).map((definition) => ({
    ...definition,
    symbol: [...definition.scope, name].join('/'),
  }));
  // In many languages the text does not show what a member belongs to.
  const definition = bestInText(places, symbol) ?? (places.length === 1 ? places[0] : undefined);
  if (definition === undefined) return undefined;
  const { body } = definition;
  return { path, lines: body, words: wordsOf(body.join('\n'), path), head: headOf(body, path) };
}

/** A definition up to where its body opens: to the end of the line on which its brackets are closed. */
function headOf(body: readonly string[], path: string): string {
  let open = 0;
  const end = body.findIndex((line) => {
    open += (line.match(/[([]/g) ?? []).length - (line.match(/[)\]]/g) ?? []).length;
    return open <= 0;
  });
  return wordsOf(body.slice(0, end + 1).join('\n'), path);
}

/** Words and signs, without the first bar of a union, which formatters write where its members stand on lines of their own. */
function wordsOf(text: string, path: string): string {
  const tokens = tokensOf(text, path);
  return tokens.filter((token, at) => token !== '|' || !/^[=:(<]$/.test(tokens[at - 1] ?? '')).join(' ');
}

function changeBetween(before: Version | undefined, after: Version | undefined): AnchorChange | undefined {
  if (before === undefined) return undefined;
  if (after === undefined) return { kind: 'removed', ...countLines(before.lines, []) };
  const isMoved = before.path !== after.path;
  if (before.words === after.words && !isMoved) return undefined;
  const kind = isMoved ? 'moved' : before.head === after.head ? 'body' : 'signature';
  return { kind, ...countLines(before.lines, after.lines) };
}

function countLines(before: readonly string[], after: readonly string[]): { added: number; removed: number } {
  const counts = new Map<string, number>();
  for (const line of after) add(counts, line, 1);
  for (const line of before) add(counts, line, -1);
  let [added, removed] = [0, 0];
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

function add(counts: Map<string, number>, line: string, by: number): void {
  const written = line.trim();
  if (written !== '') counts.set(written, (counts.get(written) ?? 0) + by);
}

/** A plan in which more than this share of the anchors changed is stale; up to it, it is aging. */
const AGING_SHARE = 0.25;
/** A plan of which this share is gone cannot be followed any more. */
const BROKEN_SHARE = 0.5;

/** The share of the things that a plan names that are unchanged. */
export interface Staleness {
  /**
   * `fresh`: all was found, and nothing moved, changed or is gone. `unresolved`: the same of what was found, but some was
   * never found. `aging`: things moved, or at most a quarter changed, and nothing is gone. `broken`: at least half is
   * gone. Otherwise `stale`.
   */
  state: 'fresh' | 'unresolved' | 'aging' | 'stale' | 'broken';
  /** As answers show it: the state, with numbers where some is not so: `stale 3/7 since a1b2c3d`, `unresolved 1/3`. */
  label: string;
  fresh: number;
  moved: number;
  changed: number;
  gone: number;
  /** Anchors that were compared. */
  total: number;
  /** Things that the plan names and no index has. */
  unresolved: number;
  /** The baseline: the commit that most anchors were written at. */
  since: string | undefined;
  /** Time of the newest commit that changed what it names, ISO 8601; undefined where there is none. */
  changedAt: string | undefined;
}

/** The staleness of a plan by its anchors; undefined when it names nothing, or nothing was compared yet. */
export function stalenessOf(anchors: readonly AnchorRow[]): Staleness | undefined {
  const compared = anchors.filter(({ target, state }) => target !== undefined && state !== undefined);
  const unresolved = anchors.filter(({ target }) => target === undefined).length;
  if (compared.length + unresolved === 0) return undefined;
  const count = (status: string): number => compared.filter(({ state }) => state?.status === status).length;
  const [fresh, moved, changed, gone] = [count('fresh'), count('moved'), count('changed'), count('gone')];
  const total = compared.length;
  const since = mostFrequent(compared.flatMap(({ target }) => (target === undefined ? [] : [target.baselineCommit])));
  const state = stateOf({ moved, changed, gone, total, unresolved });
  const label = labelOf(state, { total, fresh, unresolved, since });
  const dates = compared.flatMap((anchor) => anchor.state?.commits.map(({ date }) => date) ?? []);
  const changedAt = dates.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  return { state, label, fresh, moved, changed, gone, total, unresolved, since, changedAt };
}

function labelOf(
  state: Staleness['state'],
  { total, fresh, unresolved, since }: Pick<Staleness, 'total' | 'fresh' | 'unresolved' | 'since'>,
): string {
  if (state === 'unresolved') return `unresolved ${unresolved}/${unresolved + total}`;
  if (state !== 'stale') return state;
  return `stale ${total - fresh}/${total}${since === undefined ? '' : ` since ${since.slice(0, 7)}`}`;
}

function stateOf(counts: Pick<Staleness, 'moved' | 'changed' | 'gone' | 'total' | 'unresolved'>): Staleness['state'] {
  const { moved, changed, gone, total, unresolved } = counts;
  if (moved + changed + gone === 0) return unresolved === 0 ? 'fresh' : 'unresolved';
  if (gone / total >= BROKEN_SHARE) return 'broken';
  return gone === 0 && changed / total <= AGING_SHARE ? 'aging' : 'stale';
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(compareCounts)[0]?.[0];
}
