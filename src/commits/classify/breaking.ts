import { basename } from 'node:path';
import { definitionOf } from '../../languages/languages.ts';
import { isPathOf, pathKind } from '../../kernel/path-kinds.ts';
import { parseHeader } from './classify-header.ts';

/**
 * True if the exports of a file are the interface of a library. `offered` are entry files of packages and the files that these
 * re-export whole: in JavaScript only they count, in Python and Rust everything beside the top module of a package. Go, Java
 * and similar languages have no entries: everything outside of tests and internal folders counts; of C the headers below
 * `include/`.
 */
export function isPublicPath(path: string, offered: ReadonlySet<string>): boolean {
  if (isPathOf('internal', path)) return false;
  const { publicFiles, packageFile, offersAllButPrivate } = definitionOf(path) ?? {};
  if (publicFiles === undefined && packageFile === undefined) return offered.has(path);
  if (pathKind(path) !== 'source') return false;
  if (packageFile === undefined) return publicFiles === 'all' || publicFiles?.test(path) === true;
  return (
    isBeside(path, offered, basename(packageFile)) && !(offersAllButPrivate === true && isPrivate(path, packageFile))
  );
}

function isPrivate(path: string, packageFile: string): boolean {
  return path.split('/').some((part) => part.startsWith('_') && part !== packageFile);
}

/** True if a path lies in the folder of an offered file of this name, or below it. */
function isBeside(path: string, offered: ReadonlySet<string>, name: string): boolean {
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1))
    if (offered.has(`${path.slice(0, end + 1)}${name}`)) return true;
  return offered.has(name);
}

/**
 * A sign that a commit breaks something: `prefix` its subject (`feat!: …`, `BREAKING: …`), `footer` a line `BREAKING CHANGE: …`
 * of its message, `removed_export` the exported names that it removed.
 */
export type BreakingSign = 'prefix' | 'footer' | 'removed_export';

/** Returns the signs in its message that a commit breaks something. */
export function breakingSigns(subject: string, body: string): BreakingSign[] {
  return [
    ...(parseHeader(subject, '').breaking ? ['prefix' as const] : []),
    ...(parseHeader('', body).breaking ? ['footer' as const] : []),
  ];
}

/** An exported name that a commit took away. `* of ./module` is everything that a module handed on. */
export interface RemovedExport {
  path: string;
  name: string;
}

/** Names in a text: all are counted. */
const MOST_NAMED = 5;

/** `send, deliver and 3 more`; a name that several files lost is told once. */
export function removedNames(removed: readonly RemovedExport[]): string {
  const names = [...new Set(removed.map(({ name }) => name.replace(/^\* of /, 'all of ')))];
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
