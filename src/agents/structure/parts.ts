import { type CodePlace, filePlace, readSymbol, searchCode } from '../gather/code.ts';
import { isType } from '../gather/around.ts';
import { readPackages } from '../gather/imports.ts';
import { PartFinder } from '../gather/part-finder.ts';
import { isBesideProgram } from '../gather/plain-parts.ts';
import { findEdgeLine, importLine } from '../gather/depending-line.ts';
import { headOf, type MapEntry, readLayers, readMap } from '../gather/structure.ts';
import type { Tools } from '../gather/tools.ts';
import type { Inquiry } from './inquiry.ts';
import type { Citer } from '../prose/cite.ts';
import { listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { endSentences, entrySentence, layerSentence, orderSentence } from '../prose/structure.ts';
import { asks } from '../question/kinds.ts';
import { describedBy, whichOf } from '../question/phrases.ts';
import { parseQuestion } from '../question/question.ts';
import { tellPackages } from './packages.ts';

/** The packages with what each imports of the others, or the layers from the top down with the folders that they use; then which of them does what the question asks for. */
export async function tellLayers(inquiry: Inquiry): Promise<Paragraph[]> {
  const {
    tools,
    cite,
    most,
    scope,
    named: [place],
    gaps,
  } = inquiry;
  const folder = place?.symbol === '' ? place.path : scope?.path;
  const { repo, rows } = await readMap(tools, folder);
  gaps.push('what the main parts are is read from folders, packages and imports');
  const packages = folder === undefined ? await readPackages(tools, rows) : [];
  if (packages.length > 0) {
    const told = await tellPackages(inquiry, repo, packages);
    return [...told, ...(await tellWhich(inquiry, repo, rows))];
  }
  const folders = rows.filter(({ part }) => part === 'layers');
  const ends = await tellFolderEnds(inquiry, repo, folders);
  if (ends.length > 0) return [{ sentences: ends, isList: ends.length > 1 }];
  const layers = folders.slice(0, most + 2);
  const known = await readCentral(tools, repo, rows, most);
  const told = await Promise.all(layers.map((layer) => tellLayer({ tools, cite, repo }, layer, known)));
  const back = layers.flatMap((a) =>
    layers.filter((b) => a.path < b.path && uses(a, b.path) && uses(b, a.path)).map((b) => `${a.path} and ${b.path}`),
  );
  if (back.length > 0)
    gaps.push(
      `folders that use each other, so that neither is a layer below the other: ${listNames(back, MOST_MUTUAL)}`,
    );
  return [
    { sentences: folder === undefined ? await tellOrder({ tools, cite, repo, most }, known) : [] },
    { sentences: told.filter((sentence) => sentence.sources.length > 0), isList: true },
    ...(await tellWhich(inquiry, repo, rows)),
  ];
}

/** The folders that use none of the others, or that none uses, where a question asks for these; nothing where it does not. */
async function tellFolderEnds(
  { tools, cite, question }: Inquiry,
  repo: string,
  folders: readonly MapEntry[],
): Promise<Sentence[]> {
  const asked = { isOfBottom: asks('bottom', question.words), isOfTop: asks('top', question.words) };
  if (!asked.isOfBottom && !asked.isOfTop) return [];
  const ends = folders.map(({ path, uses: used }) => ({
    name: path,
    uses: used.length,
    usedBy: folders.filter((other) => other.path !== path && uses(other, path)).length,
  }));
  const sentences = await Promise.all(
    endSentences(ends, 'folder', asked).map(async ({ text, names: [first = ''] }) => {
      const user = folders.find((other) => other.path !== first && uses(other, first))?.path;
      const [from, to] =
        user === undefined ? [first, folders.find(({ path }) => path === first)?.uses[0]?.path] : [user, first];
      const line = to === undefined ? undefined : await findEdgeLine(tools, from, to);
      return { text, sources: line === undefined ? [] : [cite.head(filePlace(repo, line.path, line.line, line.text))] };
    }),
  );
  return sentences.filter(({ sources }) => sources.length > 0);
}

/** Which part does what a question asks for behind the parts: `and which one sends the emails?` */
async function tellWhich(
  { tools, cite, question }: Inquiry,
  repo: string,
  rows: readonly MapEntry[],
): Promise<Paragraph[]> {
  const told: Paragraph[] = [];
  for (const asked of whichOf(question.words)) {
    const phrase = describedBy(asked);
    const part = phrase && (await new PartFinder(tools, { repo, rows }).find(phrase));
    if (part === undefined) continue;
    const hits = await searchCode(tools, parseQuestion(asked));
    const [hit] = hits.filter(({ path }) => path === part.path || path.startsWith(`${part.path}/`));
    if (hit === undefined) continue;
    const also = part.others.length === 0 ? '' : `, or ${listNames(part.others, part.others.length)}`;
    const text = `What ${asked}: most likely ${part.path}${also}.`;
    told.push({ sentences: [{ text, sources: [cite.head(hit)] }] });
  }
  return told;
}

/** Where the program is entered. */
export async function tellEntries(inquiry: Inquiry): Promise<Paragraph[]> {
  const { repo, rows } = await readMap(inquiry.tools, inquiry.scope?.path);
  return [{ sentences: await entrySentences(inquiry, repo, rows), isList: true }];
}

/** What ships is entered before what builds it or shows how it is used. */
async function entrySentences(
  { tools, cite, most, question }: Inquiry,
  repo: string,
  rows: readonly MapEntry[],
): Promise<Sentence[]> {
  const entries = rows
    .filter(({ part, line }) => part === 'entries' && line !== undefined)
    .toSorted((a, b) => rankOf(a, repo) - rankOf(b, repo));
  // Who asks where a program starts does not ask how a library is imported.
  const programs = entries.filter(({ reason }) => reason !== 'package');
  const shown = (programs.length > 0 && !LIBRARY.test(question.words) ? programs : entries).slice(0, most);
  const heads = await Promise.all(shown.map(({ path, line = 1 }) => headOf(tools, repo, path, line)));
  return shown.flatMap((entry, at) => entrySentence(cite, entry, heads[at]));
}

const LIBRARY = /\b(?:library|packages?|modules?|imported|entry ?points?)\b/i;

/** The script that is called like the repository first, what is beside the program last. */
function rankOf({ path, reason }: MapEntry, repo: string): number {
  if (isBesideProgram(path)) return 2;
  return reason.toLowerCase() === `script ${repo.toLowerCase()}` ? 0 : 1;
}

/** Pairs of folders that use each other that are named. */
const MOST_MUTUAL = 3;

/** The types that most depend on, or the functions where there are no two types. */
async function readCentral(tools: Tools, repo: string, rows: readonly MapEntry[], most: number): Promise<CodePlace[]> {
  const symbols = rows.filter(({ part, qualified }) => part === 'symbols' && qualified !== undefined);
  const types = symbols.filter(isType);
  const central = (types.length > 1 ? types : symbols).slice(0, most);
  const read = await Promise.all(
    central.map(({ qualified = '', path }) => readSymbol(tools, { repo, symbol: qualified, path })),
  );
  return read.filter((symbol) => symbol !== undefined);
}

/** What a folder uses, with a line by which it uses what it uses most. */
async function tellLayer(
  { tools, cite, repo }: { tools: Tools; cite: Citer; repo: string },
  layer: MapEntry,
  known: readonly CodePlace[],
): Promise<Sentence> {
  const [first] = layer.uses;
  const line = first === undefined ? undefined : await findEdgeLine(tools, layer.path, first.path);
  const edge = line && filePlace(repo, line.path, line.line, line.text);
  return layerSentence(cite, layer, edge ?? known.find((symbol) => symbol.path.startsWith(`${layer.path}/`)));
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
