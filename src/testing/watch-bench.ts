import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type CaptureRow, selectCapture, selectChanges } from '../competitors/store/store-changes.ts';
import { type CheckResult, checkPages } from '../competitors/watch/check.ts';
import { findCompetitor, watchCompetitor } from '../competitors/watch/watch-list.ts';
import type { KnowledgeIndex } from '../knowledge/knowledge.ts';
import { testKnowledge } from './knowledge.ts';
import { type TestAccount, testAccount } from './account.ts';
import { type CompetitorBench, testCompetitors, type TestCompetitorOptions, testSite } from './competitors.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A site of one competitor, Acme, and what watches it for an account that each test has alone. */
class WatchBench {
  /** Answers of the site by path; 404 elsewhere. */
  readonly answers = new Map<string, Answer>();
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  readonly signal = new AbortController().signal;
  now = new Date(0);
  url = '';
  // Made before the first test.
  account = undefined as unknown as TestAccount;
  knowledge = undefined as unknown as KnowledgeIndex;
  bench = undefined as unknown as CompetitorBench;

  get competitors(): CompetitorBench['competitors'] {
    return this.bench.competitors;
  }

  serve(path: string, html: () => string, headers: Record<string, string> = {}): void {
    this.answers.set(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html());
    });
  }

  async watch(...paths: string[]): Promise<void> {
    const pages = paths.map((path) => ({ url: this.url + path }));
    await watchCompetitor(this.competitors, this.account, { name: 'Acme', pages });
  }

  /** A minute later. */
  async check(): Promise<CheckResult[]> {
    this.now = new Date(this.now.getTime() + 60_000);
    const { pages } = await findCompetitor(this.competitors, this.account, 'acme');
    return checkPages(this.competitors, this.account, pages, { signal: this.signal });
  }

  async statuses(): Promise<string[]> {
    return (await this.check()).map(({ status }) => status);
  }

  captureOf(id: string | null | undefined): Promise<CaptureRow | undefined> {
    return selectCapture(this.account.db, this.account, id ?? '');
  }

  async changes() {
    return (await selectChanges(this.account.db, this.account, { limit: 50, offset: 0 })).rows;
  }
}

/** One bench for the tests of a file; each begins without pages. */
export function useWatchBench(
  options: Pick<TestCompetitorOptions, 'chromium' | 'limitMs' | 'findFeatures'> = {},
): WatchBench {
  const bench = new WatchBench();
  let site: Awaited<ReturnType<typeof testSite>>;
  beforeAll(async () => {
    site = await testSite((request, response) => {
      const path = request.url ?? '/';
      bench.requests.push({ path, headers: request.headers });
      const answer = bench.answers.get(path);
      if (answer === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
      else answer(request, response);
    });
    bench.url = site.url;
    const { db } = await testAccount();
    bench.knowledge = testKnowledge(db);
    bench.bench = testCompetitors(db, { ...options, now: () => bench.now, knowledge: bench.knowledge });
  });
  afterAll(() => Promise.all([site.close(), bench.bench.close(), bench.knowledge.close()]));
  beforeEach(async () => {
    bench.answers.clear();
    bench.requests.length = 0;
    bench.now = new Date('2026-03-01T00:00:00Z');
    bench.bench.forget();
    bench.account = await testAccount();
  });
  return bench;
}

/** A page of prices whose counter is another one at each request. */
export function plansPage(price: string, extra = ''): string {
  return `<html><body><nav><a href="/">Home</a></nav><main><h1>Plans</h1><p>Views today: ${Math.random()}</p>
    <h2>Team</h2><p>${price} per user and month, with 20 projects.</p>${extra}</main></body></html>`;
}
