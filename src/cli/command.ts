import { visibleLines } from '../kernel/visible.ts';
import type { Config, ConfigFlags } from '../platform/config.ts';
import type { DataPlaces } from '../platform/data-dir.ts';
import type { Database } from '../platform/db.ts';

/** Sequence that clears the line that is being written on a terminal. */
export const CLEAR_LINE = '\r\u001B[2K';

/**
 * Escapes a text for a terminal; every command writes through this. Line feeds, tabs, and the beginning that clears a progress
 * line stay. Anything else that a terminal would obey can only come from texts of others, and is written as escapes.
 */
export function terminalText(text: string): string {
  if (!text.startsWith(CLEAR_LINE)) return visibleLines(text);
  return `${CLEAR_LINE}${visibleLines(text.slice(CLEAR_LINE.length))}`;
}

/** A service in this process: all its parts are open. */
export interface OpenService {
  /** Address on which it listens; undefined when it was opened without a listener. */
  url: string | undefined;
  /** Answers a request without a socket: as the owner, unless the request names another requester. */
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Resolves when the service has ended. Stops listening, finishes what runs, closes the data. Twice is once. */
  close: () => Promise<void>;
}

/** Parts of a service that run in this process. */
export interface ServiceParts {
  /** Listen for HTTP and MCP. */
  serve: boolean;
  /** Run background jobs. */
  work: boolean;
}

/** Dependencies of commands; tests pass their own. */
export interface CommandContext {
  /** Folder of the package. */
  root: string;
  /** Folder that relative paths are meant from. */
  cwd: string;
  /** Results: standard output. */
  out: (text: string) => void;
  /** Prose and progress: standard error. */
  err: (text: string) => void;
  /** True if prose goes to a terminal, so that a progress line may overwrite itself. */
  isTerminal: boolean;
  version: string;
  /** The folder of this user's settings of svc. It need not exist. */
  configDir: string;
  /** The folders of the data, from the flag or the environment. */
  dataPlaces: (flag: string | undefined) => DataPlaces;
  readConfig: (flags: ConfigFlags) => Promise<Config>;
  /** The database alone, as it is: nothing is migrated. */
  openDatabase: (config: Config) => Promise<Database>;
  openService: (config: Config, parts: ServiceParts) => Promise<OpenService>;
  /** Aborts with `Stopped` when a person or the system asks the process to end. */
  stop: AbortSignal;
}

/** The process was asked to end: no failure of anything. `message` says by what, for example `SIGINT`. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Resolves when the process is asked to end, with what asked. */
export async function untilStopped(stop: AbortSignal): Promise<string> {
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  return stop.reason instanceof Error ? stop.reason.message : String(stop.reason);
}

/** The command has to open data, for which this process was not made. Nothing was done or printed yet. */
export class NeedsOwnProcess extends Error {
  override readonly name = 'NeedsOwnProcess';
}
