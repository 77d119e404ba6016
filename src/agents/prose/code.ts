import { counted } from '../../kernel/counted.ts';
import type { Callee, Surroundings, Use } from '../gather/around.ts';
import { lastPart } from '../gather/around.ts';
import type { CodePlace } from '../gather/code.ts';
import { isComment } from '../gather/lines.ts';
import { isConstructor, isText } from '../gather/prefer.ts';
import type { WrittenText } from '../gather/written.ts';
import type { Entry } from '../ledger/ledger.ts';
import type { Citer } from './cite.ts';
import { sentencesOf } from './excerpt.ts';
import { codeSpan } from '../../kernel/code-span.ts';
import { isToldInFull, wholeOf } from './in-full.ts';
import { day, type IntroducedPlace, joinWords, listNames, type Paragraph, quote, type Sentence } from './prose.ts';
import { displayName, firstSentence, saysOf, shortSignature } from './symbols.ts';

const MOST_NAMED = 4;
const MOST_STEPS = 5;

/** `` `Class.method` (method, src/a.ts:12) returns … ``: what a symbol is, from its documentation, else from what it calls. */
export function introduce(cite: Citer, place: CodePlace, callees: readonly Callee[] = []): Sentence[] {
  const where = place.symbol === '' ? '' : ` (${place.kind}, ${place.path}:${place.start})`;
  const name = `\`${displayName(place)}\`${where}`;
  const source = cite.place(place, 'main');
  const head = source.lines?.start === place.start ? [] : [cite.head(place)];
  const says = saysOf(place.doc, lastPart(place.symbol));
  const sources = [source, ...head];
  const introduces = introducedPlace(place);
  if (says !== undefined)
    return [{ text: `${name} ${says}.`, sources: [...sources, ...docLines(cite, place, source)], introduces }];
  const said = firstSentence(place.doc);
  if (said !== '')
    return [{ text: `${name}: ${quote(said)}.`, sources: [...sources, ...docLines(cite, place, source)], introduces }];
  const whole = wholeOf(place);
  if (whole !== undefined)
    return [{ text: `${name}, in full: ${whole.text}.`, sources: [cite.linesOf(place, 0, whole.to)], introduces }];
  const calls = callsIn(source.text, callees);
  if (calls.length > 0)
    return [{ text: `${name} calls ${joinWords(calls.slice(0, MOST_NAMED))}.`, sources, introduces }];
  return [{ text: `The place to look is ${name}.`, sources, introduces: introducedPlace(place, true) }];
}

/** What the documentation of a place says of the question beyond its first sentence. */
export function tellFurther(cite: Citer, place: CodePlace): Sentence[] {
  const first = firstSentence(place.doc);
  const further = sentencesOf(place.doc).filter((sentence) => !isOfSentence(sentence, first));
  const [best = ''] = further.toSorted((a, b) => cite.worthOf(b) - cite.worthOf(a));
  const source = best === '' || place.symbol === '' ? undefined : cite.docLine(place, best);
  return source === undefined
    ? []
    : [{ text: `Its documentation also says: ${quote(best.replace(/\.$/, ''), 240)}.`, sources: [source] }];
}

function isOfSentence(sentence: string, first: string): boolean {
  return first === '' || withoutMarks(sentence).startsWith(withoutMarks(first).slice(0, 40));
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\W+/g, ' ').trim();
}

function introducedPlace({ path, start, symbol }: CodePlace, isNameOnly = false): IntroducedPlace {
  return { path, line: start, symbol, isNameOnly };
}

/** Where documentation stands in the body of a symbol, if it does and no source shows it. */
export function docLines(cite: Citer, place: CodePlace, { lines: shown }: Entry): Entry[] {
  if (place.docAt !== undefined) return cite.docOf(place);
  const words = firstSentence(place.doc).split(' ').slice(0, 4).join(' ').replaceAll('`', '');
  const lines = place.body.split('\n');
  const at = lines.findIndex((line) => words !== '' && line.replaceAll('`', '').includes(words));
  if (at <= 0) return [];
  const line = place.start + at;
  return shown !== undefined && shown.start <= line && line <= shown.end ? [] : [cite.linesOf(place, at, at)];
}

/** The lines of a place that say most about the question where they are its first ones, else its head: a sentence tells where it begins. */
export function beginningOf(cite: Citer, place: CodePlace, size: 'near' | 'other' = 'other'): Entry {
  const shown = cite.place(place, size);
  return shown.lines?.start === place.start ? shown : cite.head(place);
}

/** Who calls a symbol and what it calls, in order, one line each. */
export function flow(
  cite: Citer,
  place: CodePlace,
  { uses, callees }: Pick<Surroundings, 'uses' | 'callees'>,
  known: readonly CodePlace[],
): Paragraph[] {
  const isAlike = ({ symbol }: { symbol: string }): boolean =>
    lastPart(symbol) === lastPart(place.symbol) && symbol !== place.symbol;
  const isShared = callees.some(isAlike) || uses.some(({ enclosing }) => isAlike({ symbol: enclosing }));
  const name = `\`${isShared ? displayName(place) : lastPart(place.symbol)}\``;
  // A call of itself, or of another one of its name, leads nowhere.
  const isItself = ({ symbol, path }: Pick<Callee, 'symbol' | 'path'>): boolean =>
    symbol === place.symbol && path === place.path;
  const callers = byEnclosing(
    uses.filter(({ use, enclosing, path }) => use === 'call' && !isItself({ symbol: enclosing, path })),
  ).slice(0, 2);
  const steps: Sentence[] = callers.map((use) => ({
    text: `${enclosingName(use)} calls ${name} in ${use.path}:${use.line}.`,
    sources: [cite.use(place.repo, use)],
  }));
  const seen = new Set<string>();
  for (const callee of callees) {
    const target = known.find(({ symbol, path }) => symbol === callee.symbol && path === callee.path);
    if (target === undefined || seen.has(callee.symbol) || seen.size >= MOST_STEPS - 1) continue;
    if (isItself(callee) || !isCalledIn(place, callee)) continue;
    seen.add(callee.symbol);
    const says = saysOf(target.doc, lastPart(target.symbol));
    const it = `\`${displayName(target)}\` (${target.path}:${target.start})`;
    const text = says === undefined ? `${name} calls ${it}.` : `${name} calls ${it}, which ${says}.`;
    const there = cite.head(target);
    const doc = says === undefined ? [] : docLines(cite, target, there);
    steps.push({ text, sources: [...callLine(cite, place, callee), there, ...doc] });
  }
  return steps.length < 2 ? (steps.length === 0 ? [] : [{ sentences: steps }]) : [{ sentences: steps, isList: true }];
}

/** The line of a place that calls something; the lines that are shown of the place anyway, where they have it. */
export function callLine(cite: Citer, place: CodePlace, { symbol }: Pick<Callee, 'symbol'>): Entry[] {
  const at = lineOfCall(place, symbol);
  if (at === -1) return [];
  const shown = cite.place(place, 'main');
  const line = place.start + at;
  const isShown = shown.lines !== undefined && shown.lines.start <= line && line <= shown.lines.end;
  return [isShown ? shown : cite.linesOf(place, at, at)];
}

/** The line of a body that calls something, counted from 0; -1 for none. What documentation and comments name is not called there. */
function lineOfCall({ body, doc }: CodePlace, symbol: string): number {
  const said = withoutMarks(doc);
  const lines = body.split('\n').map((line, at) => {
    const isSaid = isComment(line) || (withoutMarks(line) !== '' && said.includes(withoutMarks(line)));
    return at === 0 || isSaid ? '' : line;
  });
  const called = lines.findIndex((line) => namesCall(line, symbol, String.raw`\s*(?:<[^>]*>)?\s*\(`));
  return called === -1 ? lines.findIndex((line) => namesCall(line, symbol)) : called;
}

/** Those of some callees that the lines which are cited show. */
function callsIn(text: string, callees: readonly Callee[]): string[] {
  const shown = callees.filter(({ symbol }) => namesCall(text, symbol));
  return [...new Set(shown.map(({ symbol }) => `\`${lastPart(symbol)}\``))];
}

/** Whether the body of a place names what it is said to call; of what creates an object, its type. */
function isCalledIn({ body }: CodePlace, { symbol }: Pick<Callee, 'symbol'>): boolean {
  const [, ...inside] = body.split('\n');
  const text = inside.length === 0 ? body : inside.join('\n');
  const type = symbol.slice(0, Math.max(0, symbol.lastIndexOf('/')));
  return namesCall(text, symbol) || (type !== '' && isConstructor(symbol) && namesCall(text, type));
}

function namesCall(text: string, symbol: string, behind = ''): boolean {
  const name = lastPart(symbol).replaceAll(/\W/g, '\\$&');
  return new RegExp(`(?<![\\w$])${name}(?![\\w$])${behind}`).test(text);
}

/** Who uses a symbol: how many places, and the first of them one line each. */
export function listUses(cite: Citer, place: CodePlace, { uses, totals }: Surroundings, most: number): Paragraph[] {
  const name = `\`${displayName(place)}\``;
  const [first] = uses;
  if (first === undefined) {
    const tests = totals.tests === 0 ? '' : ` besides ${counted(totals.tests, 'use')} in tests`;
    return [{ sentences: [{ text: `No resolved use of ${name} was found${tests}.`, sources: [cite.head(place)] }] }];
  }
  const shown = byEnclosing(uses).slice(0, most);
  const files = new Set(uses.map(({ path }) => path)).size;
  const tests = totals.tests === 0 ? '' : `, and in ${counted(totals.tests, 'place')} of tests`;
  const sum: Sentence = {
    text: `${name} is used in ${counted(totals.uses, 'place')} of ${counted(files, 'file')}${tests}.`,
    sources: [cite.use(place.repo, first)],
  };
  const rows = shown.map((use) => ({
    text: `${enclosingName(use)} in ${use.path}:${use.line}: ${codeSpan(use.text.trim().slice(0, 90))}`,
    sources: [cite.use(place.repo, use)],
  }));
  return [{ sentences: [sum] }, { sentences: rows, isList: true }];
}

/** What it extends, and what extends it. */
export function family(cite: Citer, place: CodePlace, { parents, heirs }: Surroundings): Sentence[] {
  const up = [...new Set(parents.map(({ symbol }) => `\`${symbol.replaceAll('/', '.')}\``))];
  const down = [...new Set(heirs.map(({ qualified }) => `\`${qualified.replaceAll('/', '.')}\``))];
  return [
    ...(up.length === 0
      ? []
      : [{ text: `\`${lastPart(place.symbol)}\` extends ${listNames(up, MOST_NAMED)}.`, sources: [cite.head(place)] }]),
    ...(down.length === 0
      ? []
      : [
          {
            text: `${counted(down.length, 'type')} in the code ${down.length === 1 ? 'extends' : 'extend'} it: ${listNames(down, MOST_NAMED)}.`,
            sources: [cite.head(place)],
          },
        ]),
  ];
}

/** Places among which one without documentation is shown in full. */
const NEAR_FIRST = 2;

/** A place whose line has less of the weight of a question is only named: that it may be meant is all there is to tell. */
const LEAST_TOLD = 0.33;

/**
 * Other places that fit the question: a line each of those of which something about it can be told, and all others by name in the last
 * one; of the first `shown` of them the lines that say most about it.
 */
export function alsoInvolved(
  cite: Citer,
  places: readonly CodePlace[],
  {
    calls = new Map(),
    shown = 0,
    lead = 'Also involved:',
  }: { calls?: ReadonlyMap<CodePlace, readonly Callee[]>; shown?: number; lead?: string } = {},
): Paragraph[] {
  const inFull = places.slice(0, NEAR_FIRST).find(isToldInFull);
  const rows = places.map((place, at) => ({
    place,
    row: tellPlace(cite, place, { callees: calls.get(place) ?? [], isInFull: place === inFull, isShown: at < shown }),
  }));
  const telling = rows.filter(({ row }) => cite.worthOf(row.text) >= LEAST_TOLD);
  const silent = rows.filter((one) => !telling.includes(one));
  const sentences = [...telling.map(({ row }) => row), ...nameTogether(silent)];
  return sentences.length === 0 ? [] : [{ sentences: [{ text: lead, sources: [] }, ...sentences], isList: true }];
}

/** Some places by name alone, in one line that has the sources of all. */
function nameTogether(rows: readonly { place: CodePlace; row: Sentence }[]): Sentence[] {
  const [first, ...rest] = rows;
  if (first === undefined) return [];
  if (rest.length === 0) return [first.row];
  const sources = [...new Set(rows.flatMap(({ row }) => row.sources))];
  const text = `${joinWords(rows.map(({ place }) => nameOf(place)))}.`;
  return [{ text, sources, introduces: introducedPlace(first.place, true) }];
}

/** How a place is named beside others: with the line on which it begins. */
function nameOf(place: CodePlace): string {
  return place.symbol === '' ? `\`${place.path}\`` : `\`${displayName(place)}\` (${place.path}:${place.start})`;
}

/** What is told of a place in one line: what its documentation says, else what it does. */
function tellPlace(
  cite: Citer,
  place: CodePlace,
  { callees, isInFull, isShown }: { callees: readonly Callee[]; isInFull: boolean; isShown: boolean },
): Sentence {
  if (place.symbol !== '' && isText(place))
    return {
      text: `${place.path}:${place.start} has a section ${quote(place.symbol.split('/').at(-1) ?? '')}.`,
      sources: [cite.head(place)],
    };
  const introduces = introducedPlace(place);
  const name = nameOf(place);
  const telling = isShown ? [cite.place(place, 'near')] : [];
  const withHead = (there: Entry): Entry[] => [...new Set([...telling, there])];
  const says = saysOf(place.doc, lastPart(place.symbol));
  const said = firstSentence(place.doc);
  if (says !== undefined || said !== '') {
    const there = beginningOf(cite, place, isShown ? 'near' : 'other');
    const sources = [...withHead(there), ...docLines(cite, place, there)];
    return { text: says === undefined ? `${name}: ${quote(said)}.` : `${name} ${says}.`, sources, introduces };
  }
  const whole = isInFull ? wholeOf(place) : undefined;
  if (whole !== undefined)
    return { text: `${name}, in full: ${whole.text}.`, sources: [cite.linesOf(place, 0, whole.to)], introduces };
  const window = cite.place(place, isShown ? 'near' : 'other');
  const visible = callsIn(window.text, callees);
  if (visible.length > 0) {
    const sources = [...new Set([window, beginningOf(cite, place, isShown ? 'near' : 'other')])];
    return { text: `${name} calls ${joinWords(visible.slice(0, MOST_NAMED))}.`, sources, introduces };
  }
  const inside = cite.inside(place);
  if (inside !== undefined)
    return {
      text: `${name}: ${codeSpan(inside.text)}.`,
      sources: [...(isWithin(inside, window) ? [window] : [inside, ...telling]), beginningOf(cite, place)],
      introduces,
    };
  const signature = shortSignature(place.signature);
  // A signature stands at the head.
  const sources = [signature === '' ? cite.place(place) : cite.head(place)];
  const text = signature === '' ? `${name}.` : `${name}: ${codeSpan(signature)}.`;
  return { text, sources, introduces: introducedPlace(place, true) };
}

function isWithin(inner: Entry, { lines: outer }: Entry): boolean {
  const { lines } = inner;
  return lines !== undefined && outer !== undefined && lines.start >= outer.start && lines.end <= outer.end;
}

/** How a quote of a text is led in: what it is, of whom and when. */
export function introduceText({ kind, id, title, heading, date, about }: WrittenText): string {
  const section = heading === '' || heading === title ? title : heading;
  switch (kind) {
    case 'decision':
      return `Decision ${id} (${[about.status, day(about.date)].filter(Boolean).join(', ')}), ${quote(title)}, says:`;
    case 'plan':
      return `The plan ${quote(title)}${about.status === '' ? '' : ` (${about.status})`} says:`;
    case 'signal':
      return `${about.customer === '' ? 'Somebody' : about.customer} wrote on ${day(about.date)}:`;
    case 'competitor':
      return `${title} changed on ${day(date)}${heading === '' ? '' : ` (${heading})`}:`;
    default:
      return `The documentation says under ${quote(section, 80)}:`;
  }
}

/** What two symbols have in common and what only one of them calls. */
export function compare(cite: Citer, left: [CodePlace, Surroundings], right: [CodePlace, Surroundings]): Sentence[] {
  const [a, b] = [calledBy(left[1]), calledBy(right[1])];
  const both = [...a].filter((name) => b.has(name));
  const sources = [cite.place(left[0], 'main'), cite.place(right[0], 'main')];
  const different = [...onlyCalledBy(left, right), ...onlyCalledBy(right, left)];
  return [
    ...(both.length === 0 ? [] : [{ text: `Both call ${inCode(both)}.`, sources }]),
    ...(different.length === 0 ? [] : [{ text: `Of the two ${joinWords(different)}.`, sources }]),
  ];
}

function calledBy({ callees }: Surroundings): Set<string> {
  return new Set(callees.map(({ symbol }) => symbol));
}

/** What one calls whose name the other never has. Nothing where the other gets by what it extends what is not in its body. */
function onlyCalledBy(
  [place, around]: [CodePlace, Surroundings],
  [other, { parents }]: [CodePlace, Surroundings],
): string[] {
  if (parents.length > 0) return [];
  const rest = [...calledBy(around)].filter((symbol) => !namesCall(other.body, symbol));
  return rest.length === 0 ? [] : [`only \`${displayName(place)}\` calls ${inCode(rest)}`];
}

function inCode(symbols: readonly string[]): string {
  return listNames(
    symbols.map((name) => `\`${name.replaceAll('/', '.')}\``),
    MOST_NAMED,
  );
}

/** One use of each caller, the first. */
function byEnclosing(uses: readonly Use[]): Use[] {
  const seen = new Set<string>();
  return uses.filter(({ path, enclosing }) => {
    const key = `${path}\n${enclosing}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

function enclosingName({ enclosing, path }: Use): string {
  return `\`${displayName({ symbol: enclosing, path })}\``;
}
