import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildProgram } from './cli/commands.ts';
import type { CommandScope } from './cli/command.ts';
import { EXIT, respond } from './cli/respond.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';

/** How long an ending process may take once its command is done. */
const EXIT_LIMIT_MS = 15_000;

const PACKAGE = join(dirname(import.meta.dirname), 'package.json');

process.exitCode = await run(process.argv.slice(2));
// Whatever still holds the process open must not hold up whoever waits for it.
setTimeout(() => process.exit(), EXIT_LIMIT_MS).unref();

/** Runs one command line and gives its exit code. */
async function run(args: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = buildProgram(commandScope(), (given) => (code = given));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return respond(error, writeError);
  }
}

function commandScope(): CommandScope {
  // The file is part of the package, so it has a version.
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  return {
    env: process.env,
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: writeError,
    isTerminal: process.stderr.isTTY,
    version,
    readConfig: (flags) => readConfig(process.env, flags),
    openService: (config, parts) =>
      openService(config, parts, { log: createLog(config.logLevel), version, now: () => new Date() }),
    stopRequested: new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    }),
  };
}

function writeError(text: string): void {
  process.stderr.write(text);
}
