import { findDocument } from '../documents/documents.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type AnchorRow, findItem, findPlan, lookupsOf, type Plans, writtenAs } from '../plans/plans.ts';
import type { ProductScope } from '../repositories/repositories.ts';
import { findSignal } from '../signals/signals.ts';
import { linkedMentions, linkKind } from './links.ts';
import { selectByNumbers } from './store.ts';

/** A link that names no code, and what was found. */
export interface LinkState {
  link: string;
  /** `unchecked`: an address, which nobody opened. */
  status: 'resolved' | 'unresolved' | 'unchecked';
  /** Why it is not resolved; absent when it is. */
  reason?: string;
}

/**
 * Looks up the links that name no code, in their order. What another product has is not there. Cost: one query a link,
 * for a commit one a repository.
 */
export async function linkStates(plans: Plans, scope: ProductScope, links: readonly string[]): Promise<LinkState[]> {
  return Promise.all(
    links
      .filter((link) => linkKind(link) !== 'code')
      .map(async (link) => ({ link, ...(await stateOf(plans, scope, link)) })),
  );
}

/**
 * Refuses links that name a repository and a file that is not in its index: such a link says where to look, so it is either
 * pinned to a commit or wrong.
 *
 * @throws ServiceError `bad_argument`.
 */
export function checkNamedRepositories(links: readonly string[], anchors: readonly AnchorRow[]): void {
  for (const mention of linkedMentions(links)) {
    const written = writtenAs(mention);
    const anchor = anchors.find((one) => one.written === written);
    if (mention.repo === undefined || anchor?.target !== undefined) continue;
    const why = anchor?.reason ?? 'That is a folder.';
    throw new ServiceError('bad_argument', `The link ${written.slice(0, 200)} cannot be pinned: ${why}`, {
      fix: 'Link a file of an indexed repository as <repository>:<path>, or use <path> alone for a file that does not exist yet.',
    });
  }
}

async function stateOf(plans: Plans, scope: ProductScope, link: string): Promise<Omit<LinkState, 'link'>> {
  const name = link.slice(link.indexOf(':') + 1);
  const kind = linkKind(link);
  switch (kind) {
    case 'plan':
      return found(await isThere(findPlan(plans, scope, name)), 'plan');
    case 'item':
      return found(await isThere(findItem(plans, scope, name)), 'work item');
    case 'document':
      return found(await isThere(findDocument(plans, scope, name)), 'document');
    case 'signal':
      return found(await isThere(findSignal(plans, scope, name)), 'signal');
    case 'decision':
      return found(await isDecision(plans, scope, name), 'decision');
    case 'commit':
      return found(await isCommit(plans, scope, name), 'commit');
    case 'address':
      return { status: 'unchecked', reason: 'A web address, which is not opened.' };
    case 'code':
    case 'unknown':
      return { status: 'unresolved', reason: 'This is neither a handle of this product nor an http address.' };
  }
}

function found(isFound: boolean, thing: string): Omit<LinkState, 'link'> {
  return isFound ? { status: 'resolved' } : { status: 'unresolved', reason: `The product has no such ${thing}.` };
}

async function isDecision(plans: Plans, scope: ProductScope, digits: string): Promise<boolean> {
  if (!/^\d{1,9}$/.test(digits)) return false;
  return (await selectByNumbers(plans.db, scope, [Number(digits)])).length > 0;
}

async function isCommit(plans: Plans, scope: ProductScope, prefix: string): Promise<boolean> {
  for (const { history } of await lookupsOf(plans, scope))
    if (history !== undefined && (await history.findCommit(prefix)) !== undefined) return true;
  return false;
}

async function isThere(look: Promise<unknown>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unknown_id') return false;
    throw error;
  }
}
