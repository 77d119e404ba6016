import { z } from 'zod';
import { partsOf } from '../../kernel/terms.ts';
import { isTestPath } from '../../languages/languages.ts';
import { partWordsOf } from '../question/part-words.ts';
import type { Phrase } from '../question/phrases.ts';
import { parseQuestion } from '../question/question.ts';
import { searchCode } from './code.ts';
import { isCode, readPurposes } from './imports.ts';
import { type Candidate, type Ranked, rankParts } from './rank-parts.ts';
import { findHotspots, type MapEntry } from './structure.ts';
import type { Tools } from './tools.ts';

/** A part of a repository that words of a question mean. */
export interface Part {
  /** From the root; '.' for all of it. */
  path: string;
  kind: Candidate['kind'];
  /** By its very name, by words that are like it, or only because a search for the words leads there. */
  how: 'named' | 'alike' | 'searched';
  /** What may be meant as well. */
  others: readonly string[];
}

/** With less of the words a name is not taken for what is meant. */
const LEAST_SCORE = 0.5;
/** What is no further behind may be meant as well. */
const AS_GOOD = 0.05;
/** Share of what a search finds that lies in one file or folder, so that it is taken for what is meant. */
const LEAST_FOUND = 0.45;
const HITS_LOOKED_AT = 10;
/** Share of the words that what is found says at least. */
const LEAST_SAID = 0.5;
const MOST_FILES = 100;
const MOST_OTHERS = 3;
const EVER = '100y';
/** The part that others are built on, in plain words. */
const CORE = /^(?:core|framework|library|engine)$/i;

const Nothing = z.unknown();

/** Finds the parts of a repository that words mean. */
export class PartFinder {
  readonly #tools: Tools;
  readonly #repo: string;
  readonly #packages: readonly { name: string; path: string; manifest: string }[];
  readonly #folders: readonly string[];

  constructor(tools: Tools, { repo, rows }: { repo: string; rows: readonly MapEntry[] }) {
    this.#tools = tools;
    this.#repo = repo;
    // A package that tests are made with is not the one that is asked about.
    this.#packages = rows
      .filter(({ part, role }) => part === 'packages' && role !== 'test')
      .map(({ package: name = '', path, manifest }) => ({ name, path, manifest }));
    this.#folders = rows.filter(({ part, path }) => part === 'layers' && path !== '.').map(({ path }) => path);
  }

  /** The part that a phrase means; '.' for the repository; undefined when there is none. Two to six calls. */
  async find(phrase: Phrase, parents: readonly string[] = [], outside?: string): Promise<Part | undefined> {
    const named = this.#named(phrase);
    if (named !== undefined) return named;
    const found = await this.#found(phrase);
    const candidates = await this.#candidates(phrase, found);
    const apart = candidates.filter(({ path }) => outside === undefined || !isWithin(path, outside));
    const ranked = rankParts(phrase, apart, this.#repo);
    const [first] = ranked;
    if (first !== undefined && first.score >= LEAST_SCORE) {
      const part = partOf(first, ranked);
      // A name that several bear tells none of them apart.
      return part.others.length < MOST_OTHERS ? part : (searched(found) ?? part);
    }
    const own = phrase.words.some((word) => CORE.test(word)) ? this.#own() : undefined;
    return own ?? (await this.#kept(phrase, parents)) ?? searched(found);
  }

  /** The repository, or a package or folder by all of its name or path. */
  #named({ text, words, kind }: Phrase): Part | undefined {
    const [word, other] = words;
    if (word === undefined || other !== undefined) return undefined;
    const lower = word.toLowerCase().replaceAll(/^[./]+|\/+$/g, '');
    const isRepository = lower === this.#repo.toLowerCase();
    const of = this.#packages.filter(
      ({ name }) => name.toLowerCase() === lower || name.toLowerCase() === text.toLowerCase(),
    );
    const [own] = of.filter(({ path }) => path !== '.');
    if (own !== undefined && !(isRepository && kind !== 'package')) return namedPart(own.path, 'package');
    if (isRepository || of.length > 0)
      return { ...namedPart('.', 'package'), ...(own !== undefined && { how: 'alike', others: [own.path] }) };
    const folder = this.#withParents().find((path) => lower.includes('/') && path.toLowerCase() === lower);
    return folder === undefined ? undefined : namedPart(folder, 'folder');
  }

  /** The package that the repository is called after. */
  #own(): Part | undefined {
    const own = this.#packages.find(
      ({ name, path }) => path !== '.' && name.toLowerCase() === this.#repo.toLowerCase(),
    );
    return own && { path: own.path, kind: 'package', how: 'alike', others: [] };
  }

  /** The files that a search for the words finds, the best first, of those that have half of the words at least. */
  async #found({ text, words }: Phrase): Promise<string[]> {
    const hits = await searchCode(this.#tools, parseQuestion(text));
    const asked = partWordsOf(text, words);
    return hits
      .slice(0, HITS_LOOKED_AT)
      .filter((hit) => {
        const said = new Set(partsOf(`${hit.path} ${hit.symbol} ${hit.doc} ${hit.body}`));
        const has = asked.filter(({ stems }) => stems.some((stem) => said.has(stem)));
        return has.length >= LEAST_SAID * asked.length;
      })
      .map(({ path }) => path)
      .filter((path) => !isTestPath(path) && isCode(path));
  }

  async #candidates(phrase: Phrase, found: readonly string[]): Promise<Candidate[]> {
    const manifests = this.#packages.filter(({ path, manifest }) => path !== '.' && manifest !== '');
    const says = manifests.length === 0 ? undefined : await readPurposes(this.#tools, manifests);
    const files = await this.#filesLike(phrase);
    const packages = this.#packages.filter(({ path }) => path !== '.');
    const areas = new Set(packages.map(({ path }) => path));
    const folders = [...new Set([...this.#withParents(), ...files.flatMap(foldersAround)])].filter(
      (path) => !areas.has(path),
    );
    const at = { name: '', says: '' };
    return [
      ...packages.map(({ name, path, manifest }) => ({
        path,
        kind: 'package' as const,
        name,
        says: says?.get(manifest)?.says ?? '',
        found: shareIn(found, path),
      })),
      ...folders.map((path) => ({ ...at, path, kind: 'folder' as const, found: shareIn(found, path) })),
      ...[...new Set([...files, ...found])].map((path) => ({
        ...at,
        path,
        kind: 'file' as const,
        found: shareIn(found, path),
      })),
    ];
  }

  /** Files of code of which a name on their path may stand for one of the words. */
  async #filesLike({ text, words }: Phrase): Promise<string[]> {
    const stems = partWordsOf(text, words).flatMap(({ stems: own }) => own);
    const globs = [...new Set(stems)].filter((stem) => /^\w{2,}$/.test(stem)).flatMap(globsOf);
    if (globs.length === 0) return [];
    const { rows } = await findHotspots(this.#tools, { path: `{${globs.join(',')}}`, since: EVER, limit: MOST_FILES });
    return rows.map(({ path }) => path).filter(isCode);
  }

  /** The folders of the map with those that they lie in. */
  #withParents(): string[] {
    return [...new Set(this.#folders.flatMap((path) => [...foldersAround(path), path]))];
  }

  /** A folder of files that are no code: of the root, or of what was found before. Its history has it. */
  async #kept({ words }: Phrase, parents: readonly string[]): Promise<Part | undefined> {
    for (const word of words.toReversed())
      for (const path of [...parents.map((parent) => `${parent}/${word}`), word]) {
        const found = await this.#tools.ask('commit-tool', { action: 'search', path, limit: 1 }, Nothing);
        if (found !== undefined && found.total > 0) return namedPart(path, 'folder');
      }
    return undefined;
  }
}

function namedPart(path: string, kind: Part['kind']): Part {
  return { path, kind, how: 'named', others: [] };
}

/** The best candidate, with those beside it that are as good. */
function partOf(first: Ranked, ranked: readonly Ranked[]): Part {
  const others = ranked
    .filter(({ path }) => !isWithin(path, first.path) && !isWithin(first.path, path))
    // What bears the very name is meant before what only contains it, or bears it deeper down.
    .filter(({ isNamed, path, score }) =>
      first.isNamed
        ? isNamed && depthOf(path) <= depthOf(first.path) && score > LEAST_SCORE
        : first.score - score < AS_GOOD,
    )
    .map(({ path }) => path);
  const how = first.isNamed && others.length === 0 ? 'named' : 'alike';
  return { path: first.path, kind: first.kind, how, others: others.slice(0, MOST_OTHERS) };
}

function isWithin(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`);
}

/** The file in which most of what a search finds lies, else the folder. */
function searched(found: readonly string[]): Part | undefined {
  const folders = [...new Set(found.map((path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))))];
  const areas: Part[] = [
    ...[...new Set(found)].map((path) => ({ path, kind: 'file' as const, how: 'searched' as const, others: [] })),
    ...folders.map((path) => ({ path, kind: 'folder' as const, how: 'searched' as const, others: [] })),
  ];
  return areas.find(({ path }) => path !== '' && shareIn(found, path) >= LEAST_FOUND);
}

/** What share of some files lies at a path; the first count most. */
function shareIn(files: readonly string[], path: string): number {
  const sum = files.reduce((all, _, at) => all + 1 / (at + 1), 0);
  const own = files.reduce(
    (all, file, at) => (file === path || file.startsWith(`${path}/`) ? all + 1 / (at + 1) : all),
    0,
  );
  return sum === 0 ? 0 : own / sum;
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Where a stem stands in the name of a file or of a folder around it; a short one only at its beginning. */
function globsOf(stem: string): string[] {
  const [first = ''] = stem;
  const either = `[${first}${first.toUpperCase()}]${stem.slice(1)}`;
  const within = stem.length < 4 ? either : `*${either}`;
  return [`**/${within}*`, `**/${within}*/**`];
}
