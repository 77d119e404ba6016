import type { Tenant } from '../kernel/tenant.ts';
import { findDocument } from '../documents/documents.ts';
import { ServiceError } from '../kernel/errors.ts';
import { findItem, findPlan } from '../plans/plans.ts';
import type { AnchorRow } from '../anchors/store/store.ts';
import { lookupsOf } from '../anchors/lookups/lookups.ts';
import { writtenAs } from '../anchors/mentions/mentions.ts';
import { themeNamedBy } from '../signals/links/links.ts';
import { findSignal } from '../signals/signals.ts';
import type { Decisions } from './context.ts';
import { linkedMentions, linkKind } from './links.ts';
import { selectByNumbers } from './store.ts';

/** A link that names no code, and what was found. */
export interface LinkState {
  link: string;
  /** `unchecked`: an address, which nobody opened. */
  status: 'resolved' | 'unresolved' | 'unchecked';
  /** The reason why it is not resolved; absent when it is. */
  reason?: string;
}

/**
 * Looks up the links that name no code, in their order. What another product has is not there. Cost: one query a link,
 * for a commit one a repository.
 */
export async function linkStates(decisions: Decisions, tenant: Tenant, links: readonly string[]): Promise<LinkState[]> {
  return Promise.all(
    links
      .filter((link) => linkKind(link) !== 'code')
      .map(async (link) => ({ link, ...(await stateOf(decisions, tenant, link)) })),
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
    const anchor = anchors.find((row) => row.written === written);
    if (mention.repo === undefined || anchor?.target !== undefined) continue;
    const why = anchor?.reason ?? 'That is a folder.';
    throw new ServiceError('bad_argument', `The link ${written.slice(0, 200)} cannot be pinned: ${why}`, {
      fix: 'Link a file of an indexed repository as <repository>:<path>, or use <path> alone for a file that does not exist yet.',
    });
  }
}

async function stateOf(decisions: Decisions, tenant: Tenant, link: string): Promise<Omit<LinkState, 'link'>> {
  const name = link.slice(link.indexOf(':') + 1);
  const kind = linkKind(link);
  switch (kind) {
    case 'theme':
      return describeState(await isThere(themeNamedBy(decisions.db, tenant, name)), 'theme');
    case 'plan':
      return describeState(await isThere(findPlan(decisions, tenant, name)), 'plan');
    case 'item':
      return describeState(await isThere(findItem(decisions, tenant, name)), 'work item');
    case 'document':
      return describeState(await isThere(findDocument(decisions, tenant, name)), 'document');
    case 'signal':
      return describeState(await isThere(findSignal(decisions, tenant, name)), 'signal');
    case 'decision':
      return describeState(await isDecision(decisions, tenant, name), 'decision');
    case 'commit':
      return describeState(await isCommit(decisions, tenant, name), 'commit');
    case 'address':
      return { status: 'unchecked', reason: 'A web address, which is not opened.' };
    case 'code':
    case 'unknown':
      return { status: 'unresolved', reason: 'This is neither a handle of this product nor an http address.' };
  }
}

function describeState(exists: boolean, thing: string): Omit<LinkState, 'link'> {
  return exists ? { status: 'resolved' } : { status: 'unresolved', reason: `The product has no such ${thing}.` };
}

async function isDecision(decisions: Decisions, tenant: Tenant, digits: string): Promise<boolean> {
  if (!/^\d{1,9}$/.test(digits)) return false;
  return (await selectByNumbers(decisions.db, tenant, [Number(digits)])).length > 0;
}

async function isCommit(decisions: Decisions, tenant: Tenant, prefix: string): Promise<boolean> {
  for (const { history } of await lookupsOf(decisions, tenant))
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
