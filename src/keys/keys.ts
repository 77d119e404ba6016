import { type Actor, displayName, findProduct, listProducts, lockAccount, recordAudit } from '../accounts/accounts.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import { type Database, type Db, notifyInTransaction } from '../platform/db.ts';
import type { Caller } from '../platform/operation/operation.ts';
import {
  type ApiKey,
  asApiKey,
  expiredKey,
  expiryFrom,
  graceEnd,
  type GracePeriod,
  keyStatus,
  newScopes,
  unknownKey,
} from './api-key.ts';
import { changeKeyLimits, readKeyLimits, requireRoomForKey } from './key-limits.ts';
import { type KeyCheck, keyCheck, makerOf, productFor, settlement, type Settlement } from './makers.ts';
import type { Allowance } from './rate-limit.ts';
import { RequestLimits, type RequestLimitSettings } from './request-limits.ts';
import {
  insertKey,
  type KeyRow,
  lockKey,
  type LockedKeyRow,
  removeFormerHash,
  removeKey,
  renameKey,
  replaceHash,
  selectKeys,
  selectUsedOperations,
} from './store.ts';
import type { KeyCounts } from './store-limits.ts';
import { createSecret, hashSecret } from './token.ts';
import { type KeyUsage, readRequestsByDay, readRequestsToday, readUsage, UsageCounter } from './usage.ts';
import { KeyVerifier } from './verifier.ts';

export type { ApiKey } from './api-key.ts';
export { nameActors } from './actor-names.ts';
export { KeyBody, keyBodies } from './key-bodies.ts';
export { KeyQuotaLimits, type KeyQuotas } from './key-quotas.ts';
export { findManagedKey, listManagedKeys } from './managed-keys.ts';
export type { Allowance, RateLimiter } from './rate-limit.ts';
export type { KeyUsage } from './usage.ts';

/**
 * Carries `<key id>` of a deleted or limited key and `<key id> <present hash>` of a regenerated one, with
 * `<former hash> <end in ms>` behind it while that works too; `all <account id>` when the rights of people changed.
 */
const CHANNEL = 'api_key_changed';
const ALL_KEYS = 'all';

const TICK_MS = 1_000;

/** A key together with its secret: the only time that anybody sees it. */
interface NewKey {
  key: ApiKey;
  secret: string;
}

/** Key of an account, and the actor of the request. */
interface KeyRequest {
  accountId: string;
  keyId: string;
  actor: Actor;
}

interface CreateKeyRequest {
  accountId: string;
  /** Id or name of the product that the key is bound to. */
  product: string;
  /** 1 to 80 characters; several keys may share it. */
  name: string;
  /** A span (`30d`, `12h`) or an ISO date in the future; without it the key never ends. */
  expires?: string | undefined;
  /** Without it: `read`, `decisions:write`, `plans:write`, `scrape`. */
  scopes?: readonly string[] | undefined;
  actor: Actor;
  /** Made with the owner's token: it belongs to the installation, and no change of a person's role concerns it. */
  byOwner?: boolean | undefined;
}

interface KeysOptions extends RequestLimitSettings {
  /** Called when counts could not be written (they stay and are tried again) or keys could not be checked again. */
  onFault: (error: unknown) => void;
}

/**
 * Opens the API keys of a database: checks, limits and counts requests in memory, hears changes that other processes
 * make, and every second writes what was counted and ends keys whose time has come. `close` it before the database.
 */
export async function openKeys(database: Database, now: () => Date, options: KeysOptions): Promise<Keys> {
  const verifier = new KeyVerifier(database.db, now);
  const stopListening = await database.listen(
    CHANNEL,
    (payload) => {
      const [keyId = '', hash, formerHash, endMs] = payload.split(' ');
      if (keyId === ALL_KEYS && hash !== undefined) return void verifier.recheck(hash).catch(options.onFault);
      const former = formerHash === undefined ? undefined : { hash: formerHash, endsAtMs: Number(endMs) };
      verifier.changed(keyId, hash, former);
    },
    (isLive) => void verifier.hearing(isLive).catch(options.onFault),
  );
  return new Keys({ db: database.db, now, verifier, stopListening, options });
}

/** The API keys of all accounts, made by `openKeys`. */
export class Keys {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #verifier: KeyVerifier;
  readonly #usage: UsageCounter;
  readonly #requests: RequestLimits;
  readonly #stopListening: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: {
    db: Db;
    now: () => Date;
    verifier: KeyVerifier;
    stopListening: () => Promise<void>;
    options: KeysOptions;
  }) {
    this.#db = parts.db;
    this.#now = parts.now;
    this.#verifier = parts.verifier;
    this.#usage = new UsageCounter(parts.db);
    this.#requests = new RequestLimits(parts.options, parts.now);
    this.#stopListening = parts.stopListening;
    this.#timer = setInterval(() => void this.tick().catch(parts.options.onFault), TICK_MS).unref();
  }

  /**
   * Makes a key and gives its secret, this once. It acts for who makes it; one that a key makes, for that key's person.
   *
   * @throws ServiceError `bad_argument` for a name, expiry or scope that cannot be used, `not_found` for an unknown
   * product, `scope_denied` for more than its person may, `conflict` when its person or
   * the account has as many keys as they may, expired ones among them.
   */
  async createKey(request: CreateKeyRequest): Promise<NewKey> {
    const { accountId, actor } = request;
    const now = this.#now();
    const name = displayName(request.name, 'API key');
    const expiresAt = expiryFrom(request.expires, now);
    const secret = createSecret();
    const { row, productName } = await this.#db.transaction().execute(async (tx) => {
      await lockAccount(tx, accountId);
      const { personId } = await makerOf(tx, request);
      const { role, ...product } = await productFor(tx, request, personId);
      const maker = { personId, role };
      const scopes = [...newScopes(maker.role ?? 'installation', request.scopes)];
      await requireRoomForKey(tx, accountId, { ...maker, productId: product.id, byOwner: request.byOwner === true });
      const key = { id: uuidv7(now), productId: product.id, name, scopes, createdBy: actor, createdAt: now };
      const made: KeyRow = { ...key, ...maker, expiresAt: expiresAt ?? null, lastUsedAt: null, graceEndsAt: null };
      await insertKey(tx, accountId, { ...made, hash: hashSecret(secret) });
      const detail = { name, product_id: product.id, scopes, expires_at: expiresAt ?? null };
      await recordAudit(tx, { accountId, actor, action: 'api_key.create', target: made.id, at: now, detail });
      return { row: made, productName: product.name };
    });
    return { key: asApiKey(row, productName, now), secret };
  }

  /**
   * Changes the keys of a member who gets another role (they can do no more than it) or leaves (they are handed over to the
   * member `keysTo`, else they end). Takes effect like `deleteKey`, once `apply` is called after the change.
   */
  settlement(keysTo?: string): Settlement {
    return settlement({
      keysTo,
      check: this.recheck(),
      notify: (tx, keyId) => notifyInTransaction(tx, CHANNEL, keyId),
      changed: (keyId) => this.#verifier.changed(keyId, undefined),
    });
  }

  /** The check of the keys of an account after a change of what its people may do or see. Takes effect like `settlement`. */
  recheck(): KeyCheck {
    return keyCheck({
      notify: (tx, accountId) => notifyInTransaction(tx, CHANNEL, `${ALL_KEYS} ${accountId}`),
      recheck: (accountId) => this.#verifier.recheck(accountId),
    });
  }

  /** Keys of an account, newest first, expired ones as well. */
  async listKeys(accountId: string): Promise<ApiKey[]> {
    const products = new Map((await listProducts(this.#db, accountId)).map(({ id, name }) => [id, name]));
    const rows = await selectKeys(this.#db, accountId);
    return rows.map((row) => asApiKey(row, products.get(row.productId) ?? '', this.#now()));
  }

  /** Returns how many keys there may be. */
  keyLimits(accountId: string): Promise<KeyCounts> {
    return readKeyLimits(this.#db, accountId);
  }

  /** Changes how many keys there may be. Those that are more by now stay. */
  changeKeyLimits(accountId: string, actor: Actor, limits: Partial<KeyCounts>): Promise<KeyCounts> {
    return changeKeyLimits(this.#db, { accountId, actor, limits }, this.#now());
  }

  /** Gives a key another name. @throws ServiceError `not_found`, and `bad_argument` for a name that cannot be used. */
  async renameKey({ accountId, keyId, actor }: KeyRequest, requestedName: string): Promise<ApiKey> {
    const now = this.#now();
    const name = displayName(requestedName, 'API key');
    const row = await this.#db.transaction().execute(async (tx) => {
      const key = await requireLockedKey(tx, accountId, keyId);
      await renameKey(tx, accountId, { id: keyId, name });
      const change = { accountId, actor, action: 'api_key.rename', target: keyId, at: now } as const;
      await recordAudit(tx, { ...change, detail: { name, former_name: key.name } });
      return { ...key, name };
    });
    const product = await findProduct(this.#db, accountId, row.productId);
    return asApiKey(row, product?.name ?? '', now);
  }

  /**
   * Gives a key a new secret and keeps everything else. When this resolves the former secret does not work here any more
   * and `onDead` was told; on other replicas the same happens as soon as the message reaches them. With a grace period the
   * former secret works until its end, within a second; one that was in such a period already ends at once.
   *
   * @throws ServiceError `not_found`, and `conflict` for an expired key.
   */
  async regenerateKey({ accountId, keyId, actor }: KeyRequest, grace: GracePeriod = 'none'): Promise<NewKey> {
    const now = this.#now();
    const secret = createSecret();
    const hash = hashSecret(secret);
    const { former, ...row } = await this.#db.transaction().execute(async (tx) => {
      const key = await requireLockedKey(tx, accountId, keyId);
      if (keyStatus(key.expiresAt ?? undefined, now) === 'expired') throw expiredKey(key);
      const graceEndsAt = graceEnd(grace, key.expiresAt, now);
      await replaceHash(tx, accountId, { key, hash, graceEndsAt });
      const change = { accountId, actor, action: 'api_key.regenerate', target: keyId, at: now } as const;
      await recordAudit(tx, {
        ...change,
        detail: { name: key.name, ...(graceEndsAt && { grace_ends_at: graceEndsAt }) },
      });
      const formerSecret = graceEndsAt === null ? undefined : { hash: key.hash, endsAtMs: graceEndsAt.getTime() };
      await notifyInTransaction(
        tx,
        CHANNEL,
        [keyId, hash, ...(formerSecret ? [formerSecret.hash, formerSecret.endsAtMs] : [])].join(' '),
      );
      return { ...key, graceEndsAt, former: formerSecret };
    });
    this.#verifier.changed(keyId, hash, former);
    const product = await findProduct(this.#db, accountId, row.productId);
    return { key: asApiKey(row, product?.name ?? '', now), secret };
  }

  /**
   * Ends the grace period of a regenerated key now; one that is over or never was is left as it is. Takes effect like
   * `regenerateKey`. @throws ServiceError `not_found`.
   */
  async endGrace({ accountId, keyId, actor }: KeyRequest): Promise<void> {
    const now = this.#now();
    const hash = await this.#db.transaction().execute(async (tx) => {
      const key = await requireLockedKey(tx, accountId, keyId);
      if (key.graceEndsAt === null || key.graceEndsAt <= now) return undefined;
      await removeFormerHash(tx, accountId, key);
      const change = { accountId, actor, action: 'api_key.end_grace', target: keyId, at: now } as const;
      await recordAudit(tx, { ...change, detail: { name: key.name } });
      await notifyInTransaction(tx, CHANNEL, `${keyId} ${key.hash}`);
      return key.hash;
    });
    if (hash !== undefined) this.#verifier.changed(keyId, hash);
  }

  /**
   * Deletes a key with its usage, for good. Takes effect like `regenerateKey`.
   *
   * @throws ServiceError `not_found`, also when it was deleted already.
   */
  async deleteKey({ accountId, keyId, actor }: KeyRequest): Promise<void> {
    const now = this.#now();
    await this.#db.transaction().execute(async (tx) => {
      const key = await requireLockedKey(tx, accountId, keyId);
      await removeKey(tx, accountId, key);
      const change = { accountId, actor, action: 'api_key.delete', target: keyId, at: now } as const;
      await recordAudit(tx, { ...change, detail: { name: key.name } });
      await notifyInTransaction(tx, CHANNEL, keyId);
    });
    this.#verifier.changed(keyId, undefined);
  }

  /** Usage by the days of a time zone, UTC without one. @throws ServiceError `not_found`, `bad_argument` for no time zone. */
  async keyUsage(accountId: string, keyId: string, zone = 'UTC'): Promise<KeyUsage> {
    const question = { accountId, keyId, zone };
    const usage = isUuid(keyId) ? await readUsage(this.#db, question, this.#now()) : undefined;
    if (usage === undefined) throw unknownKey(keyId);
    return usage;
  }

  /** Requests of these keys today, in a time zone. @throws ServiceError `bad_argument` for no time zone. */
  requestsToday(accountId: string, keyIds: readonly string[], zone = 'UTC'): Promise<number> {
    return readRequestsToday(this.#db, { accountId, keyIds, zone }, this.#now());
  }

  /** Requests of these keys on each of the last 30 days of a time zone. @throws ServiceError `bad_argument` for no time zone. */
  requestsByDay(accountId: string, keyIds: readonly string[], zone = 'UTC'): Promise<Map<string, number[]>> {
    return readRequestsByDay(this.#db, { accountId, keyIds, zone }, this.#now());
  }

  /** Returns the operations that the keys of an account were used for since a moment, each pair once. */
  usedOperations(accountId: string, since: Date): Promise<{ keyId: string; operation: string }[]> {
    return selectUsedOperations(this.#db, accountId, since);
  }

  /**
   * Returns the caller of this secret; undefined for every secret that does not work, whatever the reason. Microseconds for
   * a key that was used within the last minute, two queries otherwise. Rejects when the database does not answer.
   */
  authenticate(secret: string): Promise<Caller | undefined> {
    return this.#verifier.authenticate(secret);
  }

  /**
   * Calls the listener with each key whose secret stops working: deleted, regenerated, or expired (within a second), and the
   * `secretId` of its callers. Once per secret, and only for those that were used here. The returned function stops it.
   */
  onDead(listener: (keyId: string, secretId: string) => void): () => void {
    return this.#verifier.onDead(listener);
  }

  /** Returns the keys without a working secret, read in one query per account. Listeners of `onDead` are called for them. */
  deadAmong(keyIds: readonly string[]): Promise<string[]> {
    return this.#verifier.deadAmong(keyIds);
  }

  /** Takes one request from the key's limit, which each process counts for itself. */
  take(keyId: string): Allowance {
    return this.#requests.take(keyId);
  }

  /** Takes one request from the limit of a product; undefined without one. Each process counts for itself. */
  takeOfProduct(productId: string): Allowance | undefined {
    return this.#requests.takeOfProduct(productId);
  }

  /** Requests of a key, or of a product that has a limit, that count against it now. */
  recentRequests(of: 'key' | 'product', id: string): number {
    return this.#requests.used(of, id);
  }

  /** Notes a failed attempt; false when the address failed 60 times within the last minute. */
  allowFailure(address: string): boolean {
    return this.#requests.allowFailure(address);
  }

  /**
   * Counts one request of a key that was authenticated here; others are not counted. `operation` is a name of ours, never
   * text of a client.
   */
  count(keyId: string, operation: string, now: Date): void {
    const accountId = this.#verifier.accountOf(keyId);
    if (accountId !== undefined) this.#usage.count({ accountId, keyId }, operation, now);
  }

  /** Writes what was counted until now. Happens every second by itself. */
  flush(): Promise<void> {
    return this.#usage.flush();
  }

  /** The work of every second: keys end, limits that are whole again are dropped, counts are written. */
  async tick(): Promise<void> {
    this.#verifier.expire(this.#now().getTime());
    this.#requests.sweep();
    await this.flush();
  }

  /** Writes what was counted and stops. Rejects when it cannot be written. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.flush();
    } finally {
      await this.#stopListening();
    }
  }
}

async function requireLockedKey(tx: Db, accountId: string, keyId: string): Promise<LockedKeyRow> {
  const key = isUuid(keyId) ? await lockKey(tx, accountId, keyId) : undefined;
  if (key === undefined) throw unknownKey(keyId);
  return key;
}
