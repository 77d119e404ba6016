import { type CodePlace, filePlace, readSymbol } from './gather/code.ts';
import { headOf, importLine, readLayers, readMap } from './gather/structure.ts';
import type { Inquiry } from './inquiry.ts';
import { introduce } from './prose/code.ts';
import { listNames, type Paragraph, type Sentence } from './prose/prose.ts';
import { entrySentence, layerSentence, orderSentence } from './prose/structure.ts';

/** The layers from the top down, the folders with those that they use, where the program is entered, and its central symbols. */
export async function tellLayers({ tools, cite, most, named: [place], scope, gaps }: Inquiry): Promise<Paragraph[]> {
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
