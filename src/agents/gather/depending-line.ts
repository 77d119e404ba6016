import { z } from 'zod';
import { Edge, pathOf, rowsOf } from './structure.ts';
import type { Tools } from './tools.ts';

const Line = z.looseObject({ path: z.string(), start: z.number(), body: z.string().default('') });

/** The lines of a file that name another one: the import that makes it depend on it. */
export async function importLine(
  tools: Tools,
  from: string,
  to: string,
): Promise<{ path: string; line: number; text: string } | undefined> {
  const [file, target] = [pathOf(from), pathOf(to)];
  const read = await tools.ask('code-tool', { action: 'definition', query: `${file}:1-200` }, Line);
  const lines = (read?.rows[0]?.body ?? '').split('\n');
  for (const name of namesOf(target)) {
    const found = lines.flatMap((line, at) => (isImport(line) && line.includes(name) ? [{ line, at }] : []));
    // A package of another owner may be called like the last part of this one: `react` beside `@shop/react`.
    const best = found.find(({ line }) => isWithin(line, name)) ?? found[0];
    if (best !== undefined) return { path: file, line: best.at + 1, text: best.line };
  }
  return undefined;
}

/** What a file or folder is imported by. A file that stands for its folder has the name of that; so has every file where a language imports folders. */
function namesOf(target: string): string[] {
  const names = target
    .replace(/\.\w+$/, '')
    .split('/')
    .toReversed();
  const [stem = ''] = names;
  const told = names.filter((name) => !PLAIN.test(name));
  const isFile = /\.\w+$/.test(target);
  return told.slice(0, isFile && !PLAIN.test(stem) ? 2 : 1);
}

/** Whether a name is the end of a longer one in a line: `@shop/react`, `./react`, `shop.react`. */
function isWithin(line: string, name: string): boolean {
  return line.includes(`/${name}`) || line.includes(`.${name}`) || line.includes(`::${name}`);
}

function isImport(line: string): boolean {
  return IMPORTS.test(line) || IN_BLOCK.test(line);
}

const IMPORTS = /\b(?:import|from|require|use|include|using)\b/;
/** Names that say nothing of what a file or folder is. */
const PLAIN = /^(?:__init__|index|mod|lib|src)$/;

/** A line of a block of imports, as Go has them. */
const IN_BLOCK = /^\s+(?:[\w.]+ )?"[^"]+"$/;

const Symbol = z.looseObject({ id: z.string() });
const Hit = z.looseObject({ path: z.string(), line: z.number(), text: z.string() });
/** Names of a file that are looked for in another, the longest first: short ones are in many lines. */
const MOST_LOOKED_FOR = 30;

/** The first line of a file that names what another one declares: files of one package need no import. Two calls. */
async function namingLine(tools: Tools, from: string, to: string): Promise<z.output<typeof Hit> | undefined> {
  const declared = await tools.ask('code-tool', { action: 'outline', query: pathOf(to), limit: 100 }, Symbol);
  const names = (declared?.rows ?? []).flatMap(({ id }) => /^sym:(?:.*\/)?(\w+)@/.exec(id)?.[1] ?? []);
  if (names.length === 0) return undefined;
  const longest = names.toSorted((a, b) => b.length - a.length).slice(0, MOST_LOOKED_FOR);
  const query = `\\b(${longest.join('|')})\\b`;
  const found = await tools.ask('code-tool', { action: 'grep', query, path: pathOf(from), limit: 1 }, Hit);
  return found?.rows[0];
}

/** The line of a file that imports another one, else one that names what that declares. */
export async function dependingLine(tools: Tools, from: string, to: string): ReturnType<typeof importLine> {
  const line = await importLine(tools, from, to);
  const isOther = line !== undefined && isBeside(pathOf(from), pathOf(to)) && PACKAGE.test(line.text);
  return line === undefined || isOther ? namingLine(tools, from, to) : line;
}

/** A package in a block of imports: it may be called like a file of the folder, and is none. */
const PACKAGE = /^\s+(?:[\w.]+ )?"\w+"$/;

function isBeside(a: string, b: string): boolean {
  return a.slice(0, a.lastIndexOf('/') + 1) === b.slice(0, b.lastIndexOf('/') + 1);
}

/** A line of the files that lie directly in a folder by which it depends on another folder. Two to three calls. */
export async function findEdgeLine(tools: Tools, from: string, to: string): ReturnType<typeof importLine> {
  const within = from === '.' ? '*' : `${from}/*`;
  const target = to === '.' ? '*' : `${to}/*`;
  const asked = { action: 'dependencies', query: within, path: target, kind: ['imports'], limit: 20 };
  const { rows } = await rowsOf(tools, 'code-tool', asked, Edge);
  // The file of a package is imported with each of its others, where a language says so: such a line says less.
  const edge = rows.find((one) => !IS_INDEX.test(pathOf(one.to))) ?? rows[0];
  return edge === undefined ? undefined : dependingLine(tools, edge.from, edge.to);
}

const IS_INDEX = /(?:^|\/)(?:__init__|index|mod|lib)\.\w+$/;
