import { LRUCache } from 'lru-cache';
import type { Db } from '../platform/db.ts';
import type { Caller, KeyScope } from '../platform/operation/operation.ts';
import { scopesNow } from './api-key.ts';
import { findKeyByHash, selectChecked, type CheckedKeyRow } from './store.ts';
import { hashSecret, isWellFormed } from './token.ts';

/** A key that was checked is trusted this long. A change to it ends the trust at once; this bounds what goes unheard. */
const TRUST_MS = 60_000;

/** A well-formed secret that does not work is not asked for again this long. */
const UNKNOWN_MS = 5_000;

const MOST_CACHED = 10_000;

/** A read that keeps being overtaken by changes of keys is answered all the same after this many. */
const MOST_READS = 5;

/** A key that was used here. Kept after its death, so that counting and checking still know its account. */
interface KnownKey {
  caller: Caller;
  /** Hash of the secret that works; undefined once none is known to. */
  hash: string | undefined;
  expiresAtMs: number;
  trustedUntilMs: number;
}

/**
 * Tells who presents a secret. Checked keys are kept in memory and trusted only while changes made by other replicas are
 * heard; a change evicts its key at once. Costs a hash and a look-up in memory, or two primary-key queries.
 */
export class KeyVerifier {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #byHash = new LRUCache<string, KnownKey>({ max: MOST_CACHED });
  readonly #unknownUntilMs = new LRUCache<string, number>({ max: MOST_CACHED });
  readonly #byId = new Map<string, KnownKey>();
  readonly #expiring = new Set<KnownKey>();
  readonly #reads = new Map<string, Promise<Caller | undefined>>();
  readonly #listeners = new Set<(keyId: string) => void>();
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
    const known = this.#byHash.get(hash);
    if (known !== undefined && nowMs < known.trustedUntilMs)
      return nowMs < known.expiresAtMs ? known.caller : undefined;
    if (nowMs < (this.#unknownUntilMs.get(hash) ?? 0)) return undefined;
    return this.#reads.get(hash) ?? this.#startRead(hash);
  }

  accountOf(keyId: string): string | undefined {
    return this.#byId.get(keyId)?.caller.accountId;
  }

  onDead(listener: (keyId: string) => void): () => void {
    // A function of our own, so that the same listener can be given twice.
    const own = (keyId: string): void => listener(keyId);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /**
   * The key's secret has this hash from now on; without one it is gone, or can more or less than it could: what is open for
   * it ends, and the next request asks anew. Hearing it twice does nothing more.
   */
  changed(keyId: string, hash: string | undefined): void {
    this.#epoch += 1;
    const known = this.#byId.get(keyId);
    if (known !== undefined && known.hash !== hash) this.#die(known);
  }

  /** Whether changes made elsewhere are heard. What was cached before a silence is not trusted after it. */
  async hearing(isLive: boolean): Promise<void> {
    this.#isLive = isLive;
    this.#epoch += 1;
    this.#byHash.clear();
    this.#unknownUntilMs.clear();
    this.#reads.clear();
    if (isLive) await this.deadAmong([...this.#byId.values()].filter(isAlive).map(({ caller }) => caller.keyId));
  }

  /** Lets the keys die whose time has come. */
  expire(nowMs: number): void {
    for (const known of this.#expiring) if (known.expiresAtMs <= nowMs) this.#die(known);
  }

  /**
   * Those of the keys whose secret, as it was used here, does not work any more, or not with the same rights. They have
   * died when this resolves.
   */
  async deadAmong(keyIds: readonly string[]): Promise<string[]> {
    const before = keyIds.map((keyId) => {
      const { hash, caller } = this.#byId.get(keyId) ?? {};
      return { keyId, hash, scopes: caller?.scopes ?? [] };
    });
    const present = await this.#present(before.flatMap(({ keyId, hash }) => (hash === undefined ? [] : keyId)));
    const dead = before.filter(({ keyId, hash, scopes }) => {
      const now = present.get(keyId);
      return now === undefined || now.hash !== hash || !areSame(now.scopes, scopes);
    });
    for (const { keyId, hash } of dead) {
      const known = this.#byId.get(keyId);
      // Regenerated and used again while we asked: what we learned is about its former secret.
      if (known !== undefined && known.hash === hash) this.#die(known);
    }
    return dead.map(({ keyId }) => keyId);
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
    if (usable === undefined) {
      if (isToBeCached) this.#unknownUntilMs.set(hash, nowMs + UNKNOWN_MS);
      return undefined;
    }
    const known = this.#know(usable);
    known.trustedUntilMs = nowMs + TRUST_MS;
    if (isToBeCached) this.#byHash.set(hash, known);
    return known.caller;
  }

  #know(row: UsableKey): KnownKey {
    const { id: keyId, hash, accountId, productId, scopes } = row;
    const before = this.#byId.get(keyId);
    if (before?.hash === hash && areSame(before.caller.scopes, scopes)) return before;
    // Regenerated or limited elsewhere and the message is still on its way: what was opened before ends now.
    if (before !== undefined) this.#die(before);
    const known: KnownKey = {
      caller: { accountId, productId, keyId, scopes },
      hash,
      expiresAtMs: endOf(row.expiresAt),
      trustedUntilMs: 0,
    };
    this.#byId.set(keyId, known);
    if (row.expiresAt !== null) this.#expiring.add(known);
    return known;
  }

  /** Ends a key's secret here, and tells who keeps something open for it; once. */
  #die(known: KnownKey): void {
    if (known.hash === undefined) return;
    this.#byHash.delete(known.hash);
    this.#expiring.delete(known);
    known.hash = undefined;
    for (const listener of this.#listeners) listener(known.caller.keyId);
  }
}

/** A key that works now, with what it can. */
type UsableKey = Omit<CheckedKeyRow, 'scopes'> & { scopes: KeyScope[] };

function usableAt(row: CheckedKeyRow, nowMs: number): UsableKey | undefined {
  const scopes = endOf(row.expiresAt) > nowMs ? scopesNow(row) : undefined;
  return scopes === undefined ? undefined : { ...row, scopes };
}

/** Scopes are always in one order. */
function areSame(some: readonly KeyScope[], others: readonly KeyScope[]): boolean {
  return some.length === others.length && some.every((scope, index) => scope === others[index]);
}

function isAlive(known: KnownKey): boolean {
  return known.hash !== undefined;
}

function endOf(expiresAt: Date | null): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}
