import type { ServerContext } from '@modelcontextprotocol/server';
import { visible } from '../kernel/visible.ts';
import type { CallContext } from '../platform/operation/operation.ts';

/** Clients drop a call that is silent for long; the contract promises a sign of life every 10 s. */
const HEARTBEAT_MS = 10_000;
/** An operation may report each file it reads; a client needs a few figures a second. */
const LEAST_GAP_MS = 100;
/** Progress must rise with every notification, so a heartbeat adds a trifle. */
const TRIFLE = 0.001;

interface ProgressTracker {
  /** True if the client asked for progress. */
  isRequested: boolean;
  report: CallContext['progress'];
  /** Nothing is sent after this. Resolves when what was sent is written, the last step too: the result goes out behind it. */
  stop: () => Promise<unknown>;
}

/** Sends a call's progress to the client that asked for it with a token, and a heartbeat while the operation is silent. */
export function trackProgress(context: ServerContext, heartbeatMs = HEARTBEAT_MS): ProgressTracker {
  const { progressToken: token } = context.mcpReq['_meta'] ?? {};
  if (token === undefined) return { isRequested: false, report: () => {}, stop: async () => {} };
  const latest: { done: number; total?: number; message: string } = { done: 0, message: 'working' };
  let sent = -1;
  let isSent = true;
  let isStopped = false;
  let written: Promise<unknown> = Promise.resolve();
  let sentAtMs = Number.NEGATIVE_INFINITY;
  const startedMs = performance.now();
  const send = (more = ''): void => {
    // Sums of fractions have meaningless digits.
    sent = latest.done > sent ? latest.done : Number((sent + TRIFLE).toFixed(3));
    sentAtMs = performance.now();
    isSent = true;
    const params = {
      progressToken: token,
      progress: sent,
      message: visible(`${latest.message}${more}`),
      // The last part of a call may count its own steps: no client may receive more than the total.
      ...(latest.total === undefined ? {} : { total: Math.max(latest.total, sent) }),
    };
    // The stream may have gone meanwhile; the call itself learns that by its signal.
    const sending = context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    written = Promise.all([written, sending]);
  };
  const timer = setInterval(
    () => send(`, ${Math.round((performance.now() - startedMs) / 1000)} s so far`),
    heartbeatMs,
  );
  return {
    isRequested: true,
    report(done, total, message) {
      // An operation that was given up may still go on.
      if (isStopped) return;
      Object.assign(latest, { done, total, message });
      isSent = false;
      if (performance.now() - sentAtMs >= LEAST_GAP_MS) send();
    },
    stop() {
      clearInterval(timer);
      isStopped = true;
      if (!isSent && !context.mcpReq.signal.aborted) send();
      return written;
    },
  };
}
