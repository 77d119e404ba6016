import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Competitors, openFetcher, PageReader, Renderer } from '../competitors/competitors.ts';
import { RobotFiles } from '../competitors/fetch/robots.ts';
import type { Db } from '../platform/db.ts';
import { HANG_LIMIT_MS } from './limits.ts';
import { TEST_SECRET_KEYS } from './secrets.ts';

/** Competitors of a test, and the state that it may change. */
export interface CompetitorBench {
  competitors: Competitors;
  /** Duration of each wait; nothing really waits. */
  waits: number[];
  /** Robots files that were read, and waits. */
  forget: () => void;
  close: () => Promise<void>;
}

export interface TestCompetitorOptions {
  now?: () => Date;
  pauseMs?: number;
  shortestIntervalMs?: number;
  knowledge?: Competitors['knowledge'];
  findFeatures?: Competitors['findFeatures'];
  mailer?: Competitors['mailer'];
  chromium?: string;
  /** Of reading a page with the browser. */
  limitMs?: number;
}

/** Competitors whose clock is `now`, that may fetch from this machine and never really wait. */
export function testCompetitors(db: Db, options: TestCompetitorOptions = {}): CompetitorBench {
  const { now = () => new Date('2026-03-01T00:00:00Z'), pauseMs = 0, shortestIntervalMs = 0 } = options;
  const waits: number[] = [];
  const fetcher = openFetcher({
    net: { privateHosts: new Set(['127.0.0.1']), timeoutMs: HANG_LIMIT_MS },
    userAgent: 'svc-watch/test',
    pauseMs,
    wait: async (delayMs, signal) => {
      signal.throwIfAborted();
      waits.push(delayMs);
    },
    now,
  });
  const pages = new PageReader(HANG_LIMIT_MS);
  const nothing = {
    rank: () => Promise.reject(new Error('Nothing is searched here.')),
    quote: () => Promise.reject(new Error('Nothing is searched here.')),
  };
  const { knowledge = nothing, mailer, chromium, limitMs = HANG_LIMIT_MS } = options;
  const { findFeatures = async (_scope, { lists }) => lists.map(() => []) } = options;
  const renderer =
    chromium === undefined ? undefined : new Renderer(fetcher, { chromium, isSandboxed: false, limitMs });
  const retentionMs = 365 * 86_400_000;
  return {
    competitors: {
      db,
      knowledge,
      findFeatures,
      fetcher,
      secretKeys: TEST_SECRET_KEYS,
      mailer,
      baseUrl: 'http://svc.test',
      pages,
      renderer,
      shortestIntervalMs,
      retentionMs,
      now,
    },
    waits,
    forget: () => {
      waits.length = 0;
      fetcher.robots = new RobotFiles(now);
    },
    close: async () => {
      await Promise.all([pages.close(), renderer?.close()]);
    },
  };
}

/** A site on a free port of this machine. */
export async function testSite(answer: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
