import { storableText } from '../kernel/storable-text.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { type Actor, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { uuidv7, sha256 } from '../kernel/ids.ts';
import { isoDate } from '../kernel/time.ts';
import { putEntries } from '../knowledge/knowledge.ts';
import type { Db } from '../platform/db.ts';
import type { Decisions } from './context.ts';
import { type AnchorRow, replaceAnchors } from '../anchors/store/store.ts';
import { anchorsOf } from '../anchors/anchors.ts';
import { lookupsOf } from '../anchors/lookups/lookups.ts';
import { slugOf } from '../kernel/slug.ts';
import { collectCandidates } from '../anchors/mentions/mentions.ts';
import { checkNamedRepositories, type LinkState, linkStates } from './link-states.ts';
import { codeMentions, linkKind } from './links.ts';
import { linkTheme } from '../signals/links/links.ts';
import { saysTheSame, type SimilarDecision, similarDecisions } from './similar.ts';
import {
  dateOfDecision,
  type DecisionOption,
  type DecisionRow,
  type GivenStatus,
  insertDecision,
  lockDecisions,
  selectByHash,
  selectByNumbers,
  selectDecisions,
  takeNumber,
  updateStatus,
} from './store.ts';

const LONGEST_TITLE = 200;
const LONGEST_TEXT = 100_000;

/** A decision as somebody wants it recorded. */
interface NewDecision {
  title: string;
  decision: string;
  context?: string | undefined;
  status?: GivenStatus | undefined;
  options?: DecisionOption[] | undefined;
  consequences?: string[] | undefined;
  links?: string[] | undefined;
  /** Handles, `dec:12`. */
  supersedes?: string[] | undefined;
  tags?: string[] | undefined;
  reviewOn?: string | undefined;
  /** Tells everything and writes nothing. */
  isDryRun?: boolean | undefined;
}

export interface RecordedDecision {
  row: DecisionRow;
  /** `duplicate_of`: `row` is the one that was there. `dry_run`: nothing was written, the number is not given yet. */
  outcome: 'created' | 'duplicate_of' | 'dry_run';
  anchors: AnchorRow[];
  links: LinkState[];
  similar: SimilarDecision[];
  /** Numbers of the decisions that this one takes the place of. */
  superseded: number[];
}

/**
 * Records a decision. The same title and decision again, but for case and punctuation, is the same decision: nothing is
 * added, but what it supersedes now is marked. What it names in the code is pinned to what the indexes hold now.
 *
 * @throws ServiceError `bad_argument` for what cannot be used, such as a path that a named repository does not have, `unknown_id` for a superseded one that is not there,
 * `conflict` when another decision took the place of that one already.
 */
export async function recordDecision(
  decisions: Decisions,
  tenant: Tenant,
  { wanted, actor }: { wanted: NewDecision; actor: Actor },
): Promise<RecordedDecision> {
  const row = newRow(tenant, wanted, { now: decisions.now(), actor });
  const numbers = numbersOf(wanted.supersedes ?? []);
  const all = await selectDecisions(decisions.db, tenant);
  const existing =
    (await selectByHash(decisions.db, tenant, row.contentHash)) ?? all.find((other) => saysTheSame(other, row));
  checkSuperseded(await selectByNumbers(decisions.db, tenant, numbers), numbers, existing?.number);
  const similar = similarDecisions(
    row,
    all.filter((decisionRow) => decisionRow.id !== existing?.id && !numbers.includes(decisionRow.number)),
    await decisions.compareDecisions?.(tenant, `${row.title} ${row.decision}`),
  );
  // What is there already keeps its own links.
  const links = await linkStates(decisions, tenant, (existing ?? row).links);
  const anchors = await newAnchors(decisions, tenant, existing ?? row);
  if (existing === undefined) checkNamedRepositories(row.links, anchors);
  const report = { anchors, links, similar, superseded: numbers };
  if (wanted.isDryRun === true) return { row: existing ?? row, outcome: 'dry_run', ...report };
  const at = decisions.now();
  return decisions.db.transaction().execute(async (tx) => {
    await lockDecisions(tx, tenant);
    const before = await selectByHash(tx, tenant, existing?.contentHash ?? row.contentHash);
    const saved = before ?? { ...row, number: await takeNumber(tx, tenant) };
    if (before === undefined) {
      await insertDecision(tx, tenant, saved);
      await replaceAnchors(tx, tenant, { holder: 'decision', id: saved.id }, anchors);
    }
    await supersede(tx, tenant, { numbers, by: saved.number, at });
    if (before === undefined) {
      await indexDecision(tx, tenant, saved);
      await linkThemes(tx, tenant, saved, links);
      const detail = { number: saved.number, title: saved.title };
      const { accountId } = tenant;
      await recordAudit(tx, { accountId, actor, action: 'decision.record', target: saved.id, at, detail });
    }
    return { row: saved, outcome: before === undefined ? 'created' : 'duplicate_of', ...report };
  });
}

/** Links the themes that a decision names, as far as they are there. */
async function linkThemes(tx: Db, tenant: Tenant, row: DecisionRow, links: readonly LinkState[]): Promise<void> {
  for (const { link, status } of links) {
    if (status !== 'resolved' || linkKind(link) !== 'theme') continue;
    const stated = { theme: link, target: `dec:${row.number}`, title: row.title, now: row.recordedAt };
    await linkTheme(tx, tenant, stated);
  }
}

/** Makes a decision searchable, as part of the caller's transaction. Other writers wait from here on. */
export async function indexDecision(tx: Db, tenant: Tenant, row: DecisionRow): Promise<void> {
  const { number, title, decision, context, options, consequences, tags, status } = row;
  const considered = options.map(({ name, pros, cons }) => [name, ...pros, ...cons].join('. '));
  const text = [decision, context, ...considered, ...consequences].filter((part) => part !== '').join('\n\n');
  const shared = { part: '', section: '', customer: '', segment: '', source: '' };
  const entry = { ...shared, kind: 'decision', title, text, date: dateOfDecision(row), tags: [...tags, status] };
  await putEntries(tx, tenant, { corpus: 'decisions', id: `dec:${number}` }, [entry]);
}

/** Numbers of handles, `dec:12` or `12`. */
export function numbersOf(handles: readonly string[]): number[] {
  return handles.map((handle) => {
    const number = Number(/^(?:dec:)?(\d{1,9})$/.exec(handle.trim())?.[1] ?? 0);
    if (number > 0) return number;
    throw new ServiceError('bad_argument', `"${handle.slice(0, 40)}" is not the handle of a decision.`, {
      fix: 'Use the handle of a decision, for example dec:12.',
    });
  });
}

export function unknownDecision(number: number): ServiceError {
  return new ServiceError('unknown_id', `There is no decision dec:${number} in this product.`, {
    fix: 'Look for it: search-tool with corpora=["decisions"].',
  });
}

function newRow({ productId }: Tenant, draft: NewDecision, { now, actor }: { now: Date; actor: Actor }): DecisionRow {
  const title = storableText(draft.title).replaceAll(/\s+/g, ' ').trim();
  const decision = storableText(draft.decision).trim();
  const slug = slugOf(title);
  if (slug === '' || title.length > LONGEST_TITLE)
    throw bad(`A title has 1 to ${LONGEST_TITLE} characters, with letters or digits.`);
  if (decision === '') throw bad('The decision is empty.');
  const texts = [decision, draft.context ?? '', ...(draft.consequences ?? [])];
  if (texts.some((text) => text.length > LONGEST_TEXT)) throw bad(`A text is longer than ${LONGEST_TEXT} characters.`);
  const reviewOn = draft.reviewOn?.trim() ?? '';
  if (reviewOn !== '' && isoDate(reviewOn) === undefined)
    throw bad(`"${reviewOn.slice(0, 40)}" is not a date such as 2027-01-31.`);
  return {
    id: uuidv7(now),
    number: 0,
    slug,
    title,
    decision,
    context: storableText(draft.context ?? '').trim(),
    status: draft.status ?? 'accepted',
    decidedOn: null,
    options: (draft.options ?? []).map(storableOption),
    consequences: (draft.consequences ?? []).map(storableText),
    links: [...new Set((draft.links ?? []).map((link) => storableText(link).trim()).filter((link) => link !== ''))],
    tags: [...new Set((draft.tags ?? []).map((tag) => storableText(tag).trim()).filter((tag) => tag !== ''))],
    reviewOn: reviewOn === '' ? null : reviewOn.slice(0, 10),
    contentHash: hashOf(productId, title, decision),
    supersededBy: null,
    recordedAt: now,
    recordedBy: actor,
    updatedAt: now,
    repositoryId: null,
    path: null,
    textHash: null,
  };
}

/** Of the words alone: case, spaces and line ends make no other decision. */
function hashOf(productId: string, title: string, decision: string): string {
  const parts = [productId, title, decision].map((part) => part.toLowerCase().replaceAll(/\s+/g, ' ').trim());
  return sha256(JSON.stringify(parts));
}

function checkSuperseded(rows: readonly DecisionRow[], numbers: readonly number[], own: number | undefined): void {
  for (const number of numbers) {
    const row = rows.find((decisionRow) => decisionRow.number === number);
    if (row === undefined) throw unknownDecision(number);
    if (number === own) throw bad(`dec:${number} is this decision itself.`);
    if (row.supersededBy !== null && row.supersededBy !== own) {
      throw new ServiceError('conflict', `dec:${number} has already been superseded by dec:${row.supersededBy}.`, {
        fix: `Supersede that one: supersedes=["dec:${row.supersededBy}"].`,
      });
    }
  }
}

async function supersede(
  tx: Db,
  tenant: Tenant,
  { numbers, by, at }: { numbers: readonly number[]; by: number; at: Date },
): Promise<void> {
  const rows = await selectByNumbers(tx, tenant, numbers, { lock: true });
  checkSuperseded(rows, numbers, by);
  for (const row of rows.filter(({ supersededBy }) => supersededBy === null)) {
    const next: DecisionRow = { ...row, status: 'superseded', supersededBy: by, updatedAt: at };
    await updateStatus(tx, tenant, next);
    await indexDecision(tx, tenant, next);
  }
}

async function newAnchors(decisions: Decisions, tenant: Tenant, row: DecisionRow): Promise<AnchorRow[]> {
  const names = collectCandidates(await codeMentions(decisions, row));
  const lookups = await lookupsOf(decisions, tenant);
  return anchorsOf({ holder: 'decision', id: row.id }, names, { before: [], lookups });
}

function bad(message: string): ServiceError {
  return new ServiceError('bad_argument', message, { fix: 'Correct it and send the call again.' });
}

/** An option of a decision as columns take it. */
export function storableOption({ name, pros, cons }: DecisionOption): DecisionOption {
  return { name: storableText(name), pros: pros.map(storableText), cons: cons.map(storableText) };
}
