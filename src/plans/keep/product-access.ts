import type { Context, Env } from 'hono';
import type { Actor } from '../../accounts/accounts.ts';
import type { ProductScope } from '../../repositories/repositories.ts';

/** Whose plans and decisions, and as whom changes are recorded. */
export interface PlanRequest extends ProductScope {
  actor: Actor;
}

/** What a door says of a request; both throw `scope_denied` for who may not. */
export interface PlanAccess<E extends Env> {
  read: (c: Context<E>) => Promise<PlanRequest>;
  write: (c: Context<E>) => Promise<PlanRequest>;
}
