import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildProgram } from './cli/commands.ts';
import { type CommandScope, Stopped, terminalText } from './cli/command.ts';
import { EXIT, respond } from './cli/respond.ts';
import { readConfig } from './platform/config.ts';
import { cutOff } from './platform/cut-off.ts';
import { createLog } from './platform/log.ts';
import { writePrivately } from './platform/private-files.ts';
import { openDatabase, openService } from './service.ts';

/** How long an ending process may take once its command is done. */
const EXIT_LIMIT_MS = 15_000;

/** How long a command may take to end once it was asked to. Answers in flight alone have 10 s. */
const STOP_LIMIT_MS = 30_000;

const ROOT = dirname(import.meta.dirname);

// Whoever reads the output may have gone (`svc repo list | head`): that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.error),
);
process.stderr.on('error', () => undefined);
process.exitCode = await run(process.argv.slice(2));
// Whatever still holds the process open must not hold up whoever waits for it.
setTimeout(cutOff, EXIT_LIMIT_MS).unref();

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
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return {
    root: ROOT,
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(terminalText(text)),
    err: writeError,
    isTerminal: process.stderr.isTTY,
    version,
    readConfig: (flags) => readConfig(process.env, flags),
    // Whoever opens data writes it, or a copy of it.
    openDatabase: (config) => {
      writePrivately();
      return openDatabase(config);
    },
    openService: (config, parts) => {
      writePrivately();
      return openService(config, parts, { log: createLog(config.logLevel), version, now: () => new Date() });
    },
    stop: stopSignal(),
  };
}

/**
 * Aborts when the process is asked to end: by a signal, or because the launcher that started it is gone. Asking again
 * changes nothing, because an impatient Ctrl+C must not cut off what is being put away; there is a time limit instead.
 */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const end = (why: string): void => {
    if (stop.signal.aborted) return;
    stop.abort(new Stopped(why));
    setTimeout(giveUp, STOP_LIMIT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  process.on('disconnect', () => end('its launcher ended'));
  // The channel alone must not keep a finished command alive.
  process.channel?.unref();
  return stop.signal;
}

function giveUp(): void {
  const text = `svc: It did not end within ${STOP_LIMIT_MS / 1_000} s and was cut off. The next start goes on from there.\n`;
  try {
    // At once: nothing is written any more after this.
    writeSync(process.stderr.fd, text);
  } catch {
    // Whoever read it is gone.
  }
  cutOff();
}

function writeError(text: string): void {
  process.stderr.write(terminalText(text));
}
