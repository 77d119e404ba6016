import { languageOf } from '../../languages/languages.ts';
import { dirnameOf } from '../program/paths.ts';
import { unpackIds } from '../format/store-codec.ts';
import type { BaseShard } from './base-shard.ts';
import type { Mentions } from './mentions.ts';

/** Pattern of what precedes a part of a specifier: a quote, or the part before. */
const BEFORE_PART = /^['"`/@#~$]$/;
/** The file that a specifier of its folder means. */
const FOLDER_FILE = 'index';

/** Old ids of the files to which a change may matter. */
export interface ImportingFiles {
  /** Files of which an import leads to a new file now. */
  redirected: ReadonlySet<number>;
  /** These, and all that come to one of them or to a changed file by imports, in any number of steps. */
  all: ReadonlySet<number>;
}

interface Parts {
  base: BaseShard;
  mentions: Mentions;
  /** The texts that say where modules are. */
  configs: ReadonlyMap<string, string>;
  /** True if a specifier in a file, by its old id, means a path now. */
  means: (specifier: string, file: number, path: string) => boolean;
}

/**
 * The files that see the names of changed files, for languages with `seesByImport`. `files` are the old ids of files that changed
 * or are gone, `added` are new paths. Undefined when it cannot be decided.
 */
export function importingFiles(
  { files, added }: { files: readonly number[]; added: readonly string[] },
  parts: Parts,
): ImportingFiles | undefined {
  const redirected = new Set<number>();
  for (const path of added) if (!addRedirected(redirected, path, parts)) return undefined;
  const all = new Set([...files, ...redirected]);
  const importers = importersOf(parts.base);
  for (const file of all) {
    const parser = parts.base.files[file]?.parser || undefined;
    // The names of this one are those of every file.
    if (parser !== undefined && languageOf(parser).isAmbient === true) return undefined;
    for (const importer of importers.get(file) ?? []) all.add(importer);
  }
  return { redirected, all };
}

/** The files that import a file, by that. */
function importersOf(base: BaseShard): Map<number, number[]> {
  const importers = new Map<number, number[]>();
  const links = base.rows<[number, Uint8Array]>('select file, imports from link where imports is not null');
  for (const [file, imports] of links) {
    for (const imported of unpackIds(imports)) {
      const existing = importers.get(imported);
      if (existing === undefined) importers.set(imported, [file]);
      else existing.push(file);
    }
  }
  return importers;
}

/** Adds the files with a specifier that means a new path. False when that cannot be decided. */
function addRedirected(affected: Set<number>, path: string, { base, mentions, configs, means }: Parts): boolean {
  const folder = dirnameOf(path);
  const name = withoutEndings(path.slice(folder === '' ? 0 : folder.length + 1));
  const parts = [name];
  if (name === FOLDER_FILE) {
    parts.push(folder.slice(folder.lastIndexOf('/') + 1));
    // `.` and `..` name nothing.
    for (const file of base.files) if (folder === '' || file.path.startsWith(`${folder}/`)) affected.add(file.id);
  }
  for (const part of parts.filter((segment) => segment !== '')) {
    // A configuration may give a file any specifier.
    if ([...configs.values()].some((text) => namesInPath(text, part))) return false;
    const files = mentions.of(part, ({ file, text, at }) => {
      const specifier = specifierAt(text, at);
      return specifier !== undefined && means(specifier, file, path);
    });
    if (files === undefined) return false;
    for (const file of files) affected.add(file);
  }
  return true;
}

/** True if a configuration has a part in a path, and not as a key. */
function namesInPath(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const tail = text.slice(at + part.length, at + part.length + 20);
    if (/^["'/]$/.test(text.charAt(at - 1)) && /^["'./]/.test(tail) && !/^["']\s*:/.test(tail)) return true;
  }
  return false;
}

/** The specifier of which a part stands at a place of a text, whose characters are bytes. */
function specifierAt(text: string, at: number): string | undefined {
  if (!BEFORE_PART.test(text.charAt(at - 1))) return undefined;
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  const opening = Math.max(...['"', "'", '`'].map((quote) => line.lastIndexOf(quote)));
  if (opening < 0) return undefined;
  const start = at - line.length + opening;
  const closing = text.indexOf(text.charAt(start), start + 1);
  return closing < 0 ? undefined : Buffer.from(text.slice(start + 1, closing), 'latin1').toString();
}

function withoutEndings(name: string): string {
  const end = name.indexOf('.', 1);
  return end < 0 ? name : name.slice(0, end);
}
