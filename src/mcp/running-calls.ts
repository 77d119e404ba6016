import type { Caller } from '../platform/operation/operation.ts';

/** A call that a message or the death of its key can stop. */
interface RunningCall {
  secretId: string | undefined;
  sessionId: string | undefined;
  requestId: string;
  controller: AbortController;
}

/** A call that a client cancels by a request of its own. */
export interface CancelledCall {
  keyId: string;
  sessionId: string;
  requestId: string;
}

/**
 * Calls in flight over Streamable HTTP, by the key that made them. There a cancellation arrives as a request of its own, so
 * it has to be matched: session and request id name the call, and only among those of the same key.
 */
export class RunningCalls {
  readonly #byKey = new Map<string, Set<RunningCall>>();

  /** Calls in flight. */
  get size(): number {
    let size = 0;
    for (const calls of this.#byKey.values()) size += calls.size;
    return size;
  }

  /** Registers a call until `work` ends. `work` gets a signal that also aborts with `signal`. */
  async run<Result>(
    call: Pick<RunningCall, 'sessionId'> & {
      caller: Pick<Caller, 'keyId' | 'secretId'>;
      requestId: string | number;
      signal: AbortSignal;
    },
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const { keyId, secretId } = call.caller;
    const running = { secretId, sessionId: call.sessionId, requestId: String(call.requestId), controller };
    const calls = this.#byKey.get(keyId) ?? new Set();
    this.#byKey.set(keyId, calls.add(running));
    try {
      return await work(AbortSignal.any([call.signal, controller.signal]));
    } finally {
      calls.delete(running);
      if (calls.size === 0 && this.#byKey.get(keyId) === calls) this.#byKey.delete(keyId);
    }
  }

  /** Stops the call a client named; false when there is none in this process, for this key and session. */
  cancel({ keyId, sessionId, requestId }: CancelledCall): boolean {
    let isStopped = false;
    for (const call of this.#byKey.get(keyId) ?? []) {
      if (call.sessionId !== sessionId || call.requestId !== requestId) continue;
      call.controller.abort(new Error('The client cancelled the call.'));
      isStopped = true;
    }
    return isStopped;
  }

  /** Stops what a key has in flight: everything, or what was sent with one of its secrets. */
  abortKey(keyId: string, reason: string, secretId?: string): void {
    for (const call of this.#byKey.get(keyId) ?? [])
      if (secretId === undefined || call.secretId === secretId) call.controller.abort(new Error(reason));
  }

  /** Stops everything. */
  abortAll(reason: string): void {
    for (const keyId of this.#byKey.keys()) this.abortKey(keyId, reason);
  }
}
