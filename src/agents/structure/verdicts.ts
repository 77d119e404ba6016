import { counted } from '../../kernel/counted.ts';
import { filePlace } from '../gather/code.ts';
import { findDetour } from '../gather/detour.ts';
import { findImports } from '../gather/imports.ts';
import { findPlainPart, type PlainPart } from '../gather/plain-parts.ts';
import { type EdgeRow, findLinks, findPath, pathOf, readMap } from '../gather/structure.ts';
import { listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { AT_RUN_TIME, sourcesOf, stepsOf } from './way.ts';
import type { Inquiry } from './inquiry.ts';
import type { Sides } from '../question/sides.ts';

/** Files that import something that are named, and of which the lines are cited. */
const MOST_NAMED = 6;
const MOST_LINES = 2;
/** Files that import a package to which a way is looked for. */
const MOST_WAYS = 4;

/** Two parts of which a question asks whether the first depends on the second. */
interface Verdict {
  repo: string;
  first: PlainPart;
  second: PlainPart;
  isApart: boolean;
  /** Whether the question wants a yes or a no. */
  isYesNo: boolean;
  avoided: PlainPart | undefined;
}

/** Whether the parts that a question names in its words depend on each other, yes or no first. What of them is not found is told. */
export async function tellVerdicts(inquiry: Inquiry, asked: readonly Sides[], isYesNo = true): Promise<Paragraph[]> {
  if (asked.length === 0) return [];
  const { tools } = inquiry;
  const map = await readMap(tools);
  const told: Paragraph[] = [];
  const ends = new Map<string, PlainPart | undefined>();
  for (const words of new Set(asked.flatMap(({ from, to, avoided }) => [from, to, avoided])))
    if (words !== '') ends.set(words, await findPlainPart(tools, words, map));
  for (const { from, to, isApart, avoided } of asked) {
    const first = ends.get(from);
    const second = await apartFrom(first, ends.get(to), async (path) => findPlainPart(tools, to, map, path));
    if (first === undefined || second === undefined || first.handle === '' || first.handle === second.handle) continue;
    ends.set(to, second);
    const verdict = { repo: map.repo, first, second, isApart, isYesNo, avoided: ends.get(avoided) };
    told.push(...(second.handle === '' ? await tellForeign(inquiry, verdict) : await tellVerdict(inquiry, verdict)));
  }
  const lost = Array.from(ends).flatMap(([words, part]) => (part === undefined ? [`“${words}”`] : []));
  const isSame = asked.every(
    ({ from, to }) => ends.get(from) !== undefined && ends.get(from)?.handle === ends.get(to)?.handle,
  );
  if (lost.length > 0)
    inquiry.unknown.push(`No folder, package, file or symbol was found for ${listNames(lost, lost.length)}.`);
  else if (isSame) inquiry.unknown.push('Both of the parts that were asked about seem to be the same.');
  inquiry.readings.push(...new Set(Array.from(ends.values()).flatMap((part) => part?.readings ?? [])));
  if (Array.from(ends.values()).some((part) => part?.isGuessed === true)) inquiry.isGuessed = true;
  return told;
}

/** A second part that does not lie in the first one, where its words may mean such a one: two parts are asked about. */
async function apartFrom(
  first: PlainPart | undefined,
  second: PlainPart | undefined,
  find: (outside: string) => Promise<PlainPart | undefined>,
): Promise<PlainPart | undefined> {
  if (first === undefined || second === undefined || second.readings.length === 0) return second;
  return isIn(first, second.path) ? ((await find(first.path)) ?? second) : second;
}

async function tellVerdict(inquiry: Inquiry, verdict: Verdict): Promise<Paragraph[]> {
  const { tools, question, notes, gaps, absent } = inquiry;
  const { repo, first, second, isApart, isYesNo, avoided } = verdict;
  const there = await findWay(inquiry, verdict);
  const back = await findPath(tools, second.handle, targetOf(first));
  const way = there.way ?? back.way ?? [];
  const steps = await stepsOf(inquiry, repo, way);
  const lead = there.lines.length > 0 ? there.lines : sourcesOf(steps);
  const depends = there.way !== undefined || there.lines.length > 0;
  // Who asks why takes it for granted.
  const answer = question.intent === 'why' || !isYesNo ? '' : depends === isApart ? 'No: ' : 'Yes: ';
  const past = avoided === undefined ? '' : ` on a way that does not go through \`${avoided.name}\``;
  const list = { sentences: steps, isList: steps.length > 1 };
  const other = await tellBack(inquiry, verdict, back.way);
  if (depends) {
    const text = `${answer}\`${first.name}\` depends on \`${second.name}\`${past}${there.count}.`;
    return [{ sentences: [{ text, sources: lead }] }, list, { sentences: [{ text: other, sources: lead }] }];
  }
  notes.push(AT_RUN_TIME);
  if (there.isCut) gaps.push('more dependencies were there to follow than are followed at once');
  const looked =
    there.followed < 2 ? '' : `, none of the ${there.followed} dependencies that were followed from there leads to it`;
  const text = `${answer}\`${first.name}\` does not depend on \`${second.name}\`${past} within five steps${looked}.`;
  if (steps.length === 0) {
    absent.push(text, other);
    return [];
  }
  return [{ sentences: [text, other].map((said) => ({ text: said, sources: lead })) }, list];
}

/** The other direction, in one sentence. */
async function tellBack(
  { tools }: Inquiry,
  { first, second }: Verdict,
  way: readonly EdgeRow[] | undefined,
): Promise<string> {
  if (way === undefined) return `\`${second.name}\` does not depend on \`${first.name}\` within five steps.`;
  return `The other way round \`${second.name}\` depends on \`${first.name}\`${await countOf(tools, second, first, way)}.`;
}

interface FoundWay {
  way: readonly EdgeRow[] | undefined;
  /** Behind "depends on": in how many files, or steps. */
  count: string;
  /** Lines by which a package is imported, where no way of files is known. */
  lines: Sentence['sources'];
  followed: number;
  isCut: boolean;
}

/** A way from the first part to the second, past what is avoided; else the lines that import the package that the second one is. */
async function findWay(inquiry: Inquiry, { repo, first, second, avoided }: Verdict): Promise<FoundWay> {
  const { tools, cite } = inquiry;
  const none = { lines: [], followed: 0, isCut: false };
  if (avoided !== undefined) {
    const isReached = (path: string): boolean => isIn(second, path);
    const isAvoided = (path: string): boolean => isIn(avoided, path) && !isReached(path) && !isIn(first, path);
    const { way, isCut } = await findDetour(tools, first.handle, { isReached, isAvoided });
    const any = way ?? (await findPath(tools, first.handle, targetOf(second))).way;
    if (any === undefined) inquiry.notes.push(`nor is there a way that goes through \`${avoided.name}\``);
    return { ...none, way, count: way === undefined ? '' : ` in ${counted(way.length, 'step')}`, isCut };
  }
  const { way, followed, isCut } = await findPath(tools, first.handle, targetOf(second));
  if (way !== undefined) return { ...none, way, count: await countOf(tools, first, second, way) };
  const imports = second.packageName === '' ? [] : await findImports(tools, second.packageName, first.path);
  const names = listNames([...new Set(imports.map(({ path }) => path))], MOST_NAMED);
  const lines = imports
    .slice(0, MOST_LINES)
    .map(({ path, line, text }) => cite.head(filePlace(repo, path, line, text)));
  const count = `: ${counted(imports.length, 'file imports', 'files import')} \`${second.packageName}\` (${names})`;
  return { way, count, lines, followed, isCut };
}

function isIn({ path: own }: PlainPart, path: string): boolean {
  return path === own || path.startsWith(`${own}/`);
}

/** How many files of a part depend on another at once, and which; the steps of the shortest way where none does. */
async function countOf(
  tools: Inquiry['tools'],
  from: PlainPart,
  to: PlainPart,
  way: readonly EdgeRow[],
): Promise<string> {
  if (way.length > 1) return ` in ${counted(way.length, 'step')}`;
  const { files, isWhole } = await findLinks(tools, from.handle, to.path);
  if (files.length < 2) return ' in 1 step';
  return ` at once, by ${isWhole ? '' : 'at least '}${files.length} files: ${listNames(files, MOST_NAMED)}`;
}

/** Whether a part of the code imports a package of others, or what does, and which files import it. */
async function tellForeign(inquiry: Inquiry, { repo, first, second, isApart }: Verdict): Promise<Paragraph[]> {
  const { tools, cite, notes } = inquiry;
  const { imports, name } = second;
  const own = imports.filter(({ path }) => path === first.path || path.startsWith(`${first.path}/`));
  const others = own.length > 0 ? [] : imports.slice(0, MOST_WAYS);
  const ways = await Promise.all(
    others.map(({ path }) => findPath(tools, first.handle, { path, isReached: (handle) => pathOf(handle) === path })),
  );
  const way = ways.find((found) => found.way !== undefined)?.way;
  const steps = way === undefined ? [] : await stepsOf(inquiry, repo, way);
  const depends = own.length > 0 || way !== undefined;
  if (!depends) notes.push(AT_RUN_TIME);
  const shown = own.length > 0 ? own : imports;
  const sources = shown
    .slice(0, MOST_LINES)
    .map(({ path, line, text }) => cite.head(filePlace(repo, path, line, text)));
  const answer = depends === isApart ? 'No' : 'Yes';
  const says = depends
    ? `\`${first.name}\` depends on the package \`${name}\`${own.length > 0 ? '' : ' by other files'}`
    : `\`${first.name}\` does not depend on the package \`${name}\``;
  const files = shown.map(({ path }) => path);
  const importers = `${counted(files.length, 'file imports', 'files import')} \`${name}\`: ${listNames(files, MOST_NAMED)}.`;
  const told = [`${answer}: ${says}.`, importers].map((text) => ({ text, sources }));
  return [{ sentences: told }, { sentences: steps, isList: true }];
}

function targetOf({ handle, path }: Pick<PlainPart, 'handle' | 'path'>): Parameters<typeof findPath>[2] {
  if (handle.startsWith('sym:')) return { path, isReached: (reached) => reached === handle };
  return { path, isReached: (reached) => pathOf(reached) === path || pathOf(reached).startsWith(`${path}/`) };
}
