import { spawn } from 'node:child_process';
import { ServiceError } from '../../kernel/errors.ts';
import { GitFailure, gitVersion, runGit, transferEnvironment } from './git.ts';
import { type LookUp, openAddresses } from '../net-addresses.ts';

/** The first git that can be held to addresses (`http.curloptResolve`). */
const PINNING_GIT = [2, 37] as const;
const MOST_REDIRECTS = 3;
const ASK_TIMEOUT_MS = 2 * 60_000;
/** `ssh -G` reads its settings and connects to nothing. */
const SSH_TIMEOUT_MS = 5_000;
/** Variable with the header of a credential. */
const CREDENTIAL = 'SVC_GIT_CREDENTIAL';
const DEFAULT_PORTS: Readonly<Record<string, string>> = { https: '443', http: '80', ssh: '22' };
const SCP_LIKE = /^(?:(?<user>[^@/:\s]+)@)?(?<host>[\w.-]+|\[[0-9a-f:.]+\]):(?!\/\/|:)/i;

/** What git shows to addresses that begin with `address`, which ends with a slash, where a password is asked for. */
export interface GitCredential {
  address: string;
  user: string;
  password: string;
}

/** Rules for the repositories that may be fetched. */
export interface RoutePolicy {
  /** Shown over http and https. */
  credential?: GitCredential | undefined;
  /** `file:` addresses are allowed only where the service reads this machine's folders anyway. */
  allowFile: boolean;
  /** Hosts that may be in a private network and may be reached over plain http; lower case. */
  privateHosts: ReadonlySet<string>;
  /** Resolves names; as the system does when absent. */
  lookUp?: LookUp;
}

/** Route by which git reaches an address that was checked, and nothing else. */
interface GitRoute {
  /** The address itself, or where it redirects. */
  url: string;
  /** Arguments before the command: `-c` and its setting. */
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** A route that was tried. */
interface OpenRoute extends GitRoute {
  /** The branch ref that the other side calls HEAD; absent when it is empty or detached. */
  head?: string;
}

/** Parts of an address that decide the connection it needs. */
interface Endpoint {
  protocol: string;
  user: string | undefined;
  /** A name, or an IP address without brackets; lower case. */
  host: string;
  port: string;
}

/**
 * Checks where git would connect to for an address, and holds it there: names are resolved once, here; git is given the
 * addresses and follows no redirect. Those of the first answer are followed here, at most 3, each checked like the
 * address itself. Hosts of `privateHosts` are reached as they are.
 *
 * @throws ServiceError `bad_argument` for hosts in private networks and plain http, or when git is too old to be held;
 * `upstream_failed` when the name does not resolve; GitFailure when the other side cannot be asked.
 */
export async function routeTo(url: string, policy: RoutePolicy, signal?: AbortSignal): Promise<OpenRoute> {
  for (let [at, redirects] = [url, 0]; ; redirects += 1) {
    const route = await directRoute(at, policy, signal);
    try {
      const listing = await ask(route, signal);
      const head = /^ref: (refs\/heads\/\S+)\tHEAD$/m.exec(listing)?.[1];
      return head === undefined ? route : { ...route, head };
    } catch (error) {
      const isRedirect = error instanceof GitFailure && /returned error: 30[12378]/.test(error.stderr);
      if (!isRedirect || redirects === MOST_REDIRECTS) throw error;
      at = await redirectOf(route, signal);
    }
  }
}

async function ask({ url, args, env }: GitRoute, signal?: AbortSignal): Promise<string> {
  const options = { env, signal, timeoutMs: ASK_TIMEOUT_MS };
  return (await runGit([...args, 'ls-remote', '--symref', '--end-of-options', url, 'HEAD'], options)).toString();
}

async function directRoute(url: string, policy: RoutePolicy, signal?: AbortSignal): Promise<GitRoute> {
  const env = transferEnvironment(policy.allowFile);
  // Settings of the user may rewrite addresses (`url.<base>.insteadOf`): what counts is where git goes.
  const output = await runGit(['ls-remote', '--get-url', '--end-of-options', url], { env, signal });
  const endpoint = endpointOf(output.toString().trim());
  // git gets no protocol for an address that is not understood here; its error says how it reads the address.
  if (endpoint === undefined) return { url, args: [], env: { ...env, GIT_ALLOW_PROTOCOL: 'none' } };
  const { protocol, host } = endpoint;
  const held = { ...env, GIT_ALLOW_PROTOCOL: protocol };
  if (protocol === 'file') return { url, args: [], env: policy.allowFile ? held : env };
  if (protocol === 'ssh') return { url, args: [], env: await sshEnvironment(endpoint, held, policy) };
  const args = ['-c', 'http.followRedirects=false', ...credentialSetting(policy)];
  const shown = { ...held, ...(policy.credential && { [CREDENTIAL]: headerOf(policy.credential) }) };
  if (policy.privateHosts.has(host)) return { url, args, env: shown };
  if (protocol !== 'https') throw unencryptedHost(host);
  const addresses = await openAddresses(host, policy.lookUp);
  if (await canBeHeld()) args.push(...pinHost(endpoint, addresses));
  else if (!policy.allowFile) throw tooOld(host);
  return { url, args, env: shown };
}

/** Names the variable with the header: lists of processes show arguments. git sends it to addresses of the credential alone. */
function credentialSetting({ credential }: RoutePolicy): string[] {
  return credential === undefined ? [] : [`--config-env=http.${credential.address}.extraHeader=${CREDENTIAL}`];
}

function headerOf({ user, password }: GitCredential): string {
  return `Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Settings that make git reach a host at these addresses only, whatever its name resolves to by then. */
export function pinHost({ host, port }: Pick<Endpoint, 'host' | 'port'>, addresses: readonly string[]): string[] {
  const listed = addresses.map((address) => (address.includes(':') ? `[${address}]` : address)).join(',');
  // curl knows a name with a dot at its end by the name without.
  const names = new Set([host, host.replace(/\.$/, '')]);
  return [...names].flatMap((name) => ['-c', `http.curloptResolve=${name}:${port}:${listed}`]);
}

/** The protocol, host and port that git reads from an address; undefined for what is not reached over a network or by file. */
export function endpointOf(url: string): Endpoint | undefined {
  const scp = SCP_LIKE.exec(url)?.groups;
  if (scp !== undefined && !url.includes('://'))
    return { protocol: 'ssh', user: scp['user'], host: stripBrackets(scp['host'] ?? ''), port: '22' };
  if (!/^(https?|ssh|file):\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, username, hostname, port } = new URL(url);
  const name = protocol.slice(0, -1);
  // git reads escapes in a host, other programs do not.
  if (name !== 'file' && (hostname === '' || /[%\s]/.test(hostname + username))) return undefined;
  const user = username === '' ? undefined : username;
  return {
    protocol: name,
    user,
    host: stripBrackets(hostname),
    port: port === '' ? (DEFAULT_PORTS[name] ?? '') : port,
  };
}

/** Returns the target of the redirect of the first answer. git does not report it, so it is run again to log its headers. */
async function redirectOf(route: GitRoute, signal?: AbortSignal): Promise<string> {
  const { url } = route;
  const env = { ...route.env, GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' };
  const log = await ask({ ...route, env }, signal).catch((error: unknown) => {
    if (error instanceof GitFailure) return error.stderr;
    throw error;
  });
  const location = [...log.matchAll(/header: location:\s*(\S+)/gi)].at(-1)?.[1];
  const target = location === undefined ? null : URL.parse(location, url);
  // As git does it: the request must stay the same one, so that the part before it is the address.
  const base = target === null ? undefined : /^(https?:\/\/[^?#]+)\/info\/refs(\?|$)/.exec(target.href)?.[1];
  if (base !== undefined && target?.username === '' && target.password === '') return base;
  throw new ServiceError('upstream_failed', `${url} redirects to something that is not a repository.`, {
    fix: 'Use the address that a browser shows for the repository.',
  });
}

/**
 * The environment in which ssh reaches only the address that was checked. Its settings may name another host or a proxy
 * (`ProxyJump`): the user who runs the service set them up, so they are used as they are.
 */
async function sshEnvironment(
  endpoint: Endpoint,
  env: NodeJS.ProcessEnv,
  policy: RoutePolicy,
): Promise<NodeJS.ProcessEnv> {
  const command = await sshCommand(env);
  const settings = await sshSettings(command, endpoint);
  const host = stripBrackets(settings.get('hostname') ?? endpoint.host);
  if (policy.privateHosts.has(endpoint.host) || policy.privateHosts.has(host)) return env;
  const isThrough = ['proxyjump', 'proxycommand'].some((name) => (settings.get(name) ?? 'none') !== 'none');
  const [address = host] = isThrough ? [] : await openAddresses(host, policy.lookUp);
  if (isThrough) return env;
  const port = settings.get('port') ?? endpoint.port;
  // Keys of hosts are stored by name, which it does not see any more.
  const name = settings.get('hostkeyalias') ?? (port === '22' ? host : `[${host}]:${port}`);
  return { ...env, GIT_SSH_COMMAND: `${command} -o HostName=${address} -o HostKeyAlias=${name}` };
}

/** The command that git would run, for a shell. */
async function sshCommand(env: NodeJS.ProcessEnv): Promise<string> {
  const { GIT_SSH_COMMAND: given, GIT_SSH: program } = env;
  if (given !== undefined && given !== '') return given;
  const set = await runGit(['config', '--get', 'core.sshCommand'], { env }).catch(() => '');
  const configured = set.toString().trim();
  if (configured !== '') return configured;
  return program === undefined || program === '' ? 'ssh' : `'${program.replaceAll("'", String.raw`'\''`)}'`;
}

/** Reads the settings of ssh for a host; empty where another program than OpenSSH is used. */
function sshSettings(command: string, { user, host, port }: Endpoint): Promise<Map<string, string>> {
  const target = user === undefined ? host : `${user}@${host}`;
  const args = [...(port === '22' ? [] : ['-p', port]), '--', target];
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `${command} -G "$@"`, 'sh', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: SSH_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.on('error', () => resolve(new Map()));
    child.on('close', (code) => {
      const lines = code === 0 ? text.split('\n') : [];
      resolve(new Map(lines.map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)])));
    });
  });
}

async function canBeHeld(): Promise<boolean> {
  const [major = 0, minor = 0] = (await gitVersion()).split('.').map(Number);
  return major > PINNING_GIT[0] || (major === PINNING_GIT[0] && minor >= PINNING_GIT[1]);
}

function stripBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase();
}

function unencryptedHost(host: string): ServiceError {
  return new ServiceError('bad_argument', `The connection to ${host} would not be encrypted.`, {
    fix: `Use an https address. For a host in your own network, ask the operator of the service to add ${host} to SVC_PRIVATE_HOSTS.`,
  });
}

function tooOld(host: string): ServiceError {
  return new ServiceError(
    'bad_argument',
    `This version of git is too old to be limited to the checked addresses of ${host}.`,
    {
      fix: `Ask the operator of the service to install git ${PINNING_GIT.join('.')} or newer, or to add ${host} to SVC_PRIVATE_HOSTS.`,
    },
  );
}
