import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { ServiceError } from '../kernel/errors.ts';
import type { Config } from '../platform/config.ts';
import { checkGit } from '../platform/git.ts';

export interface Check {
  name: string;
  state: 'ok' | 'problem';
  detail: string;
}

/** Looks at what the service needs from its machine. Changes nothing but an empty data folder that it may create. */
export async function doctor(config: Config): Promise<{ rows: Check[]; problems: number }> {
  const rows: Check[] = [
    { name: 'Node.js', state: 'ok', detail: process.versions.node },
    await check('git', async () => `version ${await checkGit()}`),
    await check('data folder', async () => {
      mkdirSync(config.dataDir, { recursive: true });
      accessSync(config.dataDir, constants.R_OK | constants.W_OK);
      return `${config.dataDir} can be written${existsSync(config.dataDir) ? '' : ' once it is made'}`;
    }),
  ];
  return { rows, problems: rows.filter((row) => row.state === 'problem').length };
}

async function check(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, state: 'ok', detail: await look() };
  } catch (error) {
    const fix = error instanceof ServiceError ? ` ${error.fix}` : '';
    return { name, state: 'problem', detail: `${error instanceof Error ? error.message : String(error)}${fix}` };
  }
}
