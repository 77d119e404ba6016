import { storableText } from '../../kernel/storable-text.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import { type Actor, recordAudit } from '../../accounts/accounts.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { slugOf } from '../../kernel/slug.ts';
import type { Db } from '../../platform/db.ts';
import { lookupsOf } from '../../anchors/lookups/lookups.ts';
import type { Plans } from './context.ts';
import { knownStatus, PLAN_STATUSES, type PlanStatus } from '../text/plan-status.ts';
import type { PlanText } from '../text/plan-text.ts';
import { indexPlan } from '../store/plan-search.ts';
import { anchorsOf, atBaseline, baselineOf } from '../../anchors/anchors.ts';
import { keepIds } from '../text/stable-ids.ts';
import {
  insertPlan,
  insertVersion,
  type PlanRow,
  type Requirement,
  selectPlan,
  selectSlugs,
  updatePlan,
} from '../store/store.ts';
import { type AnchorRow, replaceAnchors, selectAnchors } from '../../anchors/store/store.ts';
import { collectCandidates } from '../../anchors/mentions/mentions.ts';
import { saveItems } from './save-items.ts';

const LONGEST_TITLE = 200;
/** Writers that may come between reading a plan and saving it, one after the other. */
const MOST_TRIES = 5;

/** A text to be saved as a plan. */
interface PlanDraft {
  text: string;
  actor: Actor;
  /** The plan to save to; without it the one that the text names, by `slug:` or by its title. */
  slug?: string;
  /** The version that the text was made from: another one since is a conflict. */
  baseVersion?: number;
  /** File of a plan that is stored in a repository. */
  file?: { repositoryId: string; path: string; slug: string };
}

interface SavedPlan {
  row: PlanRow;
  outcome: 'created' | 'updated' | 'unchanged';
}

/**
 * Saves a text as a plan: a new one, or a new version of the one with its slug. The same text again changes nothing.
 * What the plan names is pinned as it was when the plan was written (see `baselineOf`), otherwise as the indexes are
 * now; what it named before keeps its baseline. Work items
 * and requirements keep their ids.
 *
 * @throws ServiceError `bad_argument` without a title, for faulty front matter or an unknown status; `too_large`;
 * `conflict` when it was saved by another one since `baseVersion`, or is kept in a repository.
 */
export async function savePlan(plans: Plans, tenant: Tenant, given: PlanDraft): Promise<SavedPlan> {
  // What PostgreSQL takes as text.
  const clean = storableText(given.text);
  const draft = { ...given, text: clean };
  const read = await plans.texts.plan(clean);
  const existing = await findExisting(plans.db, tenant, draft, read);
  const title = titleOf(read, existing);
  const names = collectCandidates(read.mentions);
  const prefer = read.fields.repo ?? draft.file?.repositoryId;
  for (let attempt = 1; ; attempt += 1) {
    const before = attempt === 1 ? existing : await findExisting(plans.db, tenant, draft, read);
    const lookups = await lookupsOf(plans, tenant, prefer);
    // A plan whose repository was removed is nobody's: it is edited here from now on.
    const isIndexed = lookups.some(({ repository }) => repository.id === before?.repositoryId);
    checkWritable(before, draft, isIndexed);
    if (before?.text === draft.text) return { row: before, outcome: 'unchanged' };
    const now = plans.now();
    const earlierFields = before === undefined ? undefined : (await plans.texts.plan(before.text)).fields;
    const row = nextRow(before, { draft, read, said: earlierFields, title, now });
    const holder = { holder: 'plan' as const, id: row.id };
    const old = await selectAnchors(plans.db, tenant, { holder: 'plan', ids: [row.id] });
    const current = await anchorsOf(holder, names, { before: old, lookups });
    const baseline = await baselineOf(lookups, { commit: read.fields.commit, file: draft.file });
    const anchors =
      baseline === undefined ? current : await atBaseline(plans, baseline, { anchors: current, names, before: old });
    const isSaved = await write(plans.db, tenant, { row, before, read, anchors, actor: draft.actor });
    if (isSaved) return { row, outcome: before === undefined ? 'created' : 'updated' };
    if (attempt === MOST_TRIES) throw overtakenPlan(row.slug);
  }
}

/** A slug that no plan of the product has: this one, or with the next free number behind it. */
export async function freeSlug(db: Db, tenant: Tenant, slug: string): Promise<string> {
  const taken = new Set(await selectSlugs(db, tenant, slug));
  let free = slug;
  for (let number = 2; taken.has(free); number += 1) free = `${slug}-${number}`;
  return free;
}

interface Next {
  row: PlanRow;
  before: PlanRow | undefined;
  read: PlanText;
  anchors: readonly AnchorRow[];
  actor: Actor;
}

/** Writes a version with all that belongs to it. False when the plan was written by another one meanwhile. */
async function write(db: Db, tenant: Tenant, next: Next): Promise<boolean> {
  const { row, before, read, anchors, actor } = next;
  const at = row.updatedAt;
  return db.transaction().execute(async (tx) => {
    if (before === undefined) {
      if (!(await insertPlan(tx, tenant, row))) return false;
    } else {
      const locked = await selectPlan(tx, tenant, row.id, { lock: true });
      if (locked?.version !== before.version) return false;
      await updatePlan(tx, tenant, row);
    }
    await insertVersion(tx, tenant, row);
    await saveItems(tx, tenant, { planId: row.id, drafts: read.items, at });
    await replaceAnchors(tx, tenant, { holder: 'plan', id: row.id }, anchors);
    await indexPlan(tx, tenant, { row, sections: read.sections });
    const detail = { slug: row.slug, version: row.version };
    await recordAudit(tx, { accountId: tenant.accountId, actor, action: 'plan.save', target: row.id, at, detail });
    return true;
  });
}

async function findExisting(
  db: Db,
  tenant: Tenant,
  { slug, file }: PlanDraft,
  read: PlanText,
): Promise<PlanRow | undefined> {
  const requestedSlug = slug ?? file?.slug ?? slugOf(read.fields.slug ?? read.title);
  return requestedSlug === '' ? undefined : selectPlan(db, tenant, requestedSlug);
}

function titleOf(read: PlanText, existing: PlanRow | undefined): string {
  const title = (read.title === '' ? (existing?.title ?? '') : read.title).slice(0, LONGEST_TITLE);
  if (slugOf(title) !== '') return title;
  throw new ServiceError('bad_argument', 'The plan has no title.', {
    fix: 'Begin the text with a heading, "# Faster search", or give a title in the front matter.',
  });
}

function checkWritable(before: PlanRow | undefined, { baseVersion, file }: PlanDraft, isIndexed: boolean): void {
  if (before === undefined) return;
  if (before.path !== null && file === undefined && isIndexed) {
    throw new ServiceError('conflict', `The plan "${before.slug}" is a file in a repository: ${before.path}.`, {
      fix: 'Change it there; the next index run updates the plan.',
    });
  }
  if (file !== undefined && (before.repositoryId !== file.repositoryId || before.path !== file.path)) {
    throw new ServiceError('conflict', `The slug "${before.slug}" has since been taken by another plan.`, {
      fix: 'Index the repository again: the plan then gets a free slug.',
    });
  }
  if (baseVersion !== undefined && baseVersion !== before.version) throw overtakenPlan(before.slug);
}

function nextRow(
  before: PlanRow | undefined,
  {
    draft,
    read,
    said: earlierFields,
    title,
    now,
  }: { draft: PlanDraft; read: PlanText; said: PlanText['fields'] | undefined; title: string; now: Date },
): PlanRow {
  const { fields } = read;
  // Whoever said something new last is right: the text, or the people who changed it here.
  const status =
    fields.status === earlierFields?.status ? before?.status : statusOf(fields.status, draft.file !== undefined);
  return {
    id: before?.id ?? uuidv7(now),
    slug: before?.slug ?? draft.slug ?? draft.file?.slug ?? slugOf(fields.slug ?? title),
    title,
    status: status ?? 'draft',
    owner: (fields.owner ?? '').slice(0, LONGEST_TITLE),
    repositoryId: draft.file?.repositoryId ?? null,
    path: draft.file?.path ?? null,
    text: draft.text,
    version: (before?.version ?? 0) + 1,
    requirements: requirementsOf(before?.requirements ?? [], read),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    updatedBy: draft.actor,
    acceptedAt: before?.acceptedAt ?? null,
  };
}

function requirementsOf(before: readonly Requirement[], { requirements }: PlanText): Requirement[] {
  const written = requirements.filter(({ text }) => text !== '');
  const ids = keepIds('R', before, written);
  return written.map(({ text, scenarios }, index) => ({ id: ids[index] ?? '', text, scenarios }));
}

/** The status that a text gives. A file of a repository may use words of its own, which mean a draft here. */
function statusOf(written: string | undefined, isFile: boolean): PlanStatus {
  const word = (written ?? 'draft').toLowerCase();
  const status = knownStatus(word);
  if (status !== undefined) return status;
  if (isFile) return 'draft';
  throw new ServiceError('bad_argument', `A plan cannot have the status "${word.slice(0, 40)}".`, {
    fix: `Use one of: ${PLAN_STATUSES.join(', ')}.`,
  });
}

function overtakenPlan(slug: string): ServiceError {
  return new ServiceError('conflict', `The plan "${slug}" has been saved by somebody else since.`, {
    fix: 'Read it again, apply your change to it, and save that.',
  });
}
