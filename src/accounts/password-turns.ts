import { ServiceError } from '../kernel/errors.ts';

/** Passwords of one network address that are compared at a time; each takes 40 ms of a processor and 19 MiB. */
const AT_A_TIME = 2;
/** More than wait for a turn in an office on a Monday. */
const MOST_WAITING = 64;

/** The attempts of one address. */
interface Line {
  running: number;
  waiting: (() => void)[];
}

/** Lets attempts to sign in by password wait for each other, by address: many of them get slow and are not locked out. */
export class PasswordTurns {
  readonly #lines = new Map<string, Line>();

  /** Does the work when it is its turn. @throws ServiceError `rate_limited` when too many of the address wait already. */
  async run<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(address) ?? { running: 0, waiting: [] };
    this.#lines.set(address, line);
    if (line.running < AT_A_TIME) line.running += 1;
    else await this.#wait(line);
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      // The turn goes over to who waits.
      if (next !== undefined) next();
      else if ((line.running -= 1) === 0) this.#lines.delete(address);
    }
  }

  /** Addresses whose attempts are being looked at. */
  get size(): number {
    return this.#lines.size;
  }

  async #wait(line: Line): Promise<void> {
    if (line.waiting.length >= MOST_WAITING) {
      throw new ServiceError('rate_limited', 'Too many attempts to sign in come from your network address now.', {
        fix: 'Try again in a few seconds, or sign in with a link.',
      });
    }
    await new Promise<void>((resolve) => line.waiting.push(resolve));
  }
}
