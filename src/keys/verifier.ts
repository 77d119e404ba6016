import { LRUCache } from 'lru-cache';
import type { Db } from '../platform/db.ts';
import type { Caller, KeyScope } from '../platform/operation/operation.ts';
import { scopesNow } from './api-key.ts';
import { findKeyByHash, selectChecked, type CheckedKeyRow } from './store.ts';
import { hashSecret, isWellFormed } from './token.ts';

/** A key that was checked is trusted this long. A change to it ends the trust at once; this bounds what goes unheard. */
const TRUST_MS = 60_000;

/** Time in which a well-formed secret that does not work is not looked up again. */
const UNKNOWN_MS = 5_000;

const MOST_CACHED = 10_000;

/** Characters of its hash that are enough to distinguish the secrets of a key. */
const SECRET_ID_CHARACTERS = 12;

/** A read that keeps being overtaken by changes of keys is answered all the same after this many. */
const MOST_READS = 5;

/** A secret that was used here. */
interface CachedSecret {
  caller: Caller & { secretId: string };
  hash: string;
  endsAtMs: number;
  trustedUntilMs: number;
}

/** A key that was used here. Stays after its death, so that counting and checking still find its account. */
interface CachedKey {
  accountId: string;
  /** Secrets that work as far as is known: one, or two while the value before a regeneration works too. */
  secrets: Set<CachedSecret>;
}

/**
 * Verifies secrets. Checked keys are cached in memory and trusted only while changes made by other replicas arrive; a change
 * evicts its key at once. Costs a hash and a look-up in memory, or two primary-key queries.
 */
export class KeyVerifier {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #byHash = new LRUCache<string, CachedSecret>({ max: MOST_CACHED });
  readonly #unknownUntilMs = new LRUCache<string, number>({ max: MOST_CACHED });
  readonly #byId = new Map<string, CachedKey>();
  readonly #ending = new Set<CachedSecret>();
  readonly #reads = new Map<string, Promise<Caller | undefined>>();
  readonly #listeners = new Set<(keyId: string, secretId: string) => void>();
  /** Changes with every change of any key: a read that spans one may have seen the state before it. */
  #epoch = 0;
  #isLive = false;

  constructor(db: Db, now: () => Date) {
    this.#db = db;
    this.#now = now;
  }

  async authenticate(secret: string): Promise<Caller | undefined> {
    if (!isWellFormed(secret)) return undefined;
    const hash = hashSecret(secret);
    if (!this.#isLive) return this.#read(hash);
    const nowMs = this.#now().getTime();
    const cachedSecret = this.#byHash.get(hash);
    if (cachedSecret !== undefined && nowMs < cachedSecret.trustedUntilMs)
      return nowMs < cachedSecret.endsAtMs ? cachedSecret.caller : undefined;
    if (nowMs < (this.#unknownUntilMs.get(hash) ?? 0)) return undefined;
    return this.#reads.get(hash) ?? this.#startRead(hash);
  }

  accountOf(keyId: string): string | undefined {
    return this.#byId.get(keyId)?.accountId;
  }

  onDead(listener: (keyId: string, secretId: string) => void): () => void {
    // A function of our own, so that the same listener can be given twice.
    const own: typeof listener = (keyId, secretId) => listener(keyId, secretId);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /**
   * The key's secret has this hash from now on, and the former one works until it ends, if it does at all. Without any the
   * key is gone, or can more or less than it could: what is open for it ends, and the next request asks anew. Hearing it
   * twice does nothing more.
   */
  changed(keyId: string, hash: string | undefined, former?: { hash: string; endsAtMs: number }): void {
    this.#epoch += 1;
    for (const secret of this.#byId.get(keyId)?.secrets ?? []) {
      if (secret.hash === former?.hash) this.#endAt(secret, Math.min(secret.endsAtMs, former.endsAtMs));
      else if (secret.hash !== hash) this.#die(secret);
    }
  }

  /**
   * The rights of people of the account changed: each of its keys is read before it is trusted again, and what is open for those
   * that can do something else, or nothing, has ended when this resolves. Hearing it twice does nothing more.
   */
  async recheck(accountId: string): Promise<void> {
    this.#epoch += 1;
    // Of a key that did not work the account is not known.
    this.#unknownUntilMs.clear();
    const keys = [...this.#byId].filter(([, key]) => key.accountId === accountId && key.secrets.size > 0);
    for (const [, { secrets }] of keys) for (const { hash } of secrets) this.#byHash.delete(hash);
    await this.deadAmong(keys.map(([keyId]) => keyId));
  }

  /** Sets whether changes made elsewhere arrive. What was cached before a gap is not trusted after it. */
  async hearing(isLive: boolean): Promise<void> {
    this.#isLive = isLive;
    this.#epoch += 1;
    this.#byHash.clear();
    this.#unknownUntilMs.clear();
    this.#reads.clear();
    if (isLive)
      await this.deadAmong([...this.#byId].flatMap(([keyId, { secrets }]) => (secrets.size > 0 ? keyId : [])));
  }

  /** Lets the secrets die whose time has come. */
  expire(nowMs: number): void {
    for (const secret of this.#ending) if (secret.endsAtMs <= nowMs) this.#die(secret);
  }

  /**
   * Returns those of the keys of which no secret that was used here works any more, or not with the same rights. What does not
   * work has died when this resolves.
   */
  async deadAmong(keyIds: readonly string[]): Promise<string[]> {
    // Regenerated and used again while we ask: what we learn is about the secrets of before.
    const before = keyIds.map((keyId) => ({ keyId, secrets: [...(this.#byId.get(keyId)?.secrets ?? [])] }));
    const present = await this.#present(before.flatMap(({ keyId, secrets }) => (secrets.length > 0 ? keyId : [])));
    return before.flatMap(({ keyId, secrets }) => {
      const living = secrets.filter((secret) => this.#refreshSecret(secret, present.get(keyId)));
      return living.length > 0 ? [] : keyId;
    });
  }

  /** Holds a secret against its key as it is now: notes when it ends, or lets it die; whether it goes on working. */
  #refreshSecret(secret: CachedSecret, now: UsableKey | undefined): boolean {
    const endsAtMs = now?.endsAtMs.get(secret.hash);
    const isSame = now !== undefined && areSame(now.scopes, secret.caller.scopes);
    if (endsAtMs === undefined || !isSame) this.#die(secret);
    else this.#endAt(secret, endsAtMs);
    return endsAtMs !== undefined && isSame;
  }

  async #present(keyIds: readonly string[]): Promise<Map<string, UsableKey>> {
    const nowMs = this.#now().getTime();
    const present = new Map<string, UsableKey>();
    for (const [accountId, ids] of Map.groupBy(keyIds, (keyId) => this.accountOf(keyId))) {
      if (accountId === undefined) continue;
      for (const row of await selectChecked(this.#db, accountId, ids)) {
        const usable = usableAt(row, nowMs);
        if (usable !== undefined) present.set(row.id, usable);
      }
    }
    return present;
  }

  /** Reads once for all who ask for the same secret meanwhile. */
  #startRead(hash: string): Promise<Caller | undefined> {
    const read = this.#read(hash).finally(() => {
      if (this.#reads.get(hash) === read) this.#reads.delete(hash);
    });
    this.#reads.set(hash, read);
    return read;
  }

  async #read(hash: string): Promise<Caller | undefined> {
    for (let reads = 1; ; reads += 1) {
      const epoch = this.#epoch;
      const row = await findKeyByHash(this.#db, hash);
      const isCurrent = epoch === this.#epoch;
      if (isCurrent || reads === MOST_READS) return this.#learn(hash, row, isCurrent && this.#isLive);
    }
  }

  #learn(hash: string, row: CheckedKeyRow | undefined, isToBeCached: boolean): Caller | undefined {
    const nowMs = this.#now().getTime();
    const usable = row === undefined ? undefined : usableAt(row, nowMs);
    if (usable?.endsAtMs.has(hash) !== true) {
      if (isToBeCached) this.#unknownUntilMs.set(hash, nowMs + UNKNOWN_MS);
      return undefined;
    }
    const cachedSecret = this.#cacheSecret(hash, usable);
    cachedSecret.trustedUntilMs = nowMs + TRUST_MS;
    if (isToBeCached) this.#byHash.set(hash, cachedSecret);
    return cachedSecret.caller;
  }

  #cacheSecret(hash: string, row: UsableKey): CachedSecret {
    const { id: keyId, accountId, productId, scopes } = row;
    const key = this.#byId.get(keyId) ?? { accountId, secrets: new Set() };
    this.#byId.set(keyId, key);
    // Regenerated or limited elsewhere and the message has not arrived yet: what was opened before ends now.
    const currentSecret = [...key.secrets]
      .filter((secret) => this.#refreshSecret(secret, row))
      .find((secret) => secret.hash === hash);
    if (currentSecret !== undefined) return currentSecret;
    const caller: CachedSecret['caller'] = {
      accountId,
      productId,
      keyId,
      scopes,
      secretId: hash.slice(0, SECRET_ID_CHARACTERS),
    };
    const secret = { caller, hash, endsAtMs: Number.POSITIVE_INFINITY, trustedUntilMs: 0 };
    key.secrets.add(secret);
    this.#endAt(secret, row.endsAtMs.get(hash) ?? secret.endsAtMs);
    return secret;
  }

  #endAt(secret: CachedSecret, endsAtMs: number): void {
    secret.endsAtMs = endsAtMs;
    if (Number.isFinite(endsAtMs)) this.#ending.add(secret);
  }

  /** Ends a secret here, and calls the listeners that hold something open for it; once. */
  #die(secret: CachedSecret): void {
    const { keyId, secretId } = secret.caller;
    this.#ending.delete(secret);
    if (this.#byId.get(keyId)?.secrets.delete(secret) !== true) return;
    this.#byHash.delete(secret.hash);
    for (const listener of this.#listeners) listener(keyId, secretId);
  }
}

/** A key that works now, with what it can. */
interface UsableKey extends Pick<CheckedKeyRow, 'id' | 'accountId' | 'productId'> {
  scopes: KeyScope[];
  /** End of each secret that works now, by its hash. */
  endsAtMs: Map<string, number>;
}

function usableAt(row: CheckedKeyRow, nowMs: number): UsableKey | undefined {
  const expiresAtMs = endOf(row.expiresAt);
  const scopes = expiresAtMs > nowMs ? scopesNow(row) : undefined;
  if (scopes === undefined) return undefined;
  const { id, accountId, productId, hash, formerHash, graceEndsAt } = row;
  const endsAtMs = new Map([[hash, expiresAtMs]]);
  if (formerHash !== null && endOf(graceEndsAt) > nowMs) endsAtMs.set(formerHash, endOf(graceEndsAt));
  return { id, accountId, productId, scopes, endsAtMs };
}

/** Scopes are always in one order. */
function areSame(some: readonly KeyScope[], others: readonly KeyScope[]): boolean {
  return some.length === others.length && some.every((scope, index) => scope === others[index]);
}

function endOf(expiresAt: Date | null): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}
