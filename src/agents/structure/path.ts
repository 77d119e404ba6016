import { isAside } from '../gather/prefer.ts';
import { counted } from '../../kernel/counted.ts';
import { isTestPath } from '../../languages/languages.ts';
import { findTypes, isType, tellFolders } from './folders.ts';
import { type CodePlace, filePlace, readSymbol } from '../gather/code.ts';
import { findDescribed, findPlainPart, type PlainPart } from '../gather/plain-parts.ts';
import {
  dependingLine,
  type EdgeRow,
  findDependencies,
  findPath,
  handleOf,
  pathOf,
  readMap,
} from '../gather/structure.ts';
import type { Tools } from '../gather/tools.ts';
import type { Inquiry } from './inquiry.ts';
import type { Citer } from '../prose/cite.ts';
import { listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { stepSentence } from '../prose/structure.ts';
import { displayName } from '../prose/symbols.ts';
import { asks } from '../question/kinds.ts';
import { dependedOn, type Sides, sidesOf } from '../question/sides.ts';
import { groupFiles } from './packages.ts';
import { tellLayers } from './parts.ts';

/** Whether the first place depends on the second, and over which places; then the other way round. */
export async function tellPath(inquiry: Inquiry): Promise<Paragraph[]> {
  const {
    named: [first, second],
    question,
  } = inquiry;
  if (second === undefined) {
    const verdicts = await tellVerdicts(inquiry, sidesOf(question.words));
    if (verdicts.length > 0) return verdicts;
  }
  if (first === undefined) return tellPlainPath(inquiry);
  if (second === undefined) return tellDependencies(inquiry, first);
  return tellBothWays(inquiry, first, second);
}

/** Whether the parts that a question names in its words depend on each other, yes or no first. */
async function tellVerdicts(inquiry: Inquiry, asked: readonly Sides[]): Promise<Paragraph[]> {
  if (asked.length === 0) return [];
  const map = await readMap(inquiry.tools);
  const told: Paragraph[] = [];
  for (const { from, to, isApart } of asked) {
    const [first, second] = await Promise.all([
      findPlainPart(inquiry.tools, from, map),
      findPlainPart(inquiry.tools, to, map),
    ]);
    if (first === undefined || second === undefined || first.handle === '' || first.handle === second.handle) continue;
    for (const [words, { name, isGuessed }] of [
      [from, first],
      [to, second],
    ] as const)
      if (isGuessed) inquiry.gaps.push(`“${words}” was read as ${name}`);
    const verdict = { repo: map.repo, first, second, isApart };
    told.push(...(second.handle === '' ? await tellForeign(inquiry, verdict) : await tellVerdict(inquiry, verdict)));
  }
  return told;
}

interface Verdict {
  repo: string;
  first: PlainPart;
  second: PlainPart;
  isApart: boolean;
}

const AT_RUN_TIME = 'dependencies made at run time, by name or by configuration are not detected';

async function tellVerdict(inquiry: Inquiry, { repo, first, second, isApart }: Verdict): Promise<Paragraph[]> {
  const { tools, question, notes, gaps, absent } = inquiry;
  const { way, followed, isCut } = await findPath(tools, first.handle, targetOf(second));
  const back = await findPath(tools, second.handle, targetOf(first));
  const steps = await stepsOf(inquiry, repo, way ?? back.way ?? []);
  const list = { sentences: steps, isList: true };
  const depends = way !== undefined;
  // Who asks why takes it for granted.
  const verdict = question.intent === 'why' ? '' : depends === isApart ? 'No: ' : 'Yes: ';
  if (depends) {
    const text = `${verdict}${dependsText(first, second, way)}.`;
    const other = back.way === undefined ? dependsNotText(second, first) : dependsText(second, first, back.way);
    return [{ sentences: [text, `${other}.`].map((told) => ({ text: told, sources: sourcesOf(steps) })) }, list];
  }
  notes.push(AT_RUN_TIME);
  if (isCut) gaps.push('more dependencies were there to follow than are followed at once');
  const looked =
    followed === 0 ? '' : `, none of the ${followed} dependencies that were followed from there leads to it`;
  const text = `${verdict}${dependsNotText(first, second)}${looked}.`;
  if (back.way === undefined) {
    absent.push(text);
    return [];
  }
  const other = `${dependsText(second, first, back.way)}.`;
  return [{ sentences: [text, other].map((told) => ({ text: told, sources: sourcesOf(steps) })) }, list];
}

type Named = Pick<PlainPart, 'name'>;

function dependsText(from: Named, to: Named, way: readonly EdgeRow[]): string {
  return `\`${from.name}\` depends on \`${to.name}\` in ${counted(way.length, 'step')}`;
}

function dependsNotText(from: Named, to: Named): string {
  return `\`${from.name}\` does not depend on \`${to.name}\` within five steps`;
}

/** Whether a part of the code imports a package of others, or what does, and which files import it. */
async function tellForeign(inquiry: Inquiry, { repo, first, second, isApart }: Verdict): Promise<Paragraph[]> {
  const { tools, cite, notes } = inquiry;
  const { imports, name } = second;
  const isIn = (path: string): boolean => path === first.path || path.startsWith(`${first.path}/`);
  const own = imports.filter(({ path }) => isIn(path));
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
  const verdict = depends === isApart ? 'No' : 'Yes';
  const says = depends
    ? `\`${first.name}\` depends on the package \`${name}\`${own.length > 0 ? '' : ' by other files'}`
    : `\`${first.name}\` does not depend on the package \`${name}\``;
  const files = imports.map(({ path }) => path);
  const importers = `${counted(files.length, 'file imports', 'files import')} \`${name}\`: ${listNames(files, MOST_DEPENDENCIES)}.`;
  const told = [`${verdict}: ${says}.`, importers].map((text) => ({ text, sources }));
  return [{ sentences: told }, { sentences: steps, isList: true }];
}

/** Files that import a package to which a way is looked for. */
const MOST_WAYS = 4;

function targetOf({ handle, path }: Pick<PlainPart, 'handle' | 'path'>): Parameters<typeof findPath>[2] {
  if (handle.startsWith('sym:')) return { path, isReached: (reached) => reached === handle };
  return { path, isReached: (reached) => pathOf(reached) === path || pathOf(reached).startsWith(`${path}/`) };
}

async function stepsOf({ tools, cite }: Inquiry, repo: string, way: readonly EdgeRow[]): Promise<Sentence[]> {
  return Promise.all(way.map((edge) => stepSentence(cite, edge, (place) => lineOf(tools, repo, place))));
}

/** Two of the sources of some steps. */
function sourcesOf(steps: readonly Sentence[]): Sentence['sources'] {
  return [...new Set(steps.flatMap(({ sources }) => sources))].slice(0, 2);
}

/** The path of a folder. */
const FOLDER = /(?:^|\s)`?((?:[\w.-]+\/)+[\w.-]*\w)/;

/** The same where nothing is named as in the code: of folders or types that plain words mean, else of all parts of the code. */
async function tellPlainPath(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, gaps } = inquiry;
  const folders = await tellFolders(tools, cite, question.words);
  if (folders !== undefined) return folders;
  const [first, second] = asks('whether', question.words) ? await findTypes(tools, question.words) : [];
  if (first !== undefined && second !== undefined) return tellBothWays(inquiry, first, second);
  if (asks('dependents', question.words)) {
    const dependents = await tellPlainDependents(inquiry);
    if (dependents.length > 0) return dependents;
  }
  if (asks('parts', question.words)) return tellLayers(inquiry);
  gaps.push('name two files, symbols or folders to learn whether one depends on the other');
  return [];
}

/** What depends on a folder, on a package of others, or on what plain words mean. */
async function tellPlainDependents(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, gaps } = inquiry;
  const [, folder] = FOLDER.exec(question.words) ?? [];
  if (folder !== undefined) return tellDependents(inquiry, folder, folder);
  const of = dependedOn(question.words);
  if (of === undefined) return [];
  const map = await readMap(tools);
  const part = (await findPlainPart(tools, of, map)) ?? (await findDescribed(tools, of));
  if (part === undefined) return [];
  if (part.isGuessed) gaps.push(`“${of}” was read as ${part.name}`);
  if (part.handle !== '') return tellDependents(inquiry, part.handle, part.name);
  const lines = part.imports.map(({ path, line, text }) => cite.head(filePlace(map.repo, path, line, text)));
  const files = part.imports.map(({ path }) => path);
  const text = `${counted(files.length, 'file imports', 'files import')} the package \`${part.name}\`: ${listNames(files, MOST_DEPENDENCIES)}.`;
  return [{ sentences: [{ text, sources: lines.slice(0, MOST_LINES) }] }];
}

async function tellBothWays(inquiry: Inquiry, first: CodePlace, second: CodePlace): Promise<Paragraph[]> {
  const { gaps, cite, question } = inquiry;
  const there = await tellWay(inquiry, first, second);
  const back = await tellWay(inquiry, second, first);
  // Whether one is apart from the other is asked of the first.
  const [{ isApart } = { isApart: false }] = sidesOf(question.words);
  const verdict = !asks('whether', question.words) ? '' : (there === undefined) === isApart ? 'Yes: ' : 'No: ';
  if (there === undefined && back === undefined) {
    gaps.push(AT_RUN_TIME);
    const names = `either \`${displayName(first)}\` nor \`${displayName(second)}\``;
    const text = `${verdict}${verdict === '' ? 'N' : 'n'}${names} depends on the other within five steps.`;
    return [{ sentences: [{ text, sources: [cite.head(first), cite.head(second)] }] }];
  }
  const [lead, ...rest] = there ?? tellNoPath(cite, first, second);
  const led = lead === undefined ? [] : [withVerdict(lead, verdict)];
  return [...led, ...rest, ...(back ?? tellNoPath(cite, second, first))];
}

function withVerdict(paragraph: Paragraph, verdict: string): Paragraph {
  const [first, ...rest] = paragraph.sentences;
  return first === undefined
    ? paragraph
    : { ...paragraph, sentences: [{ ...first, text: `${verdict}${first.text}` }, ...rest] };
}

const MOST_DEPENDENCIES = 12;
const MOST_LINES = 2;

/** The files that a single place depends on, or those that depend on it where the question asks for them. */
async function tellDependencies(inquiry: Inquiry, place: CodePlace): Promise<Paragraph[]> {
  const { tools, question, cite, gaps } = inquiry;
  if (asks('dependents', question.words))
    return tellDependents(inquiry, handleOf(place), displayName(place), isType(place));
  const { files } = await findDependencies(tools, handleOf(place), 'out');
  if (files.length === 0) {
    gaps.push(`no file of the repository was found that ${place.path} depends on`);
    return [];
  }
  const text = `\`${displayName(place)}\` depends on ${listNames(files, MOST_DEPENDENCIES)}.`;
  return [{ sentences: [{ text, sources: [cite.place(place, 'main')] }] }];
}

/** The files outside of tests that depend on a file, a folder or a symbol, with the lines by which the first ones do. */
async function tellDependents(
  { tools, question, cite, gaps, notes }: Pick<Inquiry, 'tools' | 'question' | 'cite' | 'gaps' | 'notes'>,
  handle: string,
  name: string,
  isOfType = false,
): Promise<Paragraph[]> {
  // What uses a member of a type by what that overrides need not know the type.
  const [own, within] = [handle, handle.replace(/@([^@]+)$/, '/')];
  const isMeant = ({ to }: EdgeRow): boolean => to === own || (to.startsWith(within) && pathOf(to) === pathOf(own));
  const found = await findDependencies(tools, handle, 'in', isOfType ? isMeant : undefined);
  const folder = handle.replace(/\/$/, '');
  const isOutside = (path: string): boolean => !path.startsWith(`${folder}/`) && path !== folder;
  // What the program itself is made of comes before its examples and documentation.
  const files = found.files
    .filter((path) => !isTestPath(path) && isOutside(path))
    .toSorted((a, b) => Number(isBeside(a)) - Number(isBeside(b)));
  const tests = found.files.filter((path) => isTestPath(path) && isOutside(path));
  const lines = await Promise.all(files.slice(0, MOST_LINES).map(async (file) => dependingLine(tools, file, folder)));
  const sources = lines.flatMap((line) =>
    line === undefined ? [] : [cite.head(filePlace(found.repo, line.path, line.line, line.text))],
  );
  if (files.length === 0) gaps.push(`no file outside of tests was found that depends on ${name}`);
  if (!found.isWhole) gaps.push('what depends on it by its name alone, or beyond 600 dependencies, is not counted');
  if (!found.isExact && files.length > 0)
    gaps.push('the dependencies were resolved by names and imports, not by a compiler');
  if (tests.length > 0) notes.push(`${counted(tests.length, 'file')} of tests depend on it too`);
  if (sources.length === 0) return [];
  const text = `${counted(files.length, 'file depends', 'files depend')} on \`${name}\`: ${listNames(files, MOST_DEPENDENCIES)}.`;
  if (!asks('ofPackages', question.words)) return [{ sentences: [{ text, sources }] }];
  const { unit, parts } = groupFiles(files, (await readMap(tools)).rows);
  if (parts.length === 0) return [{ sentences: [{ text, sources }] }];
  const listed = parts.map((part) => `${part.name} (${counted(part.files, 'file')})`);
  const count = counted(parts.length, `${unit} depends`, `${unit}s depend`);
  const byParts = `${count} on \`${name}\`: ${listNames(listed, MOST_PARTS)}.`;
  return [{ sentences: [byParts, text].map((told) => ({ text: told, sources })) }];
}

/** Packages that are named of those that depend on something. */
const MOST_PARTS = 24;

/** Whether a file is no part of the program: code of its documentation imports it too. */
function isBeside(path: string): boolean {
  return isAside(path) || /^docs?\//i.test(path);
}

function tellNoPath(cite: Citer, from: CodePlace, to: CodePlace): Paragraph[] {
  const text = `\`${displayName(from)}\` does not depend on \`${displayName(to)}\` within five steps.`;
  return [{ sentences: [{ text, sources: [cite.head(from)] }] }];
}

async function tellWay(inquiry: Inquiry, from: CodePlace, to: CodePlace): Promise<Paragraph[] | undefined> {
  const target = handleOf(to);
  const isReached = (handle: string): boolean => handle === target || (to.symbol === '' && pathOf(handle) === to.path);
  const { way } = await findPath(inquiry.tools, handleOf(from), { path: to.path, isReached });
  if (way === undefined) return undefined;
  const steps = await stepsOf(inquiry, from.repo, way);
  const lead: Sentence = {
    text: `\`${displayName(from)}\` depends on \`${displayName(to)}\` in ${counted(way.length, 'step')}.`,
    sources: sourcesOf(steps),
  };
  return [{ sentences: [lead] }, { sentences: steps, isList: true }];
}

/** The line that makes one thing depend on another: an import, or the head of what depends. */
async function lineOf(tools: Tools, repo: string, { from, to }: { from: string; to: string }) {
  const [, symbol = '', path = ''] = /^sym:(.*)@([^@]+)$/.exec(from) ?? [];
  const place = symbol === '' ? undefined : await readSymbol(tools, { repo, symbol, path });
  if (place !== undefined) return { place, line: place.start };
  const found = await dependingLine(tools, from, to);
  if (found === undefined) return undefined;
  const { path: file, line, text } = found;
  return { place: filePlace(repo, file, line, text), line };
}
