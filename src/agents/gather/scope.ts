import { z } from 'zod';
import { scopeWordsOf } from '../question/scope-words.ts';
import { type MapEntry, readMap } from './structure.ts';
import type { Tools } from './tools.ts';

/** The part of a repository that a question is narrowed to. */
export interface Scope {
  /** Folders from the root, each once; '' never. */
  folders: readonly string[];
  /** The same as other calls take it: a folder, or a glob of several. */
  path: string;
  /** As an answer tells it. */
  name: string;
}

/** What a question narrows itself to. */
export interface ReadScope {
  /** Undefined when it is about all of the repository. */
  scope: Scope | undefined;
  /** Words that name a part that there is none of. */
  unknown: readonly string[];
  /** How a word was read that has several meanings. */
  readings: readonly string[];
}

/** Folders that have a word as their last name among which one is chosen. */
const MOST_ALIKE = 4;
/** Letters that a word and the folder that abbreviates it have in common at least. */
const LEAST_ABBREVIATED = 4;
/** The part that others are built on, in plain words. */
const CORE = /^core$/i;

/** Finds the folders and packages that a question names. A call for the map, and one for each word that is none of it. */
export async function readScope(tools: Tools, question: string): Promise<ReadScope> {
  const asked = scopeWordsOf(question);
  if (asked.length === 0) return { scope: undefined, unknown: [], readings: [] };
  const { repo, rows } = await readMap(tools);
  const finder = new FolderFinder(tools, repo, rows);
  const folders: string[] = [];
  const unknown: string[] = [];
  for (const { phrase, words, isCertain, isOfKind } of asked) {
    const found = await finder.find(words, folders, isOfKind);
    if (found === undefined && isCertain) unknown.push(phrase);
    if (found !== undefined && found !== '.') folders.push(found);
  }
  return { scope: scopeOf(folders), unknown, readings: finder.readings };
}

/** The narrowest of the folders: `themes` of `assets` and not all of that. */
function scopeOf(found: readonly string[]): Scope | undefined {
  const distinct = [...new Set(found)];
  const folders = distinct.filter((path) => !distinct.some((other) => other.startsWith(`${path}/`)));
  const [first] = folders;
  if (first === undefined) return undefined;
  return {
    folders,
    path: folders.length === 1 ? first : `{${folders.join(',')}}`,
    name: folders.join(' and '),
  };
}

/** Whether a file lies in what a question is narrowed to; every one does where it is not narrowed. */
export function isInScope(scope: Scope | undefined, path: string): boolean {
  return scope === undefined || scope.folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

const Nothing = z.unknown();

/** Finds folders by what a question calls them, in the map of a repository. */
export class FolderFinder {
  readonly readings: string[] = [];
  readonly #tools: Tools;
  readonly #repo: string;
  readonly #known: { packages: readonly { name: string; path: string }[]; folders: readonly string[] };

  constructor(tools: Tools, repo: string, rows: readonly MapEntry[]) {
    this.#tools = tools;
    this.#repo = repo;
    this.#known = {
      // A package that tests are made with is not the one that is asked about.
      packages: rows
        .filter(({ part, role }) => part === 'packages' && role !== 'test')
        .map(({ package: name = '', path }) => ({ name, path })),
      folders: rows.filter(({ part, path }) => part === 'layers' && path !== '.').map(({ path }) => path),
    };
  }

  /** The folder that one of some words names; '.' for the repository itself; undefined when none does. */
  async find(words: readonly string[], parents: readonly string[], isOfKind = false): Promise<string | undefined> {
    for (const word of words) {
      const found =
        this.#package(word, isOfKind) ??
        this.#folder(word) ??
        (await this.#kept(word, parents)) ??
        this.#abbreviated(word);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A word that is the name of the repository and of a package means the package where the question says that it is one. */
  #package(word: string, isOfKind: boolean): string | undefined {
    const { packages } = this.#known;
    const lower = word.toLowerCase();
    const named = packages.find(({ name, path }) => path !== '.' && name.toLowerCase() === lower);
    const isRepository = lower === this.#repo.toLowerCase();
    if (named !== undefined && !(isRepository && !isOfKind)) return named.path;
    if (named !== undefined)
      this.readings.push(`“${word}” was read as the repository, not as its package ${named.path}`);
    if (isRepository) return '.';
    if (packages.some(({ name, path }) => path === '.' && name.toLowerCase() === lower)) return '.';
    const short = packages.filter(({ name }) => name.toLowerCase().endsWith(`/${lower}`));
    if (short.length === 1) return short[0]?.path;
    const own = packages.find(({ name, path }) => path !== '.' && name.toLowerCase() === this.#repo.toLowerCase());
    if (!CORE.test(word) || own === undefined) return undefined;
    this.readings.push(
      `“${word}” was read as the package ${own.name} (${own.path}), which the repository is called after`,
    );
    return own.path;
  }

  #folder(word: string): string | undefined {
    const lower = word.toLowerCase();
    const alike = this.#withParents().filter(
      (path) => path.toLowerCase() === lower || path.toLowerCase().endsWith(`/${lower}`),
    );
    const [first, second] = alike.toSorted((a, b) => depthOf(a) - depthOf(b));
    if (first === undefined) return undefined;
    if (second !== undefined && depthOf(second) === depthOf(first)) {
      this.readings.push(`“${word}” may be ${alike.slice(0, MOST_ALIKE).join(', ')}: a path would tell which`);
      return undefined;
    }
    if (second !== undefined) this.readings.push(`“${word}” was read as ${first}, not as ${second}`);
    return first;
  }

  /** The one folder that is called by the beginning of a word: `conf` for the configuration. */
  #abbreviated(word: string): string | undefined {
    const lower = word.toLowerCase();
    const alike = this.#withParents().filter((path) => {
      const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
      return name.length >= LEAST_ABBREVIATED && name.length < lower.length && lower.startsWith(name);
    });
    const highest = Math.min(...alike.map(depthOf));
    const [found, other] = alike.filter((path) => depthOf(path) === highest);
    if (found === undefined || other !== undefined) return undefined;
    this.readings.push(`“${word}” was read as ${found}`);
    return found;
  }

  /** The folders of the map with those that they lie in. */
  #withParents(): string[] {
    const all = this.#known.folders.flatMap((path) => {
      const parts = path.split('/');
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    });
    return [...new Set(all)];
  }

  /** A folder of files that are no code: of the root, or of what was found before. Its history has it. */
  async #kept(word: string, parents: readonly string[]): Promise<string | undefined> {
    for (const path of [...parents.map((parent) => `${parent}/${word}`), word]) {
      const found = await this.#tools.ask('commit-tool', { action: 'search', path, limit: 1 }, Nothing);
      if (found !== undefined && found.total > 0) return path;
    }
    return undefined;
  }
}

/** Folders that a path has. */
function depthOf(path: string): number {
  return path.split('/').length;
}
