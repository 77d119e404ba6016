import { isAbsolute } from 'node:path';
import { ServiceError } from '../../kernel/errors.ts';
import { checkHost } from '../../platform/net-addresses.ts';

/** Origin of a repository, as the user gave it. */
type Source =
  | { kind: 'path'; path: string }
  /** `url` is what git is given and what is shown; `location` is the same for two spellings of one address. */
  | { kind: 'url'; url: string; location: string; names: readonly string[]; fullName: string | undefined };

/** Rules for the addresses that may be added. */
export interface SourcePolicy {
  /** True if folders of this machine may be added: only where the user of the service is the user of the machine. */
  allowsFiles: boolean;
  /** Hosts that may lie in a private network and may be reached over plain http; lower case. */
  privateHosts: ReadonlySet<string>;
}

const SCP_LIKE = /^(?<user>[\w.-]+)@(?<host>\w[\w.-]*|\[[0-9a-f:.]+\]):(?!\/\/)(?<path>[^\s]+)$/i;
/** A program of git's that would fetch: `ext::sh -c …`. */
const HELPER = /^([\w+.-]*)::/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** The policy that the settings of the service make. */
export function sourcePolicy(config: { localRepositories: boolean; privateHosts: readonly string[] }): SourcePolicy {
  return { allowsFiles: config.localRepositories, privateHosts: new Set(config.privateHosts) };
}

/**
 * Reads a path or address: `https://host/owner/name`, `ssh://git@host/owner/name`, `git@host:owner/name`, `file:///path`
 * and absolute paths, the last two only when `allowsFiles`; `http:` for hosts of `privateHosts`. Nothing is resolved:
 * what a name leads to is checked when it is fetched.
 *
 * @throws ServiceError `bad_argument` for other protocols, relative paths, IP addresses of private networks, and
 * addresses with a password or token in them: they would end up in logs and process lists.
 */
export function parseSource(text: string, policy: SourcePolicy): Source {
  const source = readSource(text, policy);
  if (source.kind === 'path') return source;
  const { protocol, hostname } = new URL(source.location);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (protocol !== 'file:' && !policy.privateHosts.has(host)) checkHost(host);
  return source;
}

function readSource(text: string, { allowsFiles, privateHosts }: SourcePolicy): Source {
  const source = text.trim();
  if (source === '' || /\p{Cc}/u.test(source))
    throw unusableSource('The address of the repository is empty or contains control characters.');
  const scp = SCP_LIKE.exec(source)?.groups;
  if (scp !== undefined) return remote(source, `ssh://${scp['host']}/${scp['path']}`);
  const helper = HELPER.exec(source)?.[1];
  if (helper !== undefined) throw refusedProtocol(helper);
  if (SCHEME.test(source)) return parseUrl(source, { allowsFiles, privateHosts });
  if (!allowsFiles) throw noFolders();
  if (!isAbsolute(source)) throw unusableSource(`"${source}" is neither an address nor an absolute path.`);
  return { kind: 'path', path: source };
}

/** `owner/name` at the end of an address, or undefined. Of an address with credentials too: they are not in the result. */
export function fullNameOf(url: string): string | undefined {
  const path = SCP_LIKE.exec(url)?.groups?.['path'] ?? (URL.canParse(url) ? new URL(url).pathname : '');
  const [owner, name] = segments(path).slice(-2);
  return owner === undefined || name === undefined ? undefined : `${owner}/${name}`;
}

/** Names made of letters, digits and `._-`: the last part of a path or address, and the same with the part before it, if any. */
export function namesFrom(path: string): readonly string[] {
  const [last = '', before] = segments(path).toReversed();
  const name = nameOf(last);
  return before === undefined ? [name] : [name, `${nameOf(before)}/${name}`];
}

function nameOf(segment: string): string {
  const name = segment.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return Array.from(name === '' ? 'repository' : name)
    .slice(0, 80)
    .join('');
}

function parseUrl(text: string, { allowsFiles, privateHosts }: SourcePolicy): Source {
  if (!URL.canParse(text)) throw unusableSource('This address cannot be read.');
  const url = new URL(text);
  const protocol = url.protocol.slice(0, -1);
  const isPlain = protocol === 'http' && privateHosts.has(url.hostname.replace(/^\[|\]$/g, ''));
  if (protocol !== 'https' && protocol !== 'ssh' && !isPlain && !(protocol === 'file' && allowsFiles))
    throw refusedProtocol(protocol);
  // git reads escapes in the host of an ssh address, other programs do not.
  if (/%/.test(url.hostname)) throw unusableSource('This address cannot be read.');
  if (url.password !== '' || (url.username !== '' && protocol !== 'ssh'))
    throw unusableSource(
      `The address of ${url.host}${url.pathname} contains credentials.`,
      'Remove them; set up a git credential helper for the user that runs the service, or use an ssh address.',
    );
  url.search = '';
  url.hash = '';
  if (segments(url.pathname).length === 0) throw unusableSource(`"${url.href}" names a host but no repository.`);
  return remote(url.href.replace(/\/+$/, ''), `${url.protocol}//${url.host}${url.pathname}`);
}

function remote(url: string, address: string): Source {
  const { protocol, host, pathname } = new URL(address);
  const path = segments(pathname).join('/');
  // GitHub and its like take any case in a path; others do not, so only the host is lowered (by URL).
  const location = `${protocol}//${host}/${path}`;
  return {
    kind: 'url',
    url,
    location,
    names: namesFrom(path),
    fullName: protocol === 'file:' ? undefined : fullNameOf(address),
  };
}

/** Parts of a path without the ending `.git`. */
function segments(path: string): string[] {
  return path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '');
}

export function noFolders(): ServiceError {
  return unusableSource(
    'This service does not read folders of the machine it runs on.',
    'Use an https or ssh address instead of a path, or ask whoever runs the service to set SVC_LOCAL_REPOSITORIES=yes.',
  );
}

function refusedProtocol(protocol: string): ServiceError {
  return unusableSource(`Repositories cannot be fetched over "${protocol.slice(0, 20)}".`);
}

function unusableSource(
  message: string,
  fix = 'Use https://host/owner/name, ssh://git@host/owner/name, git@host:owner/name, or an absolute path.',
): ServiceError {
  return new ServiceError('bad_argument', message, { fix });
}
