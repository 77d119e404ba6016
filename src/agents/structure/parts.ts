import { type CodePlace, filePlace, readSymbol } from '../gather/code.ts';
import { isType } from '../gather/around.ts';
import { readPackages } from '../gather/imports.ts';
import { isBesideProgram } from '../gather/plain-parts.ts';
import { findEdgeLine, headOf, importLine, type MapEntry, readLayers, readMap } from '../gather/structure.ts';
import type { Tools } from '../gather/tools.ts';
import type { Inquiry } from './inquiry.ts';
import type { Citer } from '../prose/cite.ts';
import { introduce } from '../prose/code.ts';
import { listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { entrySentence, layerSentence, orderSentence } from '../prose/structure.ts';
import { tellPackages } from './packages.ts';

/** The packages with what each imports of the others, or the layers from the top down with the folders that they use; where the program is entered, and its central types. */
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
  if (packages.length > 0) return tellPackages(inquiry, repo, packages);
  const layers = rows.filter(({ part }) => part === 'layers').slice(0, most + 2);
  const known = await readCentral(tools, repo, rows, most);
  const begins = await entrySentences(inquiry, repo, rows);
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
    { sentences: begins, isList: true },
    { sentences: known.filter(({ doc }) => doc !== '').flatMap((symbol) => introduce(cite, symbol)), isList: true },
  ];
}

/** Where the program is entered. */
export async function tellEntries(inquiry: Inquiry): Promise<Paragraph[]> {
  const { repo, rows } = await readMap(inquiry.tools, inquiry.scope?.path);
  return [{ sentences: await entrySentences(inquiry, repo, rows), isList: true }];
}

/** What ships is entered before what builds it or shows how it is used. */
async function entrySentences(
  { tools, cite, most }: Inquiry,
  repo: string,
  rows: readonly MapEntry[],
): Promise<Sentence[]> {
  const entries = rows
    .filter(({ part, line }) => part === 'entries' && line !== undefined)
    .toSorted((a, b) => Number(isBesideProgram(a.path)) - Number(isBesideProgram(b.path)))
    .slice(0, most);
  const heads = await Promise.all(entries.map(({ path, line = 1 }) => headOf(tools, repo, path, line)));
  return entries.flatMap((entry, at) => entrySentence(cite, entry, heads[at]));
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
