import type { z } from 'zod';

/** Scope of a key. `read` covers every read-only operation. */
export type KeyScope = 'read' | 'decisions:write' | 'plans:write' | 'scrape' | 'keys:write';

/** The caller and the product of the call. Built once per request from the API key; never from arguments. */
export interface Caller {
  accountId: string;
  productId: string;
  keyId: string;
  scopes: readonly KeyScope[];
  /** Names which value of the key was sent: two work in the grace period after it was regenerated. No secret. */
  secretId?: string;
}

/** Context of one call, besides the slices its operation was made with. */
export interface CallContext {
  caller: Caller;
  now: () => Date;
  /** Aborts when the client cancels, disconnects, or the 45 s limit passes. */
  signal: AbortSignal;
  /** Sends progress to the client; does nothing when the client did not ask. `total` is in the same unit as `done`. */
  progress: (done: number, total: number, message: string) => void;
}

/** Both forms of one answer. `text` is what a model reads; `json` is the object of the contract's section 2. */
export interface Answer {
  text: string;
  json: Record<string, unknown>;
}

/** Meanings by argument and word: the arguments that are meant, that argument among them. */
export type Synonyms = Record<string, Record<string, Record<string, unknown>>>;

/** The same arguments for each of these words: `sameMeaning('find list', { action: 'search' })`. */
export function sameMeaning(words: string, meant: Record<string, unknown>): Synonyms[string] {
  return Object.fromEntries(words.split(' ').map((word) => [word, meant]));
}

/** Arguments as they are meant, and the names of the others that say so. */
export interface CombinedArguments {
  args: Record<string, unknown>;
  used: readonly string[];
}

/** A command of `svc` that calls an action, what the list of commands says of it, and the argument that its first word is. */
export interface ActionCommand {
  name: string;
  description: string;
  subject: string;
}

/** One of the things that a client can call. `mcp/` serves it as a tool; REST, agents and the CLI call `run` directly. */
interface Operation<In extends z.ZodObject = z.ZodObject> {
  /** Name for clients, for example `code-tool`. */
  name: string;
  description: string;
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean };
  /** The scope a key needs; a part of what the operation does may need another one besides. */
  scope: KeyScope;
  input: In;
  /**
   * The JSON form of its answers by action (`''` for an operation without actions), for the code that reads them: no part of the tool
   * list, and without the notes, which are for people.
   */
  output?: Readonly<Record<string, z.ZodType>>;
  /**
   * Its commands of `svc` by action (`''` for an operation without actions), and the heading of their group in `svc --help`. Every
   * action has one. Operations that write, and agents, have commands of their own.
   */
  commands?: { heading: string; actions: Readonly<Record<string, ActionCommand>> };
  /** Actions that only read, of an operation that also writes. */
  readingActions?: readonly string[];
  /** Other spellings clients use, rewritten before validation: `{ query: ['q', 'text'] }`. */
  aliases: Record<string, readonly string[]>;
  /** Values of arguments that a call leaves out, where the call decides them; those of the schema when absent. */
  fallbacks?: (given: Record<string, unknown>) => Record<string, unknown>;
  /**
   * Other words for a value, in lower case with `_`, and the arguments they mean: `{ action: { callers: { action: 'usages',
   * kind: ['call'] } } }`. Arguments that a caller gives go first.
   */
  synonyms?: Synonyms;
  /**
   * Combines arguments of other tools with those of the schema: a line beside a path. `others` are those that the schema does
   * not have, as they came.
   */
  combine?: (given: Record<string, unknown>, others: Record<string, unknown>) => CombinedArguments;
  /**
   * Answers one call. Arguments are validated.
   * @throws ServiceError with a code of the contract; anything else is a bug.
   */
  run(context: CallContext, args: z.output<In>): Promise<Answer>;
}

/**
 * Calls the operation of this name as a client does, and gives the JSON form of its answer.
 *
 * @throws ServiceError as the call does.
 */
export type AskOperation = (
  name: string,
  args: Record<string, unknown>,
  by: Pick<CallContext, 'caller' | 'signal'>,
) => Promise<Record<string, unknown>>;

/** An operation whose argument type has been checked where it was defined. */
export type AnyOperation = Operation;

/** Ties `run` to the input schema. Returns what it is given. */
export function defineOperation<In extends z.ZodObject>(operation: Operation<In>): AnyOperation {
  // `run` is contravariant in its arguments; the doors validate with `input` before calling it.
  return operation;
}
