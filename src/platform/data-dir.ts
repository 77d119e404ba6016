import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

/** The setting that every command reads, and the only one that most do: of `config.ts`, which takes longer to load. */
export const DATA_DIR_VARIABLE = 'SVC_DATA_DIR';

/** Folder of this program. */
const ROOT = dirname(dirname(import.meta.dirname));
/** The data of a checkout of this program. */
const IN_CHECKOUT = '.svc-data';
/** Folder of the embedded database in a data folder. */
export const DATABASE_FOLDER = 'postgres';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders in which commands look for data. */
export interface DataPlaces {
  /** The folder that is opened, and made by what adds something. */
  dataDir: string;
  /** Other folders of this user whose service is called when none runs on that one. */
  others: string[];
}

/**
 * The folder of the data: a flag wins over the environment, an empty variable counts as absent. Without both it is
 * `.svc-data` in a checkout of this program, and a folder of the user everywhere else, so that an installed `svc` finds
 * one service from any folder.
 */
export function dataPlaces(
  env: Environment,
  flag: string | undefined,
  { cwd = process.cwd(), root = ROOT }: { cwd?: string; root?: string } = {},
): DataPlaces {
  const fromEnv = env[DATA_DIR_VARIABLE];
  const given = flag ?? (fromEnv === '' ? undefined : fromEnv);
  if (given !== undefined) return { dataDir: resolve(cwd, given), others: [] };
  const ofUser = userDataDir(env);
  if (!existsSync(join(root, 'src', 'main.ts'))) return { dataDir: ofUser, others: [] };
  const ofCheckout = join(root, IN_CHECKOUT);
  return isInside(cwd, root) ? { dataDir: ofCheckout, others: [ofUser] } : { dataDir: ofUser, others: [ofCheckout] };
}

/** The data folder when nothing names one. */
export function defaultDataDir(): string {
  return dataPlaces({ ...process.env, [DATA_DIR_VARIABLE]: '' }, undefined).dataDir;
}

/** True if there is an embedded database in the folder. */
export function hasData(dataDir: string): boolean {
  return existsSync(join(dataDir, DATABASE_FOLDER));
}

/** The folder of a user's settings of svc, which `svc login` writes. */
export function configDirOf(env: Environment): string {
  return join(firstSet(env, ['XDG_CONFIG_HOME', 'APPDATA']) ?? join(homedir(), '.config'), 'svc');
}

function userDataDir(env: Environment): string {
  return join(firstSet(env, ['XDG_DATA_HOME', 'LOCALAPPDATA']) ?? join(homedir(), '.local', 'share'), 'svc');
}

function firstSet(env: Environment, names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

function isInside(folder: string, root: string): boolean {
  const path = relative(root, resolve(folder));
  return path === '' || (!path.startsWith('..') && resolve(root, path) === resolve(folder));
}

/** Object storage as `SVC_BLOB_URL` names it. */
export const OBJECT_URL = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w!.*'()/-]*))?$/;

/** Folder on this machine: of the blobs themselves, or of copies of those in object storage. */
export function blobFolder({ blobUrl, dataDir }: { blobUrl: string; dataDir: string }): string {
  return OBJECT_URL.test(blobUrl) ? join(dataDir, 'blobs') : blobUrl;
}
