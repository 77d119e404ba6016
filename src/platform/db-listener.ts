import { Client, escapeIdentifier, type ClientConfig } from 'pg';
import { explainDatabaseError } from './db-pool.ts';

/** A dead connection is noticed after at most this long plus as long again for the answer that does not come. */
const HEARTBEAT_MS = 5_000;

/** Waits between attempts to connect again: short at first, because notifications are missed meanwhile. */
const RECONNECT_MS = [100, 500, 1_000, 2_000, 5_000];

interface Subscription {
  channel: string;
  onMessage: (payload: string) => void;
  onConnection: ((live: boolean) => void) | undefined;
}

/**
 * All LISTENs of a process on one connection of their own, opened at the first and opened again when it breaks. A
 * connection in a pool would lose them.
 */
export class ServerListener {
  readonly #config: ClientConfig;
  readonly #heartbeatMs: number;
  #subscriptions = new Set<Subscription>();
  #client: Client | undefined;
  #connecting: Promise<Client> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(config: ClientConfig, heartbeatMs: number = HEARTBEAT_MS) {
    this.#config = { ...config, query_timeout: heartbeatMs, keepAlive: true };
    this.#heartbeatMs = heartbeatMs;
  }

  /** Rejects when the first connection cannot be made. From then on it heals itself. */
  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onConnection?: (live: boolean) => void,
  ): Promise<() => Promise<void>> {
    const subscription: Subscription = { channel, onMessage, onConnection };
    this.#subscriptions.add(subscription);
    try {
      const client = await this.#connected();
      await client.query(`listen ${escapeIdentifier(channel)}`);
    } catch (error) {
      this.#subscriptions.delete(subscription);
      throw explainDatabaseError(error);
    }
    onConnection?.(true);
    return async () => {
      this.#subscriptions.delete(subscription);
      if ([...this.#subscriptions].some((other) => other.channel === channel)) return;
      // A connection that breaks just now has no LISTEN left to take back.
      await this.#client?.query(`unlisten ${escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#subscriptions.clear();
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #connected(): Promise<Client> {
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#config);
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const subscription of this.#subscriptions)
        if (subscription.channel === channel) subscription.onMessage(payload);
    });
    await client.connect();
    if (this.#isClosed) {
      await client.end();
      throw new Error('The database has been closed.');
    }
    this.#client = client;
    this.#beat(client);
    return client;
  }

  #beat(client: Client): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#client === client && this.#beat(client),
        () => this.#lost(client),
      );
    }, this.#heartbeatMs).unref();
  }

  /** Reports to every listener that messages may be missed from here on, once per connection, and starts over. */
  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined);
    for (const subscription of this.#subscriptions) subscription.onConnection?.(false);
    this.#restoreSoon(0);
  }

  #restoreSoon(attempt: number): void {
    clearTimeout(this.#timer);
    const waitMs = RECONNECT_MS[Math.min(attempt, RECONNECT_MS.length - 1)];
    this.#timer = setTimeout(() => {
      this.#restore().catch(() => {
        if (!this.#isClosed) this.#restoreSoon(attempt + 1);
      });
    }, waitMs).unref();
  }

  async #restore(): Promise<void> {
    const client = await this.#connected();
    const channels = new Set([...this.#subscriptions].map((subscription) => subscription.channel));
    for (const channel of channels) await client.query(`listen ${escapeIdentifier(channel)}`);
    for (const subscription of this.#subscriptions) subscription.onConnection?.(true);
  }
}
