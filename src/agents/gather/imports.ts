import { z } from 'zod';
import { definitionOf, isTestPath } from '../../languages/languages.ts';
import type { MapEntry } from './structure.ts';
import type { Tools } from './tools.ts';

const Line = z.looseObject({ path: z.string(), line: z.number(), text: z.string() });

/** A line of a file that imports a package. */
export interface ImportLine {
  path: string;
  line: number;
  text: string;
}

/** The first line of each file outside of tests that imports a package by its name, of at most 100 lines. One call. */
export async function findImports(tools: Tools, name: string): Promise<ImportLine[]> {
  const word = name.replaceAll(/[^\w]/g, '.');
  const query = [
    String.raw`^\s*(?:pub\s+)?(?:use|import|from|using|extern crate)\s+["']?${word}(?:[^\w-]|$)`,
    String.raw`\b(?:from|import)\s*\(?\s*["']${word}["'/]`,
    String.raw`\brequire\(\s*["']${word}["'/]`,
    String.raw`^\s*(?:\w+ )?"(?:[\w.-]+/)+${word}"`,
    String.raw`^#include\s*[<"]${word}(?:[^\w-]|$)`,
  ].join('|');
  const found = await tools.ask('code-tool', { action: 'grep', query, tests: 'exclude', limit: 100 }, Line);
  const lines = (found?.rows ?? []).filter(({ path }) => !isTestPath(path) && isCode(path));
  return lines.filter(({ path }, at) => lines.findIndex((line) => line.path === path) === at);
}

/** Documents quote imports, and make none. */
function isCode(path: string): boolean {
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
}

/** Packages beyond which a repository is told by its folders. */
const MOST_PACKAGES = 16;
/** What is kept beside the code has manifests too. */
const ASIDE = /(?:^|\/)(?:tests?|testdata|fixtures?|examples?|samples?|demos?|website|docs?|node_modules)(?:\/|$)/i;

/** The packages of a repository with what each imports of the others by name; none where it has fewer than two. One call a package. */
export async function readPackages(tools: Tools, rows: readonly MapEntry[]): Promise<PackageLinks[]> {
  const packages = rows
    .filter(({ part, path, role }) => part === 'packages' && path !== '.' && role !== 'test' && !ASIDE.test(path))
    .flatMap(({ package: name, path, files, manifest }) =>
      name === undefined ? [] : [{ name, path, files, manifest }],
    );
  if (packages.length < 2 || packages.length > MOST_PACKAGES) return [];
  const imported = await Promise.all(packages.map(({ name }) => findImports(tools, name)));
  const ownerOf = (file: string): string | undefined =>
    packages.filter(({ path }) => file.startsWith(`${path}/`)).toSorted((a, b) => b.path.length - a.path.length)[0]
      ?.name;
  const linksOf = (from: string): PackageLinks['imports'] =>
    packages.flatMap(({ name }, at) => {
      const lines = (imported[at] ?? []).filter(({ path }) => name !== from && ownerOf(path) === from);
      return lines.length === 0 ? [] : [{ name, lines }];
    });
  const links = packages.map((one) => ({ ...one, imports: linksOf(one.name) }));
  return links.map((one) => ({
    ...one,
    importedBy: links.filter(({ imports }) => imports.some(({ name }) => name === one.name)).map(({ name }) => name),
  }));
}
