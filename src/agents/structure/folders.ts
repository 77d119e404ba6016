import { z } from 'zod';
import { counted } from '../../kernel/counted.ts';
import { isTestPath } from '../../languages/languages.ts';
import { type CodePlace, filePlace, findNamed } from '../gather/code.ts';
import { isComment } from '../gather/lines.ts';
import { type MapEntry, readMap } from '../gather/structure.ts';
import type { Tools } from '../gather/tools.ts';
import type { Citer } from '../prose/cite.ts';
import type { Paragraph, Sentence } from '../prose/prose.ts';

const Line = z.looseObject({ path: z.string(), line: z.number(), text: z.string() });
/** A line that makes a file depend on something, in any language. */
const IMPORT = '(\\b(import|from|require|use|using|include|require_once)\\b|^\\s*")';

/**
 * The folders that a question means by plain words, in its order: a word is the path or the last part of exactly one folder of
 * the map.
 */
function foldersNamed(words: string, folders: readonly MapEntry[]): MapEntry[] {
  const found = (words.toLowerCase().match(/[\w./-]+/g) ?? []).flatMap((word) => {
    const name = word.replaceAll(/^[./]+|[./]+$/g, '');
    const meant = folders.filter(({ path }) => {
      const lower = path.toLowerCase();
      return lower === name || lower.endsWith(`/${name}`);
    });
    return meant.length === 1 ? meant : [];
  });
  return [...new Set(found)];
}

/**
 * Whether each of the two folders that a question names in plain words uses the other, with an import as the source; undefined
 * where it names no two. 2 to 7 calls.
 */
export async function tellFolders(tools: Tools, cite: Citer, words: string): Promise<Paragraph[] | undefined> {
  const { repo, rows } = await readMap(tools);
  const [first, second] = foldersNamed(
    words,
    rows.filter(({ part }) => part === 'layers'),
  );
  if (first === undefined || second === undefined) return undefined;
  const sentences = await Promise.all([
    tellUse(tools, cite, { repo, from: first, to: second }),
    tellUse(tools, cite, { repo, from: second, to: first }),
  ]);
  return [{ sentences }];
}

async function tellUse(
  tools: Tools,
  cite: Citer,
  { repo, from, to }: { repo: string; from: MapEntry; to: MapEntry },
): Promise<Sentence> {
  const use = from.uses.find(({ path }) => path === to.path);
  const last = to.path.slice(to.path.lastIndexOf('/') + 1).replaceAll(/\W/g, '.');
  const found =
    (use && (await findLine(tools, from.path, `${IMPORT}.*\\b${last}\\b`))) ??
    (await findLine(tools, from.path, IMPORT)) ??
    (await findLine(tools, from.path, '\\S'));
  const sources = found === undefined ? [] : [cite.place(filePlace(repo, found.path, found.line, found.text))];
  return use === undefined
    ? { text: `No file of ${from.path} depends on one of ${to.path}.`, sources }
    : {
        text: `${from.path} depends on ${to.path} (${counted(use.files, 'pair of files', 'pairs of files')}).`,
        sources,
      };
}

/**
 * The files of the types that a question means by plain words (`the client`, `policies`), in its order, at most two: a word is the
 * name of a type outside of tests. Up to four calls.
 */
export async function findTypes(tools: Tools, words: string): Promise<CodePlace[]> {
  const nouns = [...words.matchAll(/\b(?:the|an?|or|and|each) ([a-z]{3,})\b/gi)].map(([, noun = '']) =>
    noun.toLowerCase(),
  );
  const found = await Promise.all([...new Set(nouns)].slice(0, MOST_NOUNS).map((noun) => findType(tools, noun)));
  const files = found.flatMap((place) => (place === undefined ? [] : [place]));
  return files.filter(({ path }, at) => files.findIndex((file) => file.path === path) === at).slice(0, 2);
}

const MOST_NOUNS = 4;

async function findType(tools: Tools, noun: string): Promise<CodePlace | undefined> {
  const name =
    noun.charAt(0).toUpperCase() +
    noun
      .slice(1)
      .replace(/ies$/, 'y')
      .replace(/([^s])s$/, '$1');
  const places = await findNamed(tools, name);
  const type = places.find((place) => isType(place) && !isTestPath(place.path));
  return type && { ...filePlace(type.repo, type.path, type.start, type.body), end: type.end };
}

/** Whether a place declares a type. */
export function isType({ kind }: Pick<CodePlace, 'kind'>): boolean {
  return TYPES.has(kind);
}

const TYPES = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'type', 'protocol', 'object']);

type Line = z.output<typeof Line>;

/** The first line of code of a folder, outside of tests, that fits: a licence has words of imports too. */
async function findLine(tools: Tools, path: string, query: string): Promise<Line | undefined> {
  const asked = { action: 'grep', query, path, tests: 'exclude', limit: MOST_LINES };
  const found = await tools.ask('code-tool', asked, Line);
  return found?.rows.find(({ text }) => !isComment(text));
}

const MOST_LINES = 20;
