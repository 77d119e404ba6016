import { isAbsolute, resolve } from 'node:path';

/** A repository's source as the service takes it: URLs and scp-like addresses as they are, paths whole. */
export function sourceOf(text: string, cwd: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  // `git@host:owner/name`, unless it is a path: a colon after the first slash, or a drive letter.
  if (!isAbsolute(text) && /^[^/\\]+@?[^/\\]*[^/\\:]{2,}:(?!\\)/.test(text)) return text;
  return resolve(cwd, text);
}
