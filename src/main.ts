import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildProgram } from './cli/commands.ts';
import { type CommandContext, NeedsOwnProcess, Stopped, terminalText } from './cli/command.ts';
import { EXIT, respond } from './cli/respond.ts';
import { cutOff } from './platform/git/cut-off.ts';
import { configDirOf, dataPlaces } from './platform/data-dir.ts';
import { writePrivately } from './platform/private-files.ts';

/** Time that an ending process may take once its command is done. */
const EXIT_LIMIT_MS = 15_000;

/** Time that a command may take to end after the signal to stop. Answers in flight alone have 10 s. */
const STOP_LIMIT_MS = 30_000;

const ROOT = dirname(import.meta.dirname);

/** Functions that open data. */
type Openers = Pick<CommandContext, 'openDatabase' | 'openService'>;

if (import.meta.main) await runAlone();

/**
 * Runs a command line inside the launcher, which saves a second process where a service runs already.
 *
 * @returns The exit code; undefined when the command has to open data: nothing was done then, and it can be started anew.
 */
export async function runHere(args: readonly string[]): Promise<number | undefined> {
  try {
    return await run(args, { openDatabase: refuse, openService: refuse });
  } catch (error) {
    if (error instanceof NeedsOwnProcess) return undefined;
    throw error;
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new NeedsOwnProcess());
}

/** Runs the command line of this process, which the launcher made for commands that open data. */
async function runAlone(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), {
    // Whoever opens data writes it, or a copy of it.
    openDatabase: async (config) => {
      writePrivately();
      return (await import('./service-data.ts')).openDatabase(config);
    },
    openService: async (config, parts) => {
      writePrivately();
      const [{ openService }, { createLog, inText }] = await Promise.all([
        import('./service.ts'),
        import('./platform/log.ts'),
      ]);
      return openService(config, parts, {
        log: createLog(config.logLevel, config.logForm === 'json' ? undefined : inText()),
        version: versionOf(ROOT),
        now: () => new Date(),
      });
    },
  });
  // Whatever still holds the process open must not delay its caller.
  setTimeout(cutOff, EXIT_LIMIT_MS).unref();
}

/** Runs one command line and gives its exit code. */
async function run(args: readonly string[], openers: Openers): Promise<number> {
  let code: number = EXIT.ok;
  const stopping = watchStop();
  // Whoever reads the output may have gone (`svc repo list | head`): that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.error),
  );
  process.stderr.on('error', () => undefined);
  const program = buildProgram({ ...commandContext(stopping.signal), ...openers }, (given) => (code = given));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof NeedsOwnProcess)) return respond(error, writeError);
    stopping.end();
    throw error;
  }
}

function commandContext(stop: AbortSignal): Omit<CommandContext, keyof Openers> {
  return {
    root: ROOT,
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(terminalText(text)),
    err: writeError,
    isTerminal: process.stderr.isTTY,
    version: versionOf(ROOT),
    configDir: configDirOf(process.env),
    dataPlaces: (flag) => dataPlaces(process.env, flag),
    readConfig: async (flags) => (await import('./platform/config.ts')).readConfig(process.env, flags),
    stop,
  };
}

function versionOf(root: string): string {
  // The file is part of the package, so it has a version.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/**
 * Aborts when the process should end: by a signal, or because the launcher that started it is gone. Asking again
 * changes nothing, because an impatient Ctrl+C must not cut off what is being put away; there is a time limit instead.
 */
function watchStop(): { signal: AbortSignal; end: () => void } {
  const stop = new AbortController();
  const end = (why: string): void => {
    if (stop.signal.aborted) return;
    stop.abort(new Stopped(why));
    setTimeout(giveUp, STOP_LIMIT_MS).unref();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, end);
  process.on('disconnect', () => end('its launcher ended'));
  // The channel alone must not keep a finished command alive.
  process.channel?.unref();
  return {
    signal: stop.signal,
    end: () => {
      for (const signal of signals) process.off(signal, end);
    },
  };
}

function giveUp(): void {
  const text = `svc: It did not stop within ${STOP_LIMIT_MS / 1_000} s and was ended. The next start continues from there.\n`;
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
