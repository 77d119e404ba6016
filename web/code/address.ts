/** A file, folder or symbol in an address: `mail@3316dc92f01a/src/send.ts`. */
export interface SourceAddress {
  repo: string;
  /** Branch, tag or commit; '' for what the index holds now. */
  ref: string;
  /** '' for the root. */
  path: string;
}

/** Lines, 1-based and inclusive. */
export interface LineRange {
  from: number;
  to: number;
}

/** So much of a commit's id names it for good. */
const SHOWN_ID = 12;

/** Reads what follows `/r/` or `/s/`; undefined when it names no repository. A slash in a ref is written `%2F`. */
export function readSourceAddress(text: string): SourceAddress | undefined {
  const at = text.indexOf('@');
  if (at < 1) return undefined;
  const remainder = text.slice(at + 1);
  const slash = remainder.indexOf('/');
  const ref = slash === -1 ? remainder : remainder.slice(0, slash);
  const path = slash === -1 ? '' : remainder.slice(slash + 1).replace(/\/+$/, '');
  return { repo: text.slice(0, at), ref: ref.replaceAll('%2F', '/').replaceAll('%25', '%'), path };
}

/** The inverse of `readSourceAddress`. */
export function writeSourceAddress({ repo, ref, path }: SourceAddress): string {
  return `${repo}@${ref.replaceAll('%', '%25').replaceAll('/', '%2F')}${path === '' ? '' : `/${path}`}`;
}

/** The address as it is in a link. */
export function addressPath(address: SourceAddress): string {
  const segments = writeSourceAddress(address).split('/');
  return segments.map((segment) => encodeURIComponent(segment).replaceAll('%40', '@')).join('/');
}

/** Reads `L10` and `L10-20`, with `L` before the second number or not; undefined for anything else. */
export function readLines(hash: string): LineRange | undefined {
  const [, first = '', last = first] = /^#?L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? [];
  if (first === '' || Number(first) === 0) return undefined;
  const [from = 1, to = from] = [Number(first), Number(last)].toSorted((a, b) => a - b);
  return { from, to };
}

/** `L10`, `L10-20`. */
export function writeLines({ from, to }: LineRange): string {
  return from === to ? `L${from}` : `L${from}-${to}`;
}

export function shortId(commit: string): string {
  return commit.slice(0, SHOWN_ID);
}

/** A ref as addresses have it: the id of a commit is shortened. */
export function shownRef(ref: string): string {
  return /^[0-9a-f]{40,64}$/.test(ref) ? shortId(ref) : ref;
}

/** The folder of a path. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
