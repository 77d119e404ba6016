import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { byteSize, splitList, wholeNumber } from './config-schemas.ts';
import { ACCESS_VARIABLES } from './config-access.ts';
import { MAIL_VARIABLES } from './config-mail.ts';
import { BACKUP_VARIABLES } from './config-backup.ts';
import { BLOB_VARIABLES } from './config-blobs.ts';
import { MODEL_VARIABLES } from './config-models.ts';
import { QUOTA_VARIABLES } from './config-quotas.ts';
import { WATCH_VARIABLES } from './config-watch.ts';
import { ServiceError } from '../kernel/errors.ts';
import { DATA_DIR_VARIABLE, defaultDataDir } from './data-dir.ts';
import { LEAST_MEMORY_BYTES } from './memory.ts';
import { isSecretKey } from './secrets.ts';

/** Source of a value. A flag wins over the environment, the environment over the default. */
type ConfigSource = 'default' | 'env' | 'flag';

interface ComputedDefault {
  compute: (values: ReadonlyMap<string, unknown>) => string;
  /** The default as documents state it, which is the same on every machine. */
  described: string;
}

interface Variable<Schema extends z.ZodType = z.ZodType> {
  /** Name in the environment. */
  name: string;
  /** Reads the text of the environment or of the flag. */
  schema: Schema;
  /** Allowed values as the error names them: `a whole number from 0 to 65535`. */
  allowed: string;
  /** Text of the default, or how it follows from the machine or the values above it. Absent: no value. */
  fallback?: string | ComputedDefault;
  meaning: string;
  /** True if the value is never shown. */
  isSecret?: boolean;
  /** False where the values above it leave it without a use: the environment is not read then. */
  isUsed?(values: ReadonlyMap<string, unknown>): boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;
const CORES = availableParallelism();

/** Every variable of the service, in the order in which `svc doctor` prints them. A new one is added here only. */
const VARIABLES = {
  host: {
    name: 'SVC_HOST',
    schema: z.string().regex(/^[^\s/]+$/),
    allowed: 'an address or a host name',
    fallback: '127.0.0.1',
    meaning: 'Address to listen on. 0.0.0.0 means every network of the machine.',
  },
  port: {
    name: 'SVC_PORT',
    schema: wholeNumber(0, 65_535),
    allowed: 'a whole number from 0 to 65535',
    fallback: '4000',
    meaning: 'Port to listen on. 0 takes a free one.',
  },
  baseUrl: {
    name: 'SVC_BASE_URL',
    schema: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
    allowed: 'an http or https URL',
    fallback: {
      compute: (values) => `http://${reachableHost(String(values.get('host')))}:${String(values.get('port'))}`,
      described: 'http://127.0.0.1:4000',
    },
    meaning: 'Address under which people and clients reach the service, for example behind a proxy.',
  },
  allowedHosts: {
    name: 'SVC_ALLOWED_HOSTS',
    schema: z.string().transform(splitList),
    allowed: 'host names separated by commas',
    fallback: '',
    meaning:
      'Other host names that requests may use, and whose web pages may call /v1 with an API key. Localhost, SVC_HOST and the host of SVC_BASE_URL are always allowed.',
  },
  adminHost: {
    name: 'SVC_ADMIN_HOST',
    schema: z.string().regex(/^[^\s/]+$/),
    allowed: 'an address or a host name',
    fallback: '127.0.0.1',
    meaning: 'Address that the metrics listen on.',
  },
  adminPort: {
    name: 'SVC_ADMIN_PORT',
    schema: wholeNumber(0, 65_535),
    allowed: 'a whole number from 0 to 65535',
    fallback: '0',
    meaning: 'Port of the metrics (GET /metrics), which SVC_PORT never serves. 0 turns them off.',
  },
  dataDir: {
    name: DATA_DIR_VARIABLE,
    schema: z
      .string()
      .min(1)
      .transform((path) => resolve(path)),
    allowed: 'a folder',
    fallback: { compute: () => defaultDataDir(), described: 'svc in XDG_DATA_HOME; in a checkout of svc .svc-data' },
    meaning: 'Folder for all stored data: embedded database, repository mirrors, index shards.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    schema: z.url({ protocol: /^postgres(ql)?$/ }),
    allowed: 'a URL such as postgres://user:password@host:5432/database',
    meaning: 'PostgreSQL server. Without it the database is embedded and lives in SVC_DATA_DIR.',
  },
  ...BACKUP_VARIABLES,
  ...BLOB_VARIABLES,
  logLevel: {
    name: 'SVC_LOG_LEVEL',
    schema: z.enum(LOG_LEVELS),
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    fallback: 'info',
    meaning: 'Lowest level that the log writes. The log goes to standard error.',
  },
  logForm: {
    name: 'SVC_LOG',
    schema: z.enum(['text', 'json']),
    allowed: 'text or json',
    fallback: 'text',
    meaning: 'Format of the log: a line of text for people, or a line of JSON for programs.',
  },
  ssePostAuth: {
    name: 'SVC_SSE_POST_AUTH',
    schema: z.enum(['key', 'session']),
    allowed: 'key or session',
    fallback: 'key',
    meaning: 'What a message to an open MCP stream must carry: the API key, or only the id of the session.',
  },
  ...ACCESS_VARIABLES,
  ...QUOTA_VARIABLES,
  localRepositories: {
    name: 'SVC_LOCAL_REPOSITORIES',
    schema: z.enum(['yes', 'no']).transform((text) => text === 'yes'),
    allowed: 'yes or no',
    fallback: {
      compute: (values) => (isReachedFromHereAlone(values) ? 'yes' : 'no'),
      described: 'yes when no other machine reaches the service',
    },
    meaning:
      'Whether repositories may be folders on this machine. By default only when no other machine can reach the service.',
  },
  memoryBytes: {
    name: 'SVC_MEMORY',
    schema: byteSize(LEAST_MEMORY_BYTES),
    allowed: 'a size from 768MB on, such as 1GB or 1500MB',
    fallback: '1GB',
    meaning:
      'Memory of the process that serves, with all its threads; a process that indexes takes shares of the same size on top. Processes that read files have limits of their own.',
  },
  readerThreads: {
    name: 'SVC_READER_THREADS',
    schema: wholeNumber(1, 64),
    allowed: 'a whole number from 1 to 64',
    fallback: { compute: () => String(Math.min(4, Math.max(2, CORES - 1))), described: 'cores less one, 2 to 4' },
    meaning:
      'Most threads that answer queries from the index shards; SVC_MEMORY may allow fewer. Slow queries leave at least one free for the others.',
  },
  shardCacheBytes: {
    name: 'SVC_SHARD_CACHE_BYTES',
    schema: wholeNumber(1_000_000, Number.MAX_SAFE_INTEGER),
    allowed: 'a whole number of bytes, at least 1000000',
    fallback: '4000000000',
    meaning:
      'Disk space for indexes of the branches, tags and commits that calls ask for; beyond it, those unused for longest are deleted.',
  },
  extractProcesses: {
    name: 'SVC_EXTRACT_PROCESSES',
    schema: wholeNumber(1, 64),
    allowed: 'a whole number from 1 to 64',
    fallback: { compute: () => String(Math.max(1, Math.min(8, CORES - 1))), described: 'cores less one, at most 8' },
    meaning: 'Processes that parse source files while a repository is indexed.',
  },
  backgroundPriority: {
    name: 'SVC_BACKGROUND_PRIORITY',
    schema: wholeNumber(0, 19),
    allowed: 'a whole number from 0 to 19',
    fallback: '10',
    meaning:
      'How much indexing yields to other processes. Beside one busy process it gets half a core with 0, a tenth with 10 and hardly any with 19.',
  },
  fetchIntervalSeconds: {
    name: 'SVC_FETCH_INTERVAL_SECONDS',
    schema: wholeNumber(0, 31_536_000),
    allowed: 'a whole number of seconds',
    fallback: '300',
    meaning:
      'How often a repository by address is fetched; quiet ones that nobody asks about, and failing ones, less often. With 0 only webhooks and `svc repo index` fetch.',
  },
  exactPass: {
    name: 'SVC_EXACT_PASS',
    schema: z.enum(['on', 'off']),
    allowed: 'on or off',
    fallback: 'on',
    meaning: 'Whether the TypeScript compiler resolves names after each index run.',
  },
  smells: {
    name: 'SVC_SMELLS',
    schema: z
      .string()
      .regex(
        /^((complexity|long_function|many_parameters|deep_nesting|duplicate|cycle|large_file|god_class)=[1-9]\d{0,5}(,|$))*$/,
      ),
    allowed: 'smells with their thresholds, separated by commas, such as complexity=15,long_function=80',
    fallback: '',
    meaning: 'Thresholds of smells to change; the others keep their defaults (see docs/smells.md).',
  },
  secretKeys: {
    name: 'SVC_SECRET_KEY',
    schema: z
      .string()
      .transform(splitList)
      .refine((keys) => keys.every(isSecretKey)),
    allowed:
      'what `openssl rand -base64 32` prints; several keys separated by commas, with the one that encrypts first',
    meaning:
      'Key that encrypts the tokens of issue trackers and sources of signals, and the secrets of webhooks and authenticators. It replaces the key that the service creates in secret.key.',
    isSecret: true,
  },
  privateHosts: {
    name: 'SVC_PRIVATE_HOSTS',
    schema: z.string().transform((text) => splitList(text).map((host) => host.toLowerCase())),
    allowed: 'host names or addresses separated by commas',
    fallback: '',
    meaning:
      'Hosts in private networks that the service may call and fetch from, also over plain http. All others are refused.',
  },
  ...WATCH_VARIABLES,
  ...MAIL_VARIABLES,
  ...MODEL_VARIABLES,
  oidcIssuer: {
    name: 'SVC_OIDC_ISSUER',
    schema: z.url({ protocol: /^https?$/ }),
    allowed: 'the https URL of an OpenID Connect issuer',
    meaning: 'Lets people sign in with this identity provider, together with the next three.',
  },
  oidcName: {
    name: 'SVC_OIDC_NAME',
    schema: z.string().min(1).max(40),
    allowed: 'a name of 1 to 40 characters',
    fallback: 'single sign-on',
    meaning: 'Name of the identity provider on the sign-in page.',
  },
  oidcGroupsClaim: {
    name: 'SVC_OIDC_GROUPS_CLAIM',
    schema: z.string().min(1).max(200),
    allowed: 'the name of a claim, such as groups',
    meaning:
      'Claim in which the identity provider lists the groups of a person. At each sign-in with it the person is put into the groups of the account with these names and taken out of all others, so that they have the roles in products that the groups give.',
  },
  oidcScopes: {
    name: 'SVC_OIDC_SCOPES',
    schema: z.string().regex(/^openid(?: [!#-[\]-~]+)*$/),
    allowed: 'scopes separated by blanks, openid first',
    fallback: 'openid email profile',
    meaning: 'What is requested from the identity provider; some list groups only for a scope of their own.',
  },
  ...clientOf('oidc', 'SVC_OIDC', 'the identity provider'),
  ...clientOf('google', 'SVC_OIDC_GOOGLE', 'Google, to let people sign in with it'),
  ...clientOf('github', 'SVC_OIDC_GITHUB', 'GitHub, to let people sign in with it'),
} satisfies Record<string, Variable>;

type VariableKey = keyof typeof VARIABLES;

/** Values of variables that have no default and may be absent. */
type OptionalKey = {
  [Key in VariableKey]: (typeof VARIABLES)[Key] extends { fallback: unknown } ? never : Key;
}[VariableKey];

type Value<Key extends VariableKey> = z.output<(typeof VARIABLES)[Key]['schema']>;

/** All settings, validated, and where each came from. */
export type Config = { readonly [Key in Exclude<VariableKey, OptionalKey>]: Value<Key> } & {
  readonly [Key in OptionalKey]: Value<Key> | undefined;
} & { readonly sources: Readonly<Record<VariableKey, ConfigSource>> };

/** Settings of a command line, by the name of the setting: `{ port: '4100' }`. */
export type ConfigFlags = { readonly [Key in VariableKey]?: string | undefined };

/** One line of `svc doctor`. */
export interface ConfigRow {
  name: string;
  value: string;
  source: ConfigSource;
  meaning: string;
}

/**
 * Reads the settings. An empty variable counts as absent.
 *
 * @throws ServiceError `bad_argument` for the first value that cannot be used, naming it and what is allowed.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, flags: ConfigFlags = {}): Config {
  const values = new Map<string, unknown>();
  const sources = new Map<string, ConfigSource>();
  for (const [key, variable] of Object.entries<Variable>(VARIABLES)) {
    // The keys of `flags` are those of the table.
    const { text, source } = chooseText(variable, { env, flag: flags[key as VariableKey], values });
    values.set(key, text === undefined ? undefined : parse(variable, text, source));
    sources.set(key, source);
  }
  // Built key by key from the table that `Config` is derived from.
  return { ...Object.fromEntries(values), sources: Object.fromEntries(sources) } as Config;
}

/** Each setting with its value, source and meaning, for people. Passwords are masked. */
export function describeConfig(config: Config): ConfigRow[] {
  return Object.entries<Variable>(VARIABLES).map(([key, { name, meaning, isSecret }]) => {
    const value = config[key as VariableKey];
    return {
      name,
      value: isSecret === true && value !== undefined ? '****' : valueText(value),
      source: config.sources[key as VariableKey],
      meaning,
    };
  });
}

/** Every setting as documents list it: the same on every machine. */
export function settingReference(): { name: string; allowed: string; fallback: string; meaning: string }[] {
  return Object.values<Variable>(VARIABLES).map(({ name, allowed, fallback = '', meaning }) => ({
    name,
    allowed,
    fallback: typeof fallback === 'object' ? fallback.described : fallback,
    meaning,
  }));
}

function chooseText(
  variable: Variable,
  given: {
    env: Readonly<Record<string, string | undefined>>;
    flag: string | undefined;
    values: ReadonlyMap<string, unknown>;
  },
): { text: string | undefined; source: ConfigSource } {
  if (given.flag !== undefined) return { text: given.flag, source: 'flag' };
  const fromEnv = variable.isUsed?.(given.values) === false ? undefined : given.env[variable.name];
  if (fromEnv !== undefined && fromEnv !== '') return { text: fromEnv, source: 'env' };
  const { fallback } = variable;
  return { text: typeof fallback === 'object' ? fallback.compute(given.values) : fallback, source: 'default' };
}

function parse(variable: Variable, text: string, source: ConfigSource): unknown {
  const parsed = variable.schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const origin = source === 'flag' ? `The flag for ${variable.name}` : variable.name;
  const shown = variable.isSecret === true ? 'set to something' : `"${withoutPassword(text)}",`;
  throw new ServiceError('bad_argument', `${origin} is ${shown} which is not valid.`, {
    fix: `Use ${variable.allowed}${variable.fallback === undefined ? ', or leave it out' : ', or leave it out for the default'}.`,
  });
}

function valueText(value: string | number | boolean | readonly string[] | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return withoutPassword(typeof value === 'object' ? value.join(',') : String(value));
}

/** `postgres://user:secret@host` becomes `postgres://user:****@host`. */
function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^:/?#]*):[^/?#]*@/, '$1:****@').replace(/([?&]password=)[^&]*/, '$1****');
}

/** The host to call from this machine, for an address to listen on, in the form that it has in a URL. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** The two variables that make this service known to an identity provider. */
function clientOf<Key extends string>(key: Key, prefix: string, provider: string) {
  const text = z.string().min(1).max(1000);
  const id = { name: `${prefix}_CLIENT_ID`, schema: text, allowed: 'the id from the provider' };
  const secret = { name: `${prefix}_CLIENT_SECRET`, schema: text, allowed: 'the secret from the provider' };
  // The keys are made of `key`, which the type of an object literal cannot express.
  return {
    [`${key}ClientId`]: { ...id, meaning: `Id of this service at ${provider}.` },
    [`${key}ClientSecret`]: { ...secret, meaning: `Secret that belongs to that id.`, isSecret: true },
  } as Record<`${Key}ClientId`, typeof id & { meaning: string }> &
    Record<`${Key}ClientSecret`, typeof secret & { meaning: string; isSecret: true }>;
}

/** True if only the users of this machine can reach the service; behind a proxy its address shows otherwise. */
function isReachedFromHereAlone(values: ReadonlyMap<string, unknown>): boolean {
  const { hostname } = new URL(String(values.get('baseUrl')));
  // Read by the schema above: a list.
  const more = values.get('allowedHosts') as readonly string[];
  return [String(values.get('host')), hostname, ...more].every((host) => LOOPBACK.test(host));
}
