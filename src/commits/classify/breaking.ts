import { parseHeader } from './classify-header.ts';

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
