import { counted } from '../../kernel/counted.ts';
import { definitionOf } from '../../languages/languages.ts';
import type { FileHistory } from '../gather/around.ts';
import type { CodePlace } from '../gather/code.ts';
import type { PackageLinks } from '../gather/imports.ts';
import type { Makers } from '../gather/makers.ts';
import type { CodeLayers, CoupledPair, EdgeRow, HotspotRow, MapEntry, SmellRow } from '../gather/structure.ts';
import type { Citer } from './cite.ts';
import { joinWords, listNames, type Sentence } from './prose.ts';

/** Files of a circle that a sentence names. */
const MOST_FILES = 6;

const RELATIONS: Record<string, string> = {
  imports: 'imports',
  calls: 'calls',
  extends: 'extends',
  implements: 'implements',
  references: 'refers to',
};

/** One step of a way from a place to another. */
export async function stepSentence(
  cite: Citer,
  edge: EdgeRow,
  read: (edge: EdgeRow) => Promise<{ place: CodePlace } | undefined>,
): Promise<Sentence> {
  const found = await read(edge);
  const verb = RELATIONS[edge.relation] ?? edge.relation;
  const at = found === undefined || edge.from.startsWith('sym:') ? '' : ` in line ${found.place.start}`;
  const text = `\`${nameOf(edge.from)}\` ${verb} \`${nameOf(edge.to)}\`${at}.`;
  return { text, sources: found === undefined ? [] : [cite.place(found.place)] };
}

/** `sym:Class/method@src/a.ts` → Class.method; a path as it is. */
function nameOf(handle: string): string {
  const [, symbol] = /^sym:(.*)@[^@]+$/.exec(handle) ?? [];
  return symbol === undefined ? handle : symbol.replaceAll('/', '.');
}

/** `files` names the first of the `value` files of a circle. */
export function cycleSentence(cite: Citer, { files, value }: SmellRow, imports: readonly CodePlace[]): Sentence {
  const text = `${counted(value, 'file')} import each other in a circle: ${listNames(files, MOST_FILES, value)}.`;
  return { text, sources: imports.map((place) => cite.place(place)) };
}

/** How often a file changed and how complex it is; with who made most of the commits to it where `isOwned` asks for that. */
export function hotspotSentence(
  cite: Citer,
  row: HotspotRow,
  history: FileHistory | undefined,
  isOwned = false,
): Sentence {
  const fixes = row.fix_share === 0 ? '' : `, ${Math.round(row.fix_share * 100)} % of them fixes`;
  const commits = history?.commits.slice(0, 2) ?? [];
  const [top] = (history?.authors ?? []).toSorted((a, b) => b.commits - a.commits);
  const owner =
    !isOwned || top === undefined || history === undefined
      ? ''
      : `; ${top.name} made ${top.commits} of ${counted(history.total, 'commit')} to it (${history.period})`;
  return {
    text: `${row.path}: ${counted(row.revisions, 'change')}${fixes}, complexity ${row.complexity} in ${counted(row.lines, 'line')}${owner}.`,
    sources: commits.map((commit) => cite.commit(history?.repo ?? '', commit)),
  };
}

/** How large and complex a file is, and whether it is that most. */
export function sizeSentence(
  cite: Citer,
  { path, lines, complexity }: Pick<HotspotRow, 'path' | 'lines' | 'complexity'>,
  most: string,
  head: CodePlace,
): Sentence {
  const is = most === '' ? `${path} has` : `${path} is ${most}, with`;
  return { text: `${is} ${counted(lines, 'line')} and a complexity of ${complexity}.`, sources: [cite.place(head)] };
}

export function coupledSentence(cite: Citer, pair: CoupledPair, history: FileHistory | undefined): Sentence {
  // What files of settings and documents refer to is not known.
  const isKnown = [pair.a, pair.b].every((path) => definitionOf(path) !== undefined);
  const link = pair.linked || !isKnown ? '' : ', though neither refers to the other';
  const [commit] = history?.commits ?? [];
  return {
    text: `${pair.a} and ${pair.b} changed together in ${counted(pair.shared, 'commit')} (${baseOf(pair)})${link}.`,
    sources: commit === undefined ? [] : [cite.commit(history?.repo ?? '', commit)],
  };
}

/** Of how many commits those are that two files share: of their mean, which the percentage is of. */
function baseOf({ revisions_a: a, revisions_b: b, degree_pct: percent }: CoupledPair): string {
  return `${Math.round(percent)} % of the mean of ${a} and ${b} commits to each`;
}

/** People that a sentence names. */
const MOST_PEOPLE = 4;

/** Who made most commits to a part of the repository in a span. */
export function makersSentence(
  cite: Citer,
  { name, makers, span }: { name: string; makers: Makers | undefined; span: string },
): Sentence[] {
  if (makers === undefined) return [];
  const { authors, total, shown, repo } = makers;
  const listed = authors.map((author) => `${author.name} (${author.commits})`);
  // Beyond some number of authors the rest is not known by name.
  const isCut = authors.reduce((sum, { commits }) => sum + commits, 0) < total;
  const [only, other] = authors;
  const cited = shown.map((commit) => cite.commit(repo, commit));
  if (only !== undefined && other === undefined && only.commits >= total)
    return [
      {
        text: `${total === 1 ? 'The only commit' : `All ${total} commits`} to ${name} (${span}) ${total === 1 ? 'was' : 'were'} made by ${only.name}.`,
        sources: cited,
      },
    ];
  const named = isCut ? `${listed.slice(0, MOST_PEOPLE).join(', ')} and others` : listNames(listed, MOST_PEOPLE);
  const people = `by ${isCut ? 'more than ' : ''}${counted(authors.length, 'person', 'people')}`;
  const text = `Of ${counted(total, 'commit')} ${people} to ${name} (${span}) most were made by ${named}.`;
  return [{ text, sources: cited }];
}

const SMELLS: Record<string, (row: SmellRow) => string> = {
  god_class: ({ value }) => `has ${counted(value, 'method')}`,
  complexity: ({ value }) => `has a cognitive complexity of ${value}`,
  large_file: ({ value }) => `has ${counted(value, 'line')} of code`,
  long_function: ({ value }) => `has ${counted(value, 'line')} of code`,
  duplicate: ({ value }) => `repeats ${counted(value, 'token')} of other code`,
};

export function smellSentence(cite: Citer, row: SmellRow, head: CodePlace | undefined): Sentence {
  const name = row.symbol === '' ? row.path : `\`${row.symbol.replaceAll('/', '.')}\` (${row.path}:${row.line})`;
  const says = SMELLS[row.smell]?.(row) ?? `has ${row.smell.replaceAll('_', ' ')} ${row.value}`;
  return {
    text: `${name} ${says}; more than ${row.threshold} is worth a look.`,
    sources: head === undefined ? [] : [cite.place(head)],
  };
}

/** The order of the layers, from the top down. */
export function orderSentence(cite: Citer, { layers }: CodeLayers, known: readonly CodePlace[]): Sentence[] {
  if (layers.length < 2) return [];
  const listed = layers.map(({ name, files }) => `${name} (${counted(files, 'file')})`);
  const inLayers = layers.flatMap(
    ({ path }) => known.find((place) => path === '.' || place.path.startsWith(`${path}/`)) ?? [],
  );
  const text = `From the top down the layers of the code are ${listNames(listed, listed.length)}.`;
  return [{ text, sources: [...new Set(inLayers)].slice(0, 2).map((layer) => cite.head(layer)) }];
}

/** A package with the others of the repository that it imports, and those that import it. */
export function packageSentence(
  { name, path, files, imports, importedBy }: PackageLinks,
  purpose: string | undefined,
  sources: Sentence['sources'],
): Sentence {
  const used = imports.map((one) => `${one.name} (${counted(one.lines.length, 'file')})`);
  const says = [
    used.length === 0 ? 'imports no other package of the repository' : `imports ${joinWords(used)}`,
    importedBy.length === 0 ? 'none imports it' : `is imported by ${joinWords(importedBy)}`,
  ];
  const linked = says.join(importedBy.length === 0 ? ', and ' : ' and ');
  const text = `${name} (${path}, ${counted(files, 'file')}) ${linked}.${quotePurpose(purpose)}`;
  return { text, sources };
}

/** The same in few words, of one among many packages. */
export function briefPackageSentence(
  { name, imports }: PackageLinks,
  purpose: string | undefined,
  sources: Sentence['sources'],
): Sentence {
  const used = imports.map((one) => one.name);
  const text = `${name} imports ${used.length === 0 ? 'none of them' : joinWords(used)}.${quotePurpose(purpose)}`;
  return { text, sources };
}

function quotePurpose(purpose: string | undefined): string {
  return purpose === undefined ? '' : ` Its manifest says: “${purpose}”.`;
}

/** Importers from which on a package is told to be what the others are built on. */
const LEAST_IMPORTERS = 3;

function isAlone({ imports, importedBy }: PackageLinks): boolean {
  return imports.length + importedBy.length === 0;
}

/** How many packages there are, which of them are built on none of the others, and on which none is built. */
export function packageCountSentence(packages: readonly PackageLinks[], sources: Sentence['sources']): Sentence[] {
  const linked = packages.filter((one) => !isAlone(one));
  const bases = linked.filter(({ imports }) => imports.length === 0).map(({ name }) => name);
  const tops = linked.filter(({ importedBy }) => importedBy.length === 0).map(({ name }) => name);
  const alone = packages.filter(isAlone).map(({ name }) => name);
  const [most] = packages.toSorted((a, b) => b.importedBy.length - a.importedBy.length);
  const count = most?.importedBy.length ?? 0;
  const says = [
    ...(most === undefined || count < LEAST_IMPORTERS ? [] : [`${count} of them import ${most.name}`]),
    ...(bases.length === 0
      ? []
      : [`${listNames(bases, MOST_FILES)} ${bases.length === 1 ? 'imports' : 'import'} none of the others`]),
    ...(tops.length === 0 ? [] : [`none imports ${listNames(tops, MOST_FILES)}`]),
    ...(alone.length === 0 ? [] : [`${listNames(alone, MOST_FILES)} ${alone.length === 1 ? 'stands' : 'stand'} alone`]),
  ];
  const text = `The repository has ${packages.length} packages${says.length === 0 ? '' : `; ${says.join('; ')}`}.`;
  return sources.length === 0 ? [] : [{ text, sources }];
}

/** A part of the repository, how many of the others it uses, and how many use it. */
interface End {
  name: string;
  uses: number;
  usedBy: number;
}

/** Which parts lie at the bottom and at the top, and which are linked with none, with the names that each sentence tells. */
export function endSentences(
  parts: readonly End[],
  unit: 'package' | 'folder',
  { isOfBottom, isOfTop }: { isOfBottom: boolean; isOfTop: boolean },
): { text: string; names: string[] }[] {
  const linked = parts.filter(({ uses, usedBy }) => uses + usedBy > 0);
  const bottom = linked.filter(({ uses }) => uses === 0).toSorted((a, b) => b.usedBy - a.usedBy);
  const top = linked.filter(({ usedBy }) => usedBy === 0).toSorted((a, b) => b.uses - a.uses);
  // A folder that nothing links is beside the code.
  const alone = unit === 'folder' ? [] : parts.filter(({ uses, usedBy }) => uses + usedBy === 0);
  const told = [
    {
      of: isOfBottom ? bottom : [],
      says: `Using no other ${unit}`,
      count: ({ usedBy }: End) => ` (used by ${usedBy})`,
    },
    { of: isOfTop ? top : [], says: `Used by no other ${unit}`, count: ({ uses }: End) => ` (using ${uses})` },
    { of: alone, says: `Neither using nor used by another ${unit}`, count: () => '' },
  ];
  return told
    .filter(({ of }) => of.length > 0)
    .map(({ of, says, count }) => ({
      text: `${says}: ${joinWords(of.map((part) => `${part.name}${count(part)}`))}.`,
      names: of.map(({ name }) => name),
    }));
}

export function layerSentence(cite: Citer, { path, files, uses }: MapEntry, source: CodePlace | undefined): Sentence {
  const used = uses.map((use) => `${use.path} (${counted(use.files, 'pair of files', 'pairs of files')})`);
  const text =
    used.length === 0
      ? `${path} (${counted(files, 'file')}) uses no other folder.`
      : `${path} (${counted(files, 'file')}) uses ${listNames(used, 4)}.`;
  return { text, sources: source === undefined ? [] : [cite.head(source)] };
}

/** Where the program is entered, and why that is known. */
export function entrySentence(cite: Citer, { path, line, symbol, reason }: MapEntry, head?: CodePlace): Sentence[] {
  if (head === undefined) return [];
  const name = symbol === undefined || symbol === '' ? path : `\`${symbol}\` (${path}:${line})`;
  return [{ text: `${name} is an entry point${reason === '' ? '' : `: ${reason}`}.`, sources: [cite.place(head)] }];
}
