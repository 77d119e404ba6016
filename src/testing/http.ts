import { pino } from 'pino';
import { httpApp } from '../http/app.ts';
import type { AuthParts, KeyGate } from '../http/auth.ts';
import type { Allowance } from '../keys/keys.ts';
import { allowedHosts } from '../http/guards.ts';
import { listen } from '../http/server.ts';
import { toolTable, type ToolServing } from '../mcp/server.ts';
import { Sessions } from '../mcp/sessions.ts';
import { StreamableHttp } from '../mcp/streamable-http.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { AnyOperation, Caller } from '../platform/operation/operation.ts';
import type { SliceRoutes } from '../platform/web.ts';

/** A running service on a free port of this machine. */
export interface TestService {
  url: string;
  sessions: Sessions;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
  calls: Parameters<Metrics['countToolCall']>[0][];
  /** Route and code of each counted error. */
  errors: string[];
  close(): Promise<void>;
}

export interface TestServiceOptions {
  operations: readonly AnyOperation[];
  gate: KeyGate;
  owner?: AuthParts['owner'];
  routes?: readonly SliceRoutes[];
  /** As `SVC_ALLOWED_HOSTS`. */
  allowedHosts?: readonly string[];
  port?: number;
  ssePostAuth?: 'key' | 'session';
  keepAliveMs?: number;
  mostBufferedBytes?: number;
  drainLimitMs?: number;
  serving?: Pick<ToolServing, 'limitMs' | 'heartbeatMs' | 'resources'>;
}

const now = (): Date => new Date();

/** Starts the doors over a real listener, with the given gate. */
export async function startService(options: TestServiceOptions): Promise<TestService> {
  const logged: Record<string, unknown>[] = [];
  const calls: Parameters<Metrics['countToolCall']>[0][] = [];
  const errors: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const serving: Omit<ToolServing, 'operations'> = {
    version: '0.0.0',
    log,
    now,
    countCall: (call) => void calls.push(call),
  };
  const table = toolTable({ operations: options.operations, ...serving, ...options.serving });
  const { gate } = options;
  const sessions = new Sessions(table, {
    endpoint: '/v1/mcp/sse',
    deadAmong: (keyIds) => gate.deadAmong(keyIds),
    ...(options.keepAliveMs === undefined ? {} : { keepAliveMs: options.keepAliveMs }),
    ...(options.mostBufferedBytes === undefined ? {} : { mostBufferedBytes: options.mostBufferedBytes }),
  });
  const streamable = new StreamableHttp(table);
  const forget = gate.onDead((keyId, secretId) => {
    streamable.revoke(keyId, secretId);
    sessions.revoke(keyId, secretId).catch((error: unknown) => log.error(error));
  });
  const streamOwner =
    options.ssePostAuth === 'session' ? (id: string): Caller | undefined => sessions.callerOf(id) : undefined;
  const app = httpApp({
    table,
    sessions,
    streamable,
    auth: { gate, owner: options.owner ?? (() => undefined), streamOwner, now },
    hosts: allowedHosts({ host: '127.0.0.1', more: options.allowedHosts ?? [] }),
    routes: options.routes ?? [],
    readiness: async () => ({ waiting: [], missing: [] }),
    failing: () => undefined,
    version: '0.0.0',
    log,
    countError: ({ route, code }) => void errors.push(`${route} ${code}`),
  });
  const listener = await listen(app, {
    host: '127.0.0.1',
    port: options.port ?? 0,
    variable: 'SVC_PORT',
    drain: async (limitMs) => {
      await Promise.all([sessions.drain(limitMs), streamable.drain(limitMs)]);
    },
    ...(options.drainLimitMs === undefined ? {} : { drainLimitMs: options.drainLimitMs }),
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    sessions,
    logged,
    calls,
    errors,
    async close() {
      forget();
      await listener.close();
    },
  };
}

/** Keys in memory, for tests of the doors alone; what keys really do is tested where they live. */
export class TestKeys implements KeyGate {
  readonly counted: string[] = [];
  readonly #callers = new Map<string, Caller>();
  readonly #listeners = new Set<(keyId: string) => void>();
  readonly #limit: number;
  readonly #productLimit: number | undefined;
  readonly #takenOf = new Map<string, number>();
  #taken = 0;
  #failures = 0;

  constructor(limit = 600, productLimit?: number) {
    this.#limit = limit;
    this.#productLimit = productLimit;
  }

  /** Makes a key work; returns its secret. */
  add(
    keyId: string,
    scopes: Caller['scopes'] = ['read', 'decisions:write'],
    productId = `product-of-${keyId}`,
  ): string {
    const secret = `svc_live_${keyId}`;
    this.#callers.set(secret, { accountId: 'account', productId, keyId, scopes, secretId: `secret-of-${keyId}` });
    return secret;
  }

  /** Ends a key, as a deletion does. With `silently` no notice is sent, as when one is lost. */
  end(keyId: string, silently = false): void {
    this.#callers.delete(`svc_live_${keyId}`);
    if (!silently) for (const listener of this.#listeners) listener(keyId);
  }

  async authenticate(secret: string): Promise<Caller | undefined> {
    return this.#callers.get(secret);
  }

  take(): Allowance {
    const allowed = ++this.#taken <= this.#limit;
    const remaining = Math.max(0, this.#limit - this.#taken);
    return { allowed, limit: this.#limit, remaining, resetSeconds: 1, retryAfterSeconds: allowed ? 0 : 7 };
  }

  takeOfProduct(productId: string): Allowance | undefined {
    if (this.#productLimit === undefined) return undefined;
    const taken = (this.#takenOf.get(productId) ?? 0) + 1;
    this.#takenOf.set(productId, taken);
    const [limit, allowed] = [this.#productLimit, taken <= this.#productLimit];
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - taken),
      resetSeconds: 1,
      retryAfterSeconds: allowed ? 0 : 9,
    };
  }

  allowFailure(): boolean {
    return ++this.#failures <= 60;
  }

  count(keyId: string, operation: string): void {
    this.counted.push(`${keyId} ${operation}`);
  }

  onDead(listener: (keyId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async deadAmong(keyIds: readonly string[]): Promise<string[]> {
    return keyIds.filter((keyId) => !this.#callers.has(`svc_live_${keyId}`));
  }
}
