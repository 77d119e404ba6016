import { isAside } from '../gather/prefer.ts';
import { counted } from '../../kernel/counted.ts';
import { isTestPath } from '../../languages/languages.ts';
import { isType } from '../gather/around.ts';
import { type CodePlace, filePlace } from '../gather/code.ts';
import { findPlainPart } from '../gather/plain-parts.ts';
import { dependingLine } from '../gather/depending-line.ts';
import { type EdgeRow, findDependencies, findPath, handleOf, pathOf, readMap } from '../gather/structure.ts';
import type { Inquiry } from './inquiry.ts';
import type { Citer } from '../prose/cite.ts';
import { listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { displayName } from '../prose/symbols.ts';
import { asks } from '../question/kinds.ts';
import { phrasesOf } from '../question/phrases.ts';
import { dependedOn, sidesOf } from '../question/sides.ts';
import { groupFiles, otherVersionNote, ownerOf, takersOfOthers, tellPackageDependents } from './packages.ts';
import { tellLayers } from './parts.ts';
import { tellVerdicts } from './verdicts.ts';
import { AT_RUN_TIME, sourcesOf, stepsOf } from './way.ts';

/** Whether the first place depends on the second, and over which places; then the other way round. */
export async function tellPath(inquiry: Inquiry): Promise<Paragraph[]> {
  const {
    named: [first, second],
    question,
  } = inquiry;
  if (second === undefined) {
    const verdicts = await tellVerdicts(inquiry, sidesOf(question.words));
    if (verdicts.length > 0 || inquiry.absent.length > 0 || inquiry.unknown.length > 0) return verdicts;
  }
  if (first === undefined) return tellPlainPath(inquiry);
  if (second === undefined) return tellDependencies(inquiry, first);
  return tellBothWays(inquiry, first, second);
}

/** The path of a folder. */
const FOLDER = /(?:^|\s)`?((?:[\w.-]+\/)+[\w.-]*\w)/;

/** The same where nothing is named as in the code: what depends on what plain words mean, else all parts of the code. */
async function tellPlainPath(inquiry: Inquiry): Promise<Paragraph[]> {
  const { question, gaps } = inquiry;
  const [first, second] = phrasesOf(question.words);
  if (first !== undefined && second !== undefined && !asks('dependents', question.words)) {
    const ends = { from: first.text, to: second.text, isApart: false, avoided: '' };
    return tellVerdicts(inquiry, [ends], false);
  }
  if (asks('dependents', question.words)) {
    const dependents = await tellPlainDependents(inquiry);
    if (dependents.length > 0 || inquiry.unknown.length > 0) return dependents;
  }
  if (asks('parts', question.words)) return tellLayers(inquiry);
  gaps.push('name two files, symbols or folders to learn whether one depends on the other');
  return [];
}

/** What depends on a folder, on a package of others, or on what plain words mean. */
async function tellPlainDependents(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite } = inquiry;
  const [, folder] = FOLDER.exec(question.words) ?? [];
  if (folder !== undefined) return tellDependents(inquiry, folder, folder);
  const of = dependedOn(question.words);
  if (of === undefined) return [];
  const map = await readMap(tools);
  const part = await findPlainPart(tools, of, map);
  if (part === undefined) {
    inquiry.unknown.push(`No folder, package, file or symbol was found for “${of}”.`);
    return [];
  }
  inquiry.readings.push(...part.readings);
  inquiry.isGuessed ||= part.isGuessed;
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

/** What depends on a file, a folder or a symbol: the packages that import one, where a question asks for packages, else files. */
async function tellDependents(inquiry: Inquiry, handle: string, name: string, isOfType = false): Promise<Paragraph[]> {
  const { question } = inquiry;
  const folder = handle.replace(/\/$/, '');
  const packages = asks('ofPackages', question.words) ? await tellPackageDependents(inquiry, folder, name) : undefined;
  return packages ?? tellDependentFiles(inquiry, { handle, folder, name, isOfType });
}

/** The files outside of tests that depend on a file, a folder or a symbol, with the lines by which the first ones do. */
async function tellDependentFiles(
  { tools, question, cite, gaps, notes, absent }: Inquiry,
  { handle, folder, name, isOfType }: { handle: string; folder: string; name: string; isOfType: boolean },
): Promise<Paragraph[]> {
  // What uses a member of a type by what that overrides need not know the type.
  const [own, within] = [handle, handle.replace(/@([^@]+)$/, '/')];
  const isMeant = ({ to }: EdgeRow): boolean => to === own || (to.startsWith(within) && pathOf(to) === pathOf(own));
  const found = await findDependencies(tools, handle, 'in', isOfType ? isMeant : undefined);
  const { rows } = await readMap(tools);
  const others = await takersOfOthers(tools, rows, folder);
  notes.push(...others.map(otherVersionNote));
  const meant = found.files
    .filter((path) => !path.startsWith(`${folder}/`) && path !== folder)
    .filter((path) => !others.some(({ from }) => from === ownerOf(path, rows)?.package));
  // What the program itself is made of comes before its examples and documentation.
  const files = meant.filter((path) => !isTestPath(path)).toSorted((a, b) => Number(isBeside(a)) - Number(isBeside(b)));
  const tests = meant.filter(isTestPath);
  const lines = await Promise.all(files.slice(0, MOST_LINES).map(async (file) => dependingLine(tools, file, folder)));
  const sources = lines.flatMap((line) =>
    line === undefined ? [] : [cite.head(filePlace(found.repo, line.path, line.line, line.text))],
  );
  if (!found.isWhole) gaps.push('what depends on it by its name alone, or beyond 600 dependencies, is not counted');
  if (!found.isExact && files.length > 0)
    gaps.push('the dependencies were resolved by names and imports, not by a compiler');
  if (tests.length > 0) notes.push(`${counted(tests.length, 'file')} of tests depend on it too`);
  if (sources.length === 0) {
    absent.push(`No file outside of tests was found that depends on \`${name}\`.`);
    return [];
  }
  const text = `${counted(files.length, 'file depends', 'files depend')} on \`${name}\`: ${listNames(files, MOST_DEPENDENCIES)}.`;
  const isAsked = asks('ofPackages', question.words) || PARTS.test(question.words);
  const byParts = isAsked || files.length > MOST_DEPENDENCIES ? dependentParts(files, rows) : undefined;
  if (byParts === undefined || byParts.count < (isAsked ? 1 : 2)) return [{ sentences: [{ text, sources }] }];
  const sentence = `${byParts.says} on \`${name}\`: ${byParts.listed}.`;
  return [{ sentences: [sentence, text].map((told) => ({ text: told, sources })) }];
}

/** The packages or folders in which files lie that are no examples. */
function dependentParts(files: readonly string[], rows: Parameters<typeof groupFiles>[1]) {
  const { unit, parts } = groupFiles(
    files.filter((path) => !isBeside(path)),
    rows,
  );
  const listed = parts.map((part) => `${part.name} (${counted(part.files, 'file')})`);
  const says = counted(parts.length, `${unit} depends`, `${unit}s depend`);
  return { count: parts.length, says, listed: listNames(listed, MOST_PARTS) };
}

/** Who asks for parts is told these first. */
const PARTS = /\bwhich (?:\w+ )?(?:parts|areas|folders|layers|components)\b/i;

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
