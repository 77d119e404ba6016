import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../kernel/errors.ts';
import type { Watch } from '../../platform/supervision.ts';
import { workerUrl } from '../../platform/threads.ts';
import { type Fetcher, fetchResource } from '../fetch/fetch-page.ts';
import type { RenderOrder, RenderReport, RenderStart, ResourceAnswer, ResourceRequest } from './render-message.ts';

/** From handing a page over to having its text. */
const LIMIT_MS = 30_000;
/** Between the fetches of one look the browser stays open. */
const IDLE_MS = 30_000;
const HEAP_MEGABYTES = 256;
/** Of all that a page asks for. */
const MOST_BYTES = 20 * 1024 * 1024;
/** Time in which scripts are requested once: a look renders a page several times. */
const SCRIPT_CACHE_MS = 5 * 60_000;
const SCRIPT_CACHE_BYTES = 32 * 1024 * 1024;
/** Said of the connection that brought the answer, not of what it says. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie)$/;

interface RenderSettings extends Omit<RenderStart, 'userAgent'> {
  /** 30 s when absent. */
  limitMs?: number;
  /** Receives a report when the browser ends unexpectedly, or has to be ended. The next page starts another one. */
  watch?: Watch | undefined;
}

/**
 * Runs the scripts of pages in Chromium, one page at a time, in a process of its own that reaches nothing by itself: what a
 * page asks for is fetched as pages are, from public addresses alone, as robots.txt allows, one request at a time to a host.
 */
export class Renderer {
  readonly #fetcher: Fetcher;
  readonly #settings: RenderSettings;
  readonly #scripts = new LRUCache<string, ResourceAnswer>({
    maxSize: SCRIPT_CACHE_BYTES,
    ttl: SCRIPT_CACHE_MS,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  #last: Promise<unknown> = Promise.resolve();
  #process: RenderProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(fetcher: Fetcher, settings: RenderSettings) {
    this.#fetcher = fetcher;
    this.#settings = settings;
  }

  /**
   * Returns the HTML of a page after its scripts ran. `html` is what its address answered. @throws ServiceError
   * `upstream_failed` when the page needs more time or memory than a page should, or the browser does not start; the reason of
   * the signal when it aborts.
   */
  render(page: { url: string; html: string; signal: AbortSignal }): Promise<string> {
    const turn = this.#last.then(() => this.#render(page));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#process?.end();
    this.#process = undefined;
  }

  async #render({ url, html, signal }: { url: string; html: string; signal: AbortSignal }): Promise<string> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const { limitMs = LIMIT_MS, watch, ...start } = this.#settings;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    let leftBytes = MOST_BYTES;
    try {
      this.#process ??= await RenderProcess.start({ ...start, userAgent: this.#fetcher.userAgent });
      const text = await this.#process.render({ url, html, signal: limited }, async (request) => {
        const answer = leftBytes > 0 ? await this.#resource(request, limited) : undefined;
        leftBytes -= answer?.bytes.length ?? 0;
        return answer;
      });
      this.#idle = setTimeout(() => {
        this.close().catch(() => undefined);
      }, IDLE_MS).unref();
      return text;
    } catch (cause) {
      const hasEnded = this.#process?.hasEnded === true;
      // What a page has done to its browser is not known.
      await this.close();
      signal.throwIfAborted();
      if (hasEnded || limited.aborted) watch?.ended(cause, { reason: hasEnded ? 'crashed' : 'deadline' });
      const why = limited.aborted
        ? `it takes more than ${limitMs / 1_000} s`
        : cause instanceof Error
          ? cause.message
          : '';
      throw new ServiceError('upstream_failed', `The page cannot be read with a browser: ${why}`, {
        fix: 'Read it without one, or watch another page.',
        cause,
      });
    }
  }

  async #resource(
    { url, headers, isScript }: ResourceRequest,
    signal: AbortSignal,
  ): Promise<ResourceAnswer | undefined> {
    const cached = isScript ? this.#scripts.get(url) : undefined;
    if (cached !== undefined) return cached;
    const answer = await fetchResource(this.#fetcher, { url, headers, signal });
    if (answer === undefined) return undefined;
    const passed = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.test(name) ? [] : [[name, String(value)]],
    );
    const resource = {
      status: answer.status,
      headers: Object.fromEntries(passed) as Record<string, string>,
      bytes: answer.bytes,
    };
    if (isScript && answer.status === 200) this.#scripts.set(url, resource);
    return resource;
  }
}

type Answerer = (request: ResourceRequest) => Promise<ResourceAnswer | undefined>;

/** A process with a browser, and the folder that it writes to. */
class RenderProcess {
  readonly #child: ChildProcess;
  readonly #home: string;
  #output = '';

  private constructor(child: ChildProcess, home: string) {
    this.#child = child;
    this.#home = home;
    child.stderr?.on('data', (part: Buffer) => (this.#output = (this.#output + part.toString()).slice(-500)));
  }

  static async start(start: RenderStart): Promise<RenderProcess> {
    const home = await mkdtemp(join(tmpdir(), 'svc-render-'));
    const child = fork(fileURLToPath(workerUrl(import.meta, './render-process')), [JSON.stringify(start)], {
      serialization: 'advanced',
      // Nothing of the service is known to what runs pages of others.
      env: { HOME: home, TMPDIR: home, PATH: process.env['PATH'] ?? '' },
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
    });
    // Whoever renders hears of it.
    child.on('error', () => undefined);
    return new RenderProcess(child, home);
  }

  /** @throws Error when the page or the process fails; the reason of the signal when it aborts. */
  render(page: { url: string; html: string; signal: AbortSignal }, answer: Answerer): Promise<string> {
    const { url, html, signal } = page;
    const child = this.#child;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const send = (order: RenderOrder): void => {
      if (child.connected) child.send(order, () => undefined);
    };
    const onMessage = (message: RenderReport): void => {
      if (message.type === 'done') return resolve(message.html);
      if (message.type === 'failed') return reject(new Error(message.message));
      answer(message.request).then(
        (resource) => send({ type: 'answer', id: message.id, answer: resource }),
        // A request that may not be made, or fails, fails for the page too.
        () => send({ type: 'answer', id: message.id }),
      );
    };
    const onExit = (): void => reject(new Error(`The browser ended. ${this.#output}`.trim()));
    const onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled.'));
    child.on('message', onMessage);
    child.once('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    if (child.connected) send({ type: 'page', url, html });
    else onExit();
    return promise.finally(() => {
      child.off('message', onMessage);
      child.off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    });
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The browser ends by itself when the pipe to its process is closed. */
  async end(): Promise<void> {
    if (!this.hasEnded && this.#child.pid !== undefined) {
      const gone = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await gone;
    }
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}
