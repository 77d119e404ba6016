import type { Config, ConfigFlags } from '../platform/config.ts';

/** A service in this process: all its parts are open. */
export interface OpenService {
  /** Where it listens; undefined when it was opened without a listener. */
  url: string | undefined;
  /** Answers a REST request as the owner, without a socket. */
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Resolves when the service has ended. Stops listening, finishes what runs, closes the data. Twice is once. */
  close: () => Promise<void>;
}

/** Which parts of a service run in this process. */
export interface ServiceParts {
  /** Listen for HTTP and MCP. */
  serve: boolean;
  /** Run background jobs. */
  work: boolean;
}

/** What commands may reach; tests pass their own. */
export interface CommandScope {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths are meant from. */
  cwd: string;
  /** Results: standard output. */
  out: (text: string) => void;
  /** Prose and progress: standard error. */
  err: (text: string) => void;
  /** Whether prose goes to a terminal, so that a progress line may overwrite itself. */
  isTerminal: boolean;
  version: string;
  readConfig: (flags: ConfigFlags) => Config;
  openService: (config: Config, parts: ServiceParts) => Promise<OpenService>;
  /** Resolves when a person or the system asks the process to end. */
  stopRequested: Promise<string>;
}
