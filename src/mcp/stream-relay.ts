import { randomUUID } from 'node:crypto';
import type { Database } from '../platform/db.ts';
import type { Caller } from '../platform/operation/operation.ts';
import type { CancelledCall } from './running-calls.ts';
import { type PassedMessages, putMessages, takeMessages, waitingMessages } from './store-messages.ts';
import { awaitLater } from '../kernel/await-later.ts';

/** Says that messages wait for a stream; the payload is a `PassedMessages`. */
const SENT = 'mcp_sent';
/** Says that they were taken; the payload is their id. */
const TAKEN = 'mcp_taken';
/** Says that a client of Streamable HTTP cancels a call; the payload is a `CancelledCall`. */
const CANCELLED = 'mcp_cancelled';
/** Clients number their requests, or name them by a UUID. */
const MOST_REQUEST_ID = 200;
/** Time after which no replica has the stream. A round trip over the database takes some 5 ms. */
const TAKE_MS = 2_000;

/** The streams of a process. */
interface Streams {
  /** True if the stream is open here, for this key. */
  has(sessionId: string, keyId: string): boolean;
  receive(sessionId: string, keyId: string, messages: readonly unknown[]): void;
}

/** The calls of a process over Streamable HTTP. */
interface Calls {
  cancel(call: CancelledCall): void;
}

/**
 * Passes messages on to the replica that has their stream open, over the database. A message is a row that exactly one process
 * takes: the one with the stream, or after two seconds the one that passed it on, which then knows that no stream is open.
 */
export class StreamRelay {
  readonly #database: Pick<Database, 'db' | 'listen' | 'notify'>;
  readonly #takeMs: number;
  readonly #onFault: (error: unknown) => void;
  /** Ids of messages that were passed on, and what to call when they are taken. */
  readonly #waiting = new Map<string, () => void>();

  constructor(
    database: Pick<Database, 'db' | 'listen' | 'notify'>,
    { onFault, takeMs = TAKE_MS }: { onFault: (error: unknown) => void; takeMs?: number },
  ) {
    this.#database = database;
    this.#onFault = onFault;
    this.#takeMs = takeMs;
  }

  /** Begins to hear of messages for the streams and calls of this process. Returns the way to stop. */
  async hear(streams: Streams, calls: Calls): Promise<() => Promise<void>> {
    const take = (passed: PassedMessages): void => {
      if (streams.has(passed.sessionId, passed.keyId)) this.#take(streams, passed).catch(this.#onFault);
    };
    const stops = [
      await this.#database.listen(CANCELLED, (payload) => calls.cancel(JSON.parse(payload) as CancelledCall)),
      await this.#database.listen(TAKEN, (id) => this.#waiting.get(id)?.()),
      await this.#database.listen(
        SENT,
        // Only `pass` sends on this channel.
        (payload) => take(JSON.parse(payload) as PassedMessages),
        (isLive) => {
          if (isLive) waitingMessages(this.#database.db).then((all) => all.forEach(take), this.#onFault);
        },
      ),
    ];
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  }

  /** Hands messages to whichever replica has the stream open for this key; false when none has. Takes up to 2 s for that. */
  async pass(sessionId: string, { accountId, keyId }: Caller, messages: readonly unknown[]): Promise<boolean> {
    const passed = { accountId, id: randomUUID(), keyId, sessionId };
    const { promise, resolve } = Promise.withResolvers<void>();
    const taken = awaitLater(promise);
    this.#waiting.set(passed.id, resolve);
    const timer = setTimeout(resolve, this.#takeMs);
    try {
      await putMessages(this.#database.db, passed, messages);
      await this.#database.notify(SENT, JSON.stringify(passed));
      await taken;
      // The notice that they were taken may be lost; the row is not.
      return (await takeMessages(this.#database.db, passed)) === undefined;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(passed.id);
    }
  }

  /** Stops a call on whichever replica it runs. */
  cancel(call: CancelledCall): void {
    if (call.requestId.length > MOST_REQUEST_ID) return;
    this.#database.notify(CANCELLED, JSON.stringify(call)).catch(this.#onFault);
  }

  async #take(streams: Streams, passed: PassedMessages): Promise<void> {
    const messages = await takeMessages(this.#database.db, passed);
    if (messages === undefined) return;
    streams.receive(passed.sessionId, passed.keyId, messages);
    await this.#database.notify(TAKEN, passed.id);
  }
}
