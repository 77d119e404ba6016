import type { Context, Env } from 'hono';
import type { Actor } from '../accounts/accounts.ts';
import type { ProductScope } from './store.ts';

/** Whose knowledge, and as whom changes are recorded. */
export interface ProductRequest extends ProductScope {
  actor: Actor;
}

/** What a door says of a request; each throws `scope_denied` for who may not. */
export interface ProductAccess<E extends Env> {
  read: (c: Context<E>) => Promise<ProductRequest>;
  /** Adds knowledge, or a new version of it. */
  write: (c: Context<E>) => Promise<ProductRequest>;
  /** Takes knowledge away, or decides about that of others. */
  manage: (c: Context<E>) => Promise<ProductRequest>;
}
