import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Ends the work at hand with an error. */
type Fail = (error: unknown) => void;

const currentWork = new AsyncLocalStorage<Fail>();

/** Runs work that a failure without a handler is to end, whatever it came from in the work: `fail` is called with it then. */
export function runWork<Result>(fail: Fail, work: () => Result): Result {
  return currentWork.run(fail, work);
}

/**
 * Handles what no other code does, rejections and exceptions, until it is disposed: logs it, counts it, and fails the work that it
 * comes from. The process lives on: the calls and streams of everybody else have nothing to do with it. Each is a bug all
 * the same, which is why the tests run without this.
 */
export function handleLastResort({
  log,
  metrics,
}: {
  log: Pick<Log, 'error'>;
  metrics: Pick<Metrics, 'countUnhandled'>;
}): Disposable {
  const handlerOf = (kind: 'rejection' | 'exception') => (error: unknown) => {
    metrics.countUnhandled(kind);
    log.error({ err: error, kind }, 'an error had no handler; the call that it comes from fails');
    currentWork.getStore()?.(error);
  };
  const [onRejection, onException] = [handlerOf('rejection'), handlerOf('exception')];
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return {
    [Symbol.dispose]: () => {
      process.off('unhandledRejection', onRejection);
      process.off('uncaughtException', onException);
    },
  };
}
