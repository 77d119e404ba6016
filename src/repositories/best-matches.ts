import { fullNameOf } from './source/source.ts';
import type { RepositoryRow } from './store.ts';

/** Rules by which a reference matches a repository, the strictest first. */
const WAYS: ((row: Named, reference: string) => boolean)[] = [
  (row, reference) => row.id === reference,
  (row, reference) => row.name === reference,
  (row, reference) => isSame(row.name, reference),
  (row, reference) => row.url === addressOf(reference),
  (row, reference) => row.fullName !== null && isSame(row.fullName, ownerAndName(reference)),
];

type Named = Pick<RepositoryRow, 'id' | 'name' | 'fullName' | 'url'>;

/**
 * The repositories that a reference means: by id, else by name, else by name in another case, else by its
 * folder or address, else by `owner/name`. Several
 * only where the same way fits several.
 */
export function bestMatches<Row extends Named>(rows: readonly Row[], reference: string): Row[] {
  for (const fits of WAYS) {
    const matches = rows.filter((row) => fits(row, reference));
    if (matches.length > 0) return matches;
  }
  return [];
}

/** A folder or an address as repositories keep it: without a slash at the end. */
export function addressOf(reference: string): string {
  return reference.trim().replace(/(?<=.)\/+$/, '');
}

/** `owner/name` of what people write for it: an address with or without its protocol, a `.git` at the end. */
export function ownerAndName(reference: string): string {
  const text = addressOf(reference).replace(/\.git$/, '');
  const isAddress = /^[\w-]+(?:\.[\w-]+)+\/[^/]+\/[^/]+$/.test(text);
  return fullNameOf(isAddress ? `https://${text}` : text) ?? text;
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
