import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The setting that every command reads, and the only one that most do: of `config.ts`, which takes longer to load. */
export const DATA_DIR = { name: 'SVC_DATA_DIR', fallback: './.svc-data' } as const;

/** The folder of the data as `readConfig` finds it: a flag wins over the environment, an empty variable counts as absent. */
export function dataDirOf(env: Readonly<Record<string, string | undefined>>, flag: string | undefined): string {
  const fromEnv = env[DATA_DIR.name];
  return resolve(flag ?? (fromEnv === undefined || fromEnv === '' ? DATA_DIR.fallback : fromEnv));
}

/** The folder in which a user's settings of svc lie: what `svc login` keeps. */
export function configDirOf(env: Readonly<Record<string, string | undefined>>): string {
  const [xdg, appData] = [env['XDG_CONFIG_HOME'], env['APPDATA']].map((path) => (path === '' ? undefined : path));
  return join(xdg ?? appData ?? join(homedir(), '.config'), 'svc');
}
