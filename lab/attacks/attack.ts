import type { Serving } from '../serving.ts';

/** One thing that was tried, and whether it held. */
export interface Check {
  name: string;
  held: boolean;
  /** Figures, or what happened instead. */
  detail: string;
}

/** Helpers and limits of an attack. All that they make is removed and ended afterwards, whatever happened. */
export interface AttackContext {
  /** An empty folder of its own. */
  folder: string;
  /** Aborts when the attack has used up its time. */
  signal: AbortSignal;
  /** Numbers in [0, 1) that are the same on every run. */
  random: () => number;
  /**
   * Starts `svc serve` on a data folder below `folder`, on loopback, with these settings (`SVC_…`) besides the defaults: on a
   * new one, `data-1` for the first service, or on the one that is named.
   */
  startService: (settings?: Record<string, string>, dataFolder?: string) => Promise<Serving>;
  /** Makes a git repository of these files below `folder` and returns its path. */
  createRepository: (name: string, files: Readonly<Record<string, string>>) => string;
  /** Adds a repository to a service and waits for its index. */
  addRepository: (service: Serving, path: string) => Promise<void>;
  /** Creates an API key with the default scopes. */
  createKey: (service: Serving) => Promise<string>;
  /** Records what held and what did not. */
  check: (name: string, held: boolean, detail?: string) => void;
}

/** An attack: the export `attack` of a file of this folder. */
export interface Attack {
  /** As `--only` takes it: the name of its file. */
  name: string;
  /** Claim that must hold, as a sentence. */
  purpose: string;
  /** Most minutes it may take; 5 when absent. */
  minutes?: number;
  run: (context: AttackContext) => Promise<void>;
}
