import { isAbsolute, resolve } from 'node:path';
import { locateRepository, resolveTip } from '../platform/git/git-refs.ts';
import { parseSource, type SourcePolicy } from '../repositories/source/source.ts';

/** A repository's source as the service takes it: URLs and scp-like addresses as they are, paths whole. */
export function sourceOf(text: string, cwd: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  // `git@host:owner/name`, unless it is a path: a colon after the first slash, or a drive letter.
  if (!isAbsolute(text) && /^[^/\\]+@?[^/\\]*[^/\\:]{2,}:(?!\\)/.test(text)) return text;
  return resolve(cwd, text);
}

/**
 * The source as a repository is known by it: of a folder the top of its checkout. An address is only read, not reached.
 *
 * @throws ServiceError as adding it would: the folder, its repository or a first commit is missing, the address cannot be used.
 */
export async function checkSource(source: string, policy: SourcePolicy): Promise<string> {
  const parsed = parseSource(source, policy);
  if (parsed.kind === 'url') return parsed.url;
  const { gitDir, root } = await locateRepository(parsed.path);
  await resolveTip(gitDir, root);
  return root;
}

/** True if two sources are the same folder, or addresses of the same repository in two spellings. */
export function isSameSource(left: string, right: string): boolean {
  return normalizeSource(left) === normalizeSource(right);
}

function normalizeSource(source: string): string {
  try {
    const parsed = parseSource(source, { allowsFiles: true, privateHosts: new Set() });
    return parsed.kind === 'url' ? parsed.location : parsed.path;
  } catch {
    // Not every service reads it: it is the same as itself.
    return source;
  }
}

/**
 * True if two sources are one repository, however it is reached: a clone by ssh of what the service fetches by https, with or
 * without a user, a token or a port in its address.
 */
export function isSameRepository(left: string, right: string): boolean {
  return originOf(left) === originOf(right);
}

/** Host and path of an address, in small letters, as most hosts compare them; a folder as its path. */
function originOf(source: string): string {
  const [, scpHost, scpPath] = /^(?:[^/\\@:]+@)?([^/\\:@]{2,}):(?!\/\/)(.+)$/.exec(source) ?? [];
  const url = scpHost === undefined ? URL.parse(source) : URL.parse(`ssh://${scpHost}/${scpPath}`);
  if (url === null || url.protocol === 'file:')
    return trimPath(url === null ? source : decodeURIComponent(url.pathname));
  return trimPath(`${url.hostname}/${url.pathname}`).toLowerCase();
}

function trimPath(path: string): string {
  return path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
}

/** An address without the user and the secret in it, as it may be printed. */
export function withoutCredentials(source: string): string {
  const url = URL.parse(source);
  if (url === null || url.protocol === 'ssh:' || (url.username === '' && url.password === '')) return source;
  url.username = '';
  url.password = '';
  return url.href;
}
