/** A call that a message or the death of its key can stop. */
interface RunningCall {
  sessionId: string | undefined;
  requestId: string;
  controller: AbortController;
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
    call: { keyId: string; sessionId: string | undefined; requestId: string | number; signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const running = { sessionId: call.sessionId, requestId: String(call.requestId), controller };
    const calls = this.#byKey.get(call.keyId) ?? new Set();
    this.#byKey.set(call.keyId, calls.add(running));
    try {
      return await work(AbortSignal.any([call.signal, controller.signal]));
    } finally {
      calls.delete(running);
      if (calls.size === 0 && this.#byKey.get(call.keyId) === calls) this.#byKey.delete(call.keyId);
    }
  }

  /** Stops the call a client named. Does nothing when it has ended or belongs to another key or session. */
  cancel(keyId: string, sessionId: string, requestId: string | number): void {
    for (const call of this.#byKey.get(keyId) ?? []) {
      if (call.sessionId === sessionId && call.requestId === String(requestId))
        call.controller.abort(new Error('The client cancelled the call.'));
    }
  }

  /** Stops everything a key has in flight. */
  abortKey(keyId: string, reason: string): void {
    for (const call of this.#byKey.get(keyId) ?? []) call.controller.abort(new Error(reason));
  }

  /** Stops everything. */
  abortAll(reason: string): void {
    for (const keyId of this.#byKey.keys()) this.abortKey(keyId, reason);
  }
}
