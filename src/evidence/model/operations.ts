import type { Encoder } from '../../text/encoder/encoder.ts';
import { z } from 'zod';
import { describeCall, type Provenance } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { EXACT_PASSES, FRESHNESS_STATES, indexOfJson } from '../../kernel/freshness.ts';
import type { ModelProvider, TokenCount } from '../../platform/language-model.ts';
import type { AskOperation, Caller, CallContext } from '../../platform/operation/operation.ts';

/** The operations that clients call, called as the caller of an agent, and what a model may cost. */
export interface AgentTools {
  ask: AskOperation;
  /** The operations that there are, each with its actions that only read. */
  offered: () => ReadonlyMap<string, readonly string[]>;
  /** The language model that may write answers; none when none is configured. */
  model?: ModelProvider | undefined;
  budget: ModelBudget;
  /** Reads questions in languages whose words it does not know; none where it is off. */
  encoder?: Encoder | undefined;
  /** Receives a fault that does not make the answer fail, with a description of it. */
  onFault: (error: unknown, what: string) => void;
}

/** Budget of the model: what a key may still spend, and what it has spent. */
interface ModelBudget {
  /** Money that a key has left today; infinite without a limit. */
  left(caller: Caller, provider: ModelProvider): Promise<number>;
  /** Counts one answer, also one that failed. */
  record(caller: Caller, provider: ModelProvider, spent: TokenCount): Promise<void>;
}

const IndexJson = z.looseObject({
  state: z.enum(FRESHNESS_STATES),
  behind: z.number().optional(),
  percent: z.number().optional(),
  fetch_age_s: z.number().optional(),
  exact: z.enum(EXACT_PASSES).optional(),
  unparsed: z.number().optional(),
  lacks: z.array(z.string()).optional(),
  uncommitted: z.number().optional(),
  has_uncommitted: z.boolean().optional(),
});
const Reply = z.looseObject({
  repo: z.string().default('*'),
  ref: z.string().default(''),
  commit: z.string().default(''),
  index: z.union([IndexJson, z.array(IndexJson.extend({ repo: z.string(), commit: z.string() }))]).optional(),
  total: z.number().default(0),
  coverage: z
    .looseObject({ documents: z.looseObject({ unread: z.number().default(0) }).optional() })
    .optional()
    .catch(undefined),
  /** Cursor of the next page. */
  next: z.string().optional().catch(undefined),
});

const Rows = Reply.extend({ rows: z.array(z.unknown()) });

/** Characters of a call that are reported to the client while it runs: a pattern may be long. */
const LONGEST_MESSAGE = 120;

/** The JSON answer of a call, with its rows read by the schema of the call. Other fields of the answer are there as they came. */
export type Answered<Row> = z.output<typeof Reply> & { rows: Row[] };

/**
 * The operations as one run calls them: as its caller, in the repository of the question unless a call names another one.
 * Every call is recorded. A call with the same arguments is made once, whoever asks for it: facts need no cache of their own.
 */
export class Operations {
  readonly calls: string[] = [];
  readonly failures: ServiceError[] = [];
  /** Documents that no search finds yet. */
  unread = 0;
  readonly #tools: AgentTools;
  readonly #context: CallContext;
  readonly #repo: string | undefined;
  readonly #provenances = new Map<string, Provenance>();
  /** Answers of earlier calls, by name and arguments. */
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(tools: AgentTools, context: CallContext, repo: string | undefined) {
    this.#tools = tools;
    this.#context = context;
    this.#repo = repo;
  }

  /** The repositories that were read, by name. */
  get provenances(): readonly Provenance[] {
    return [...this.#provenances.values()];
  }

  /** Reports to the client what is being done besides calls; `part` of 1 is done of it. */
  tell(message: string, part: number): void {
    this.#context.progress(this.calls.length + part, this.calls.length + 1, message);
  }

  offers(name: string): boolean {
    return this.#tools.offered().has(name);
  }

  /** The actions of an operation that only read. */
  actionsOf(name: string): readonly string[] {
    return this.#tools.offered().get(name) ?? [];
  }

  /** The JSON answer of a call, which is made once. */
  async #answer(name: string, args: Record<string, unknown>): Promise<unknown> {
    this.#context.signal.throwIfAborted();
    const scoped = this.#repo === undefined || 'repo' in args ? args : { ...args, repo: this.#repo };
    const call = JSON.stringify([name, scoped]);
    const json = this.#answers.get(call) ?? this.#call(name, args, scoped);
    this.#answers.set(call, json);
    this.#note(Reply.parse(await json));
    return json;
  }

  /** Reads rows by the requested shape. A row of another shape is a fault of that row, not of the answer. */
  #readRows<Row extends z.ZodType>(name: string, row: Row, rows: readonly unknown[]): z.output<Row>[] {
    const read = rows.map((given) => row.safeParse(given));
    const [failed] = read.filter(({ success }) => !success);
    if (failed?.error !== undefined) this.#tools.onFault(failed.error, `a row of ${name} has another shape`);
    return read.flatMap(({ success, data }) => (success ? [data] : []));
  }

  /** Calls an operation as `read` does, and reads its rows one by one: one of another shape is left out. */
  async ask<Row extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    row: Row,
  ): Promise<Answered<z.output<Row>> | undefined> {
    const reply = await this.read(name, args, Rows);
    return reply && { ...reply, rows: this.#readRows(name, row, reply.rows) };
  }

  /**
   * Calls an operation and reads its whole answer with the schema of its output; undefined when it fails with a ServiceError, or
   * there is no such operation.
   */
  async read<Output extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    output: Output,
  ): Promise<z.output<Output> | undefined> {
    if (!this.offers(name)) return undefined;
    try {
      const { data, error } = output.safeParse(await this.#answer(name, args));
      if (error !== undefined) this.#tools.onFault(error, `an answer of ${name} has another shape`);
      return data;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#context.signal.throwIfAborted();
      this.failures.push(error);
      return undefined;
    }
  }

  /** The repository that an answer is about, where it is about one. */
  repoOf(reply: Pick<Answered<unknown>, 'repo'>, row: { repo?: string | undefined }): string {
    return row.repo ?? (reply.repo === '*' ? '' : reply.repo);
  }

  /** The commit at which a repository was read. */
  commitOf(repo: string): string | undefined {
    return this.#provenances.get(repo)?.commit;
  }

  #call(name: string, args: Record<string, unknown>, scoped: Record<string, unknown>): Promise<unknown> {
    const call = describeCall(name, args);
    this.calls.push(call);
    this.#context.progress(this.calls.length, this.calls.length + 1, `asking ${call.slice(0, LONGEST_MESSAGE)}`);
    return this.#tools.ask(name, scoped, this.#context);
  }

  #note({ repo, ref, commit, index, coverage }: z.output<typeof Reply>): void {
    this.unread = Math.max(this.unread, coverage?.documents?.unread ?? 0);
    if (Array.isArray(index)) {
      for (const state of index)
        this.#provenances.set(state.repo, {
          repo: state.repo,
          ref: '',
          commit: state.commit,
          index: indexOfJson(state),
        });
    } else if (index !== undefined && repo !== '*') {
      this.#provenances.set(repo, { repo, ref, commit, index: indexOfJson(index) });
    }
  }
}
