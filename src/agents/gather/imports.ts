import { z } from 'zod';
import { definitionOf, isTestPath } from '../../languages/languages.ts';
import { isComment } from './lines.ts';
import { type Declaration, readDeclarations } from './manifests.ts';
import type { MapEntry } from './structure.ts';
import type { Tools } from './tools.ts';

const Line = z.looseObject({ path: z.string(), line: z.number(), text: z.string() });

/** A line of a file that imports a package. */
export interface ImportLine {
  path: string;
  line: number;
  text: string;
}

/** Pages of lines that are read: a package that all others import is imported by hundreds. */
const MOST_PAGES = 5;

/** The first line of each file outside of tests that imports a package by its name, of at most 500 lines; all of it, or within a path. One to five calls. */
export async function findImports(tools: Tools, name: string, inside?: string): Promise<ImportLine[]> {
  const word = name.replaceAll(/[^\w]/g, '.');
  const query = [
    String.raw`^\s*(?:pub\s+)?(?:use|import|from|using|extern crate)\s+["']?${word}(?:[^\w-]|$)`,
    String.raw`\b(?:from|import)\s*\(?\s*["']${word}["'/]`,
    String.raw`\brequire\(\s*["']${word}["'/]`,
    String.raw`^\s*(?:\w+ )?"(?:[\w.-]+/)+${word}"`,
    String.raw`^#include\s*[<"]${word}(?:[^\w-]|$)`,
  ].join('|');
  const within = inside === undefined ? {} : { path: inside };
  const args = { action: 'grep', query, tests: 'exclude', limit: 100, ...within };
  const all: z.output<typeof Line>[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const found = await tools.ask('code-tool', { ...args, ...(cursor !== undefined && { cursor }) }, Line);
    all.push(...(found?.rows ?? []));
    cursor = found?.next;
    if (cursor === undefined) break;
  }
  const lines = all.filter(({ path }) => !isTestPath(path) && isCode(path));
  return lines.filter(({ path }, at) => lines.findIndex((line) => line.path === path) === at);
}

/** Documents quote imports, and make none. */
export function isCode(path: string): boolean {
  const language = definitionOf(path);
  return language !== undefined && language.isProse !== true && language.declaresData !== true;
}

/** A package of the repository, and the others of it that it imports. */
export interface PackageLinks {
  name: string;
  path: string;
  files: number;
  manifest: string;
  /** The files of this one that import the other, by their first lines. */
  imports: readonly { name: string; lines: readonly ImportLine[] }[];
  importedBy: readonly string[];
  /** Packages of the repository of which it takes another version than lies there. */
  others: readonly Declaration[];
}

/** Packages beyond which a repository is told by its folders. */
const MOST_PACKAGES = 30;
/** What is kept beside the code has manifests too. */
const ASIDE =
  /(?:^|\/)(?:tests?|testdata|fixtures?|examples?|samples?|demos?|[\w-]+-(?:demo|example)|templates|starters|playgrounds?|bench(?:es|marks?)?|e2e|website|site|docs?|node_modules)(?:\/|$)/i;

/** What configures the tools that build a package is no part of it, either. */
const BESIDE_CODE = new RegExp(String.raw`${ASIDE.source}|[\w-]\.config\.\w+$|(?:^|\/)build\.rs$`, 'i');

/** The packages of a repository with what each imports of the others by name; none where it has fewer than two. One call a package. */
export async function readPackages(tools: Tools, rows: readonly MapEntry[]): Promise<PackageLinks[]> {
  const own = rows
    .filter(({ part, path, role }) => part === 'packages' && path !== '.' && role !== 'test' && !ASIDE.test(path))
    .flatMap(({ package: name, path, files, manifest }) =>
      name === undefined ? [] : [{ name, path, files, manifest }],
    );
  // A manifest within a package may repeat its name.
  const packages = own.filter(({ name }, at) => own.findIndex((one) => one.name === name) === at);
  if (packages.length < 2 || packages.length > MOST_PACKAGES) return [];
  // Examples beside the packages import them too, and would take the lines that are looked at.
  const within = `{${packages.map(({ path }) => path).join(',')}}`;
  const imported = await Promise.all(packages.map(({ name }) => findImports(tools, name, within)));
  const ownerOf = (file: string): string | undefined =>
    packages.filter(({ path }) => file.startsWith(`${path}/`)).toSorted((a, b) => b.path.length - a.path.length)[0]
      ?.name;
  const declared = (await readDeclarations(tools, packages)) ?? [];
  const isKnown = knownLinks(packages, rows, declared);
  const linksOf = (from: string): PackageLinks['imports'] =>
    packages.flatMap(({ name }, at) => {
      if (name === from || !isKnown(from, name)) return [];
      const lines = (imported[at] ?? []).filter(
        ({ path, text }) => ownerOf(path) === from && !BESIDE_CODE.test(path) && !isComment(text),
      );
      return lines.length === 0 ? [] : [{ name, lines }];
    });
  const links = packages.map((one) => ({
    ...one,
    imports: linksOf(one.name),
    others: declared.filter(({ from, otherVersion }) => from === one.name && otherVersion !== ''),
  }));
  // Where the code lies in a package of the root, those below it that nothing links are beside it.
  const isBeside = rows.some(({ part, path }) => part === 'packages' && path === '.');
  if (isBeside && links.every(({ imports }) => imports.length === 0)) return [];
  return links.map((one) => ({
    ...one,
    importedBy: links.filter(({ imports }) => imports.some(({ name }) => name === one.name)).map(({ name }) => name),
  }));
}

/**
 * Whether one package may import another: what a comment, a text or a fixture imports is no import. Where manifests declare packages
 * of the repository they decide, else the links that the index knows between the layers of two packages; a layer may hold several, of
 * which it tells nothing apart.
 */
function knownLinks(
  packages: readonly { name: string; path: string }[],
  rows: readonly MapEntry[],
  declared: readonly Declaration[],
): (from: string, to: string) => boolean {
  if (declared.length > 0) {
    return (from, to) => declared.some((one) => one.from === from && one.to === to && one.otherVersion === '');
  }
  const layers = rows.filter(({ part }) => part === 'layers');
  const layerOf = (name: string): string | undefined => {
    const area = packages.find((one) => one.name === name)?.path ?? '';
    const around = layers.filter((layer) => layer.path === area || area.startsWith(`${layer.path}/`));
    return around.toSorted((a, b) => b.path.length - a.path.length)[0]?.path;
  };
  const isLinked = layers.some(({ uses }) => uses.length > 0);
  return (from, to) => {
    const [own, other] = [layerOf(from), layerOf(to)];
    if (!isLinked || own === undefined || other === undefined || own === other) return true;
    return layers.some((layer) => layer.path === own && layer.uses.some((use) => use.path === other));
  };
}

const PURPOSE = /description"?\s*[:=]\s*"(?<says>[^"]+)"/;

/** What the manifests of packages say that each is for, by the path of the manifest. One call. */
export async function readPurposes(
  tools: Tools,
  packages: readonly { manifest: string }[],
): Promise<Map<string, ImportLine & { says: string }>> {
  const path = `{${packages.map(({ manifest }) => manifest).join(',')}}`;
  const asked = { action: 'grep', query: String.raw`^\s*"?description"?\s*[:=]\s*"`, path, limit: 100 };
  const found = await tools.ask('code-tool', asked, Line);
  return new Map(
    (found?.rows ?? []).flatMap(({ path: manifest, line, text }) => {
      const says = PURPOSE.exec(text)?.groups?.['says'];
      return says === undefined ? [] : [[manifest, { path: manifest, line, text, says }] as const];
    }),
  );
}
