import { describeCall } from '../kernel/answer.ts';
import { counted } from '../kernel/counted.ts';
import { isTestPath } from '../languages/languages.ts';
import { askCode } from './code-agent.ts';
import { findTypes, isType, tellFolders } from './folders.ts';
import { isInScope, type ReadScope, readScope } from './gather/scope.ts';
import { type CodePlace, type Effort, filePlace, findNamed, readSymbol } from './gather/code.ts';
import {
  findDependencies,
  findPath,
  findSmells,
  importLine,
  namingLine,
  pathOf,
  readLayers,
  readMap,
} from './gather/structure.ts';
import type { Tools } from './gather/tools.ts';
import { findWritten, readWritten } from './gather/written.ts';
import type { Inquiry } from './inquiry.ts';
import type { Investigation } from './investigation.ts';
import { Ledger } from './ledger/ledger.ts';
import { Citer } from './prose/cite.ts';
import { introduce, quoteWritten } from './prose/code.ts';
import { weighTerms } from './question/term-weights.ts';
import { listNames, type Paragraph, type Sentence } from './prose/prose.ts';
import {
  cycleSentence,
  entrySentence,
  layerSentence,
  orderSentence,
  smellSentence,
  stepSentence,
} from './prose/structure.ts';
import { displayName } from './prose/symbols.ts';
import { tellCoupling, tellHotspots, tellOwner } from './structure-history.ts';
import type { AskedQuestion } from './question/question.ts';
import { asksForDependents, asksForParts, asksWhether, type Topic, topicsOf } from './question/topics.ts';

const SHOWN = { quick: 2, standard: 4, deep: 8 } as const;

/**
 * Answers a question about structure: from the graph of imports, history and decisions where it says what it is about, and as any
 * question about code where it does not. 3 to 25 calls, without a model.
 *
 * @throws ServiceError when the code cannot be searched.
 */
export async function askStructure(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  const [read, ...places] = await Promise.all([
    readScope(tools, question.words),
    ...question.names.map(async (name) => findNamed(tools, name)),
  ]);
  const ledger = new Ledger();
  const cite = new Citer(ledger, weighTerms(question.terms, 1, {}), (repo) => tools.commitOf(repo));
  // A folder is found as the part of the code that a question is about.
  const missing = question.names.filter((name, at) => places[at]?.length === 0 && !isFolder(read, name));
  // A type is meant, not its constructor of the same name.
  const named = places.flatMap((found) => found.find(isType) ?? found.slice(0, 1));
  const inquiry: Inquiry = {
    tools,
    question,
    cite,
    most: SHOWN[effort],
    named,
    scope: named.length === 0 ? read.scope : undefined,
    gaps: [...missing.map((name) => `nothing in the index is called \`${name}\``), ...read.readings],
    notes: [],
    absent: [],
  };
  const isLost = missing.length > 0 && named.length === 0;
  const topics = topicsOf(question.words);
  const told = isLost ? [] : await Promise.all(topics.map((topic) => PARTS[topic](inquiry)));
  const paragraphs = told.flat().filter(({ sentences }) => sentences.length > 0);
  if (paragraphs.length === 0 && inquiry.absent.length === 0) return askCode(tools, question, effort);
  const isOnTopic = topics.some((topic) => topic !== 'reason');
  // What a part is called that there is none of is said where the answer is about all of the repository instead.
  const isWider = read.unknown.length > 0 && read.scope === undefined && named.length === 0;
  const wider = isWider && topics.some((topic) => NARROWED.has(topic)) ? [wholeRepository(read.unknown)] : [];
  const isWhole = inquiry.gaps.length === 0 && wider.length === 0;
  return {
    ledger,
    confidence: isOnTopic ? (isWhole ? 0.9 : 0.5) : 0.4,
    isRefused: false,
    lead: [...wider, ...inquiry.absent].join(' '),
    composed: { paragraphs, gaps: [...inquiry.gaps, ...inquiry.notes], next: nextCalls(topics, inquiry) },
  };
}

/** Topics that a part of the repository narrows. */
const NARROWED: ReadonlySet<Topic> = new Set<Topic>(['cycles', 'hotspots', 'coupling', 'size', 'layers']);

function wholeRepository(unknown: readonly string[]): string {
  const names = unknown.map((name) => `“${name}”`);
  return `No folder, package or file is called ${listNames(names, 3)}, so this is about the whole repository.`;
}

function isFolder({ scope }: ReadScope, name: string): boolean {
  return scope?.folders.some((folder) => folder === name || folder.endsWith(`/${name}`)) ?? false;
}

/** What is told of each topic. */
const PARTS: Record<Topic, (inquiry: Inquiry) => Promise<Paragraph[]>> = {
  path: tellPath,
  cycles: tellCycles,
  hotspots: tellHotspots,
  coupling: tellCoupling,
  owner: tellOwner,
  size: tellSize,
  layers: tellLayers,
  reason: tellReason,
};

/** Whether the first place depends on the second, and over which places; then the other way round. */
async function tellPath(inquiry: Inquiry): Promise<Paragraph[]> {
  const {
    named: [first, second],
  } = inquiry;
  if (first === undefined) return tellPlainPath(inquiry);
  if (second === undefined) return tellDependencies(inquiry, first);
  return tellBothWays(inquiry, first, second);
}

/** The path of a folder. */
const FOLDER = /(?:^|\s)`?((?:[\w.-]+\/)+[\w.-]*\w)/;
/** The same where nothing is named as in the code: of folders or types that plain words mean, else of all parts of the code. */
async function tellPlainPath(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, gaps } = inquiry;
  const folders = await tellFolders(tools, cite, question.words);
  if (folders !== undefined) return folders;
  const [first, second] = asksWhether(question.words) ? await findTypes(tools, question.words) : [];
  if (first !== undefined && second !== undefined) return tellBothWays(inquiry, first, second);
  const [, folder] = FOLDER.exec(question.words) ?? [];
  if (folder !== undefined && asksForDependents(question.words)) {
    const dependents = await tellDependents(inquiry, folder, folder);
    if (dependents.length > 0) return dependents;
  }
  if (asksForParts(question.words)) return tellLayers(inquiry);
  gaps.push('name two files, symbols or folders to learn whether one depends on the other');
  return [];
}

async function tellBothWays({ tools, cite, gaps }: Inquiry, first: CodePlace, second: CodePlace): Promise<Paragraph[]> {
  const there = await tellWay(tools, cite, first, second);
  const back = await tellWay(tools, cite, second, first);
  if (there === undefined && back === undefined) {
    gaps.push('dependencies made at run time, by name or by configuration are not detected');
    const text = `Neither \`${displayName(first)}\` nor \`${displayName(second)}\` depends on the other within five steps.`;
    return [{ sentences: [{ text, sources: [cite.head(first), cite.head(second)] }] }];
  }
  return [...(there ?? tellNoPath(cite, first, second)), ...(back ?? tellNoPath(cite, second, first))];
}

const MOST_DEPENDENCIES = 12;

/** The files that a single place depends on, or those that depend on it where the question asks for them. */
async function tellDependencies(inquiry: Inquiry, place: CodePlace): Promise<Paragraph[]> {
  const { tools, question, cite, gaps } = inquiry;
  if (asksForDependents(question.words)) return tellDependents(inquiry, handleOf(place), displayName(place));
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
  { tools, cite, gaps }: Pick<Inquiry, 'tools' | 'cite' | 'gaps'>,
  handle: string,
  name: string,
): Promise<Paragraph[]> {
  const found = await findDependencies(tools, handle, 'in');
  const files = found.files.filter((path) => !isTestPath(path) && !path.startsWith(`${handle}/`));
  const lines = await Promise.all(files.slice(0, MOST_LINES).map(async (file) => dependingLine(tools, file, handle)));
  const sources = lines.flatMap((line) =>
    line === undefined ? [] : [cite.head(filePlace(found.repo, line.path, line.line, line.text))],
  );
  if (files.length === 0) gaps.push(`no file outside of tests was found that depends on ${name}`);
  if (sources.length === 0) return [];
  const text = `${counted(files.length, 'file depends', 'files depend')} on \`${name}\`: ${listNames(files, MOST_DEPENDENCIES)}.`;
  return [{ sentences: [{ text, sources }] }];
}

function tellNoPath(cite: Citer, from: CodePlace, to: CodePlace): Paragraph[] {
  const text = `\`${displayName(from)}\` does not depend on \`${displayName(to)}\` within five steps.`;
  return [{ sentences: [{ text, sources: [cite.head(from)] }] }];
}

async function tellWay(tools: Tools, cite: Citer, from: CodePlace, to: CodePlace): Promise<Paragraph[] | undefined> {
  const target = handleOf(to);
  const isTarget = (handle: string): boolean => handle === target || (to.symbol === '' && pathOf(handle) === to.path);
  const way = await findPath(tools, handleOf(from), isTarget);
  if (way === undefined) return undefined;
  const steps = await Promise.all(
    way.map((edge) => stepSentence(cite, edge, (place) => lineOf(tools, from.repo, place))),
  );
  const lead: Sentence = {
    text: `\`${displayName(from)}\` depends on \`${displayName(to)}\` in ${counted(way.length, 'step')}.`,
    sources: [...new Set(steps.flatMap(({ sources }) => sources))].slice(0, 2),
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

/** The line of a file that imports another one, else one that names what that declares. */
async function dependingLine(tools: Tools, from: string, to: string): ReturnType<typeof importLine> {
  const line = await importLine(tools, from, to);
  const isOther = line !== undefined && isBeside(pathOf(from), pathOf(to)) && PACKAGE.test(line.text);
  return line === undefined || isOther ? namingLine(tools, from, to) : line;
}

/** A package in a block of imports: it may be called like a file of the folder, and is none. */
const PACKAGE = /^\s+(?:[\w.]+ )?"\w+"$/;

function isBeside(a: string, b: string): boolean {
  return a.slice(0, a.lastIndexOf('/') + 1) === b.slice(0, b.lastIndexOf('/') + 1);
}

async function tellCycles({ tools, cite, most, gaps, absent, scope, named: of }: Inquiry): Promise<Paragraph[]> {
  const { repo, rows, total } = await findSmells(tools, ['cycle'], 20);
  const paths = of.map(({ path }) => path);
  const own = rows.filter(({ files }) => files.some((path) => isInScope(scope, path)));
  const chosen = paths.length === 0 ? own : rows.filter(({ files }) => paths.some((path) => files.includes(path)));
  if (chosen.length === 0) {
    const part = paths.length === 0 ? scope?.name : listNames(paths, 2);
    absent.push(
      part === undefined ? 'No files import each other in a circle.' : `No circle of imports goes through ${part}.`,
    );
    return [];
  }
  const sentences = await Promise.all(
    chosen.slice(0, most).map(async (cycle) => {
      const near = cycle.files.slice(0, MOST_LINKED);
      const pairs = near.flatMap((from) => near.filter((to) => to !== from).map((to) => ({ from, to })));
      const lines = await Promise.all(pairs.map(({ from, to }) => importLine(tools, from, to)));
      const known = lines.flatMap((line) =>
        line === undefined ? [] : [filePlace(repo, line.path, line.line, line.text)],
      );
      const [head] = known.length > 0 ? [] : [await headOf(tools, repo, cycle.path, cycle.line)];
      return cycleSentence(cite, cycle, head === undefined ? known.slice(0, MOST_LINES) : [head]);
    }),
  );
  const lines = sentences.filter(({ sources }) => sources.length > 0);
  if (total > chosen.length) gaps.push(`${total} circles in all`);
  return [{ sentences: lines, isList: lines.length > 1 }];
}

/** Files of a circle between which imports are looked for, and imports that are cited. */
const MOST_LINKED = 4;
const MOST_LINES = 2;

const SIZES = ['god_class', 'complexity', 'large_file', 'long_function', 'duplicate'];
/** What a question about size asks for, where it says so. */
const SIZES_ASKED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bduplicat/i, ['duplicate']],
  [/\bcomplex/i, ['complexity']],
  [/\b(?:god|class(?:es)?)\b/i, ['god_class']],
  [/\blong\w*\b.*\b(?:function|method)s?\b|\b(?:function|method)s?\b.*\blong/i, ['long_function']],
  [/^(?!.*\b(?:long|complex)).*\b(?:function|method)s?\b/i, ['long_function', 'complexity']],
  [/\b(?:files?|modules?)\b/i, ['large_file']],
];

async function tellSize({ tools, question, cite, most, scope, named: [place] }: Inquiry): Promise<Paragraph[]> {
  const asked = SIZES_ASKED.flatMap(([words, kinds]) => (words.test(question.words) ? kinds : []));
  const kinds = asked.length === 0 ? SIZES : [...new Set(asked)];
  const { repo, rows } = await findSmells(tools, kinds, most, place?.path ?? scope?.path);
  const sentences = await Promise.all(
    rows.map(async (row) => smellSentence(cite, row, await headOf(tools, repo, row.path, row.line))),
  );
  return [{ sentences: sentences.filter(({ sources }) => sources.length > 0), isList: true }];
}

async function tellLayers({ tools, cite, most, named: [place], scope, gaps }: Inquiry): Promise<Paragraph[]> {
  const folder = place?.symbol === '' ? place.path : scope?.path;
  const { repo, rows } = await readMap(tools, folder);
  const layers = rows.filter(({ part }) => part === 'layers').slice(0, most + 2);
  const central = rows.filter(({ part, qualified }) => part === 'symbols' && qualified !== undefined).slice(0, most);
  const entries = rows.filter(({ part, line }) => part === 'entries' && line !== undefined).slice(0, most);
  const heads = await Promise.all(
    [...central, ...entries].map(({ path, line = 1 }) => headOf(tools, repo, path, line)),
  );
  const begins = entries.flatMap((entry, at) => entrySentence(cite, entry, heads[central.length + at]));
  const symbols = await Promise.all(
    central.map(({ qualified = '', path }) => readSymbol(tools, { repo, symbol: qualified, path })),
  );
  const known = symbols.filter((symbol) => symbol !== undefined);
  const sources = await Promise.all(
    layers.map(async ({ path, uses: [first] }) => {
      const from =
        known.find((symbol) => symbol.path.startsWith(`${path}/`)) ??
        heads.find((head) => head?.path.startsWith(`${path}/`));
      return first === undefined && from === undefined ? undefined : from;
    }),
  );
  const told = layers.map((layer, at) => layerSentence(cite, layer, sources[at]));
  const back = layers.flatMap((a) =>
    layers.filter((b) => a.path < b.path && uses(a, b.path) && uses(b, a.path)).map((b) => `${a.path} and ${b.path}`),
  );
  if (back.length > 0)
    gaps.push(`folders that use each other, so that neither is a layer below the other: ${listNames(back, 3)}`);
  return [
    { sentences: folder === undefined ? await tellOrder({ tools, cite, repo, most }, known) : [] },
    { sentences: told.filter((sentence) => sentence.sources.length > 0), isList: true },
    { sentences: begins, isList: true },
    { sentences: known.filter(({ doc }) => doc !== '').flatMap((symbol) => introduce(cite, symbol)), isList: true },
  ];
}

/** The layers in their order, and the imports that go against it. */
async function tellOrder(
  { tools, cite, repo, most }: Pick<Inquiry, 'tools' | 'cite' | 'most'> & { repo: string },
  known: readonly CodePlace[],
): Promise<Sentence[]> {
  const layers = await readLayers(tools);
  const against = await Promise.all(
    layers.faults.slice(0, most).map(async ({ fromPath, toPath }): Promise<Sentence[]> => {
      const line = await importLine(tools, fromPath, toPath);
      if (line === undefined) return [];
      const source = cite.head(filePlace(repo, line.path, line.line, line.text));
      return [{ text: `${fromPath} imports ${toPath}, which goes up.`, sources: [source] }];
    }),
  );
  return [...orderSentence(cite, layers, known), ...against.flat()];
}

function uses(layer: { uses: readonly { path: string }[] }, path: string): boolean {
  return layer.uses.some((use) => use.path === path);
}

async function tellReason({ tools, question, cite, most }: Inquiry): Promise<Paragraph[]> {
  const hits = await findWritten(tools, question.words, { corpora: ['decisions', 'plans', 'documents'], limit: most });
  const texts = await readWritten(tools, hits.slice(0, most));
  return texts.length === 0 ? [] : [{ sentences: quoteWritten(cite, texts) }];
}

/** The line of a file at which something begins. */
async function headOf(tools: Tools, repo: string, path: string, line: number): Promise<CodePlace | undefined> {
  const [found] = await findNamed(tools, `${path}:${line}-${line}`);
  return found === undefined ? undefined : { ...found, repo };
}

function handleOf({ symbol, path }: CodePlace): string {
  return symbol === '' ? path : `sym:${symbol}@${path}`;
}

function nextCalls(topics: readonly Topic[], { named: [place], scope }: Inquiry): string[] {
  const path = place?.path ?? scope?.path;
  const at = path === undefined ? {} : { path };
  const calls: Record<Topic, string> = {
    path: describeCall('code-tool', {
      action: 'dependencies',
      ...(place !== undefined && { query: handleOf(place) }),
      depth: 2,
    }),
    cycles: describeCall('code-tool', { action: 'smells', kind: ['cycle'] }),
    hotspots: describeCall('commit-tool', { action: 'hotspots', ...at }),
    coupling: describeCall('commit-tool', { action: 'coupling', ...at }),
    owner: describeCall('commit-tool', { action: 'classify', group_by: 'author', ...at }),
    size: describeCall('code-tool', { action: 'smells', ...at }),
    layers: describeCall('code-tool', { action: 'map', ...at }),
    reason: describeCall('search-tool', { query: 'architecture decision', corpora: ['decisions', 'plans'] }),
  };
  return topics.map((topic) => calls[topic]);
}
