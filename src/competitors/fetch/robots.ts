import { createRequire } from 'node:module';
import { ServiceError } from '../../kernel/errors.ts';
import type { NetAnswer } from '../../platform/net.ts';

/** The name that rules of robots.txt call this service by. */
const ROBOT_NAME = 'svc-watch';

/** Rules are read anew when they are so old; sites that fail are asked again sooner. */
const CACHE_MS = 60 * 60_000;
const RETRY_MS = 5 * 60_000;
const MOST_BYTES = 512 * 1024;
const MOST_SITES = 2_000;
/** A site that asks for more is left alone between two looks, not while one waits. */
const MOST_DELAY_MS = 30_000;

/** Used part of `robots-parser`. It is CommonJS, and its types say otherwise. */
interface Robot {
  isAllowed(url: string, robot: string): boolean | undefined;
  getCrawlDelay(robot: string): number | undefined;
  getSitemaps(): string[];
}
const robotsParser = createRequire(import.meta.url)('robots-parser') as (url: string, text: string) => Robot;

interface Rules {
  robot: Robot;
  readAt: number;
  cacheMs: number;
}

/** Rules of a site for those who fetch an address. */
interface RobotRules {
  isAllowed: boolean;
  /** Between two requests to the site; 0 when it says nothing. */
  delayMs: number;
}

/**
 * Rules of robots.txt by site (RFC 9309), read once an hour. A site without the file allows everything; one whose file
 * cannot be read because the site fails allows nothing until it can.
 */
export class RobotFiles {
  readonly #rules = new Map<string, Rules>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * @param read fetches one address; redirects are followed by it.
   * @throws ServiceError what `read` throws; `upstream_failed` while the site answers with a failure.
   */
  async rulesFor(url: URL, read: (address: string, mostBytes: number) => Promise<NetAnswer>): Promise<RobotRules> {
    const { robot } = this.#cachedRules(url.origin) ?? (await this.#read(url.origin, read));
    const delayMs = (robot.getCrawlDelay(ROBOT_NAME) ?? 0) * 1_000;
    return {
      isAllowed: robot.isAllowed(url.href, ROBOT_NAME) !== false,
      delayMs: Math.min(MOST_DELAY_MS, delayMs),
    };
  }

  /** Returns the sitemaps that robots.txt of a site names; none before it was read. */
  sitemapsOf(url: URL): string[] {
    return this.#cachedRules(url.origin)?.robot.getSitemaps() ?? [];
  }

  #cachedRules(origin: string): Rules | undefined {
    const rules = this.#rules.get(origin);
    return rules === undefined || this.#now().getTime() - rules.readAt > rules.cacheMs ? undefined : rules;
  }

  async #read(origin: string, read: (address: string, mostBytes: number) => Promise<NetAnswer>): Promise<Rules> {
    const address = `${origin}/robots.txt`;
    const { status, text } = await read(address, MOST_BYTES);
    if (status === 429 || status >= 500) {
      throw new ServiceError(
        'upstream_failed',
        `${address} answers ${status}, so nothing of the site may be fetched now.`,
        {
          fix: 'Try again later.',
        },
      );
    }
    const isThere = status >= 200 && status < 300;
    const rules = {
      robot: robotsParser(address, isThere ? text : ''),
      readAt: this.#now().getTime(),
      cacheMs: isThere ? CACHE_MS : RETRY_MS,
    };
    const [oldest] = this.#rules.keys();
    if (this.#rules.size >= MOST_SITES && oldest !== undefined) this.#rules.delete(oldest);
    this.#rules.delete(origin);
    this.#rules.set(origin, rules);
    return rules;
  }
}
