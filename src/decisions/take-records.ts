import { storableText } from '../kernel/storable-text.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { type Actor, recordAudit } from '../accounts/accounts.ts';
import { anchorsOf } from '../anchors/anchors.ts';
import { type Lookups, lookupsOf } from '../anchors/lookups/lookups.ts';
import { collectCandidates } from '../anchors/mentions/mentions.ts';
import { deleteAnchors, replaceAnchors, selectAnchors } from '../anchors/store/store.ts';
import { ServiceError } from '../kernel/errors.ts';
import { uuidv7, sha256 } from '../kernel/ids.ts';
import { slugOf } from '../kernel/slug.ts';
import { removeEntries } from '../knowledge/knowledge.ts';
import type { Decisions } from './context.ts';
import { codeMentions } from './links.ts';
import { indexDecision, storableOption } from './record.ts';
import {
  type DecisionRow,
  deleteDecision,
  insertDecision,
  lockDecisions,
  selectDecisions,
  takeNumber,
  updateDecisionRow,
} from './store.ts';
import { type AdrText, nameOfFile, numberOfFile, readAdr } from './read-adr.ts';

const LONGEST_TITLE = 200;
/** Longest quotation of an unknown status, in characters. */
const LONGEST_STATUS = 80;

/** A file of a folder of decision records. */
export interface RecordFile {
  path: string;
  text: string;
}

/** The result of taking files over. */
export interface TakenRecords {
  created: string[];
  updated: string[];
  unchanged: number;
  /** Titles of records whose file is gone. */
  removed: string[];
  /** Files that are no decision records, with the reason. */
  failed: { path: string; reason: string }[];
  /** Records that were taken over with something in them that is not known, with what that is. */
  unclear: { path: string; reason: string }[];
}

interface Taken {
  file: RecordFile;
  adr: AdrText;
  row: DecisionRow;
}

/**
 * Takes decision records over as decisions, and keeps those that came from the same place in step: changed files change
 * them, with `isWhole` those whose file is gone are removed. A file that was renamed stays the same decision. Links between
 * records become links between decisions, and what was superseded says by which. Safe twice.
 *
 * @param repositoryId null for files that are in no repository of the product.
 * @param folder names the folder of such files: those of another one are left alone. Without it all of them are one folder.
 */
export async function takeRecords(
  decisions: Decisions,
  tenant: Tenant,
  {
    files: given,
    repositoryId,
    folder = '',
    isWhole,
    actor,
    signal,
  }: {
    files: readonly RecordFile[];
    repositoryId: string | null;
    folder?: string;
    isWhole: boolean;
    actor: Actor;
    signal?: AbortSignal;
  },
): Promise<TakenRecords> {
  const result: TakenRecords = { created: [], updated: [], unchanged: 0, removed: [], failed: [], unclear: [] };
  const prefix = folder === '' ? '' : `${folder}/`;
  const files = given.map(({ path, text }) => ({ path: `${prefix}${path}`, text }));
  const all = await selectDecisions(decisions.db, tenant);
  const existing = all.filter(
    ({ path, repositoryId: owner }) => path !== null && owner === repositoryId && path.startsWith(prefix),
  );
  // Folders had no names once.
  const unnamed = all.filter(
    ({ path, repositoryId: owner }) =>
      prefix !== '' && owner === null && given.some((file) => file.path === path && !path.startsWith(prefix)),
  );
  const missing = existing.filter(({ path }) => !files.some((file) => file.path === path));
  const lookups = await lookupsOf(decisions, tenant, repositoryId);
  const taken: Taken[] = [];
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    signal?.throwIfAborted();
    const adr = readAdr(file.text, file.path);
    if (adr === undefined || slugOf(adr.title) === '') {
      result.failed.push({ path: file.path, reason: 'It has no title, or no section that says what was decided.' });
      continue;
    }
    const before =
      existing.find(({ path }) => path === file.path) ??
      [...missing, ...unnamed].find(({ title }) => title === adr.title.slice(0, LONGEST_TITLE));
    if (before !== undefined) missing.splice(missing.indexOf(before), missing.includes(before) ? 1 : 0);
    if (before !== undefined && isUnchanged(before, file, adr)) {
      result.unchanged += 1;
      taken.push({ file, adr, row: before });
      continue;
    }
    const row = await save(decisions, tenant, { file, adr, before, repositoryId, actor, lookups });
    (before === undefined ? result.created : result.updated).push(`dec:${row.number}`);
    taken.push({ file, adr, row });
  }
  result.unclear.push(...taken.flatMap(unclearParts));
  await link(decisions, tenant, taken);
  for (const row of isWhole ? missing : []) await remove(decisions, tenant, row, actor);
  if (isWhole) result.removed.push(...missing.map(({ title }) => title));
  return result;
}

function unclearParts({ file, adr: { unknownStatus } }: Taken): TakenRecords['unclear'] {
  if (unknownStatus === undefined) return [];
  const reason = `Its status "${storableText(unknownStatus).slice(0, LONGEST_STATUS)}" is none of proposed, accepted, rejected, deprecated and superseded: it counts as proposed.`;
  return [{ path: file.path, reason }];
}

/** The same file at the same place; what is read of one may be more than it was. */
function isUnchanged(before: DecisionRow, file: RecordFile, adr: AdrText): boolean {
  const isSameStatus = before.status === adr.status || before.supersededBy !== null;
  return (
    isSameStatus &&
    before.textHash === sha256(file.text) &&
    before.path === file.path &&
    before.decidedOn === adr.decidedOn
  );
}

async function save(
  decisions: Decisions,
  tenant: Tenant,
  given: {
    file: RecordFile;
    adr: AdrText;
    before: DecisionRow | undefined;
    repositoryId: string | null;
    actor: Actor;
    lookups: readonly Lookups[];
  },
): Promise<DecisionRow> {
  const { before, actor, lookups } = given;
  const at = decisions.now();
  const row = rowOf(tenant, given, at);
  const holder = { holder: 'decision' as const, id: row.id };
  const names = collectCandidates(await codeMentions(decisions, row));
  const old = await selectAnchors(decisions.db, tenant, { holder: 'decision', ids: [row.id] });
  const anchors = await anchorsOf(holder, names, { before: old, lookups });
  return decisions.db.transaction().execute(async (tx) => {
    await lockDecisions(tx, tenant);
    const saved = before === undefined ? { ...row, number: await takeNumber(tx, tenant) } : row;
    await (before === undefined ? insertDecision(tx, tenant, saved) : updateDecisionRow(tx, tenant, saved));
    await replaceAnchors(tx, tenant, holder, anchors);
    await indexDecision(tx, tenant, saved);
    const detail = { number: saved.number, path: saved.path };
    const { accountId } = tenant;
    await recordAudit(tx, { accountId, actor, action: 'decision.take', target: saved.id, at, detail });
    return saved;
  });
}

function rowOf(
  { productId }: Tenant,
  {
    file,
    adr,
    before,
    repositoryId,
    actor,
  }: { file: RecordFile; adr: AdrText; before: DecisionRow | undefined; repositoryId: string | null; actor: Actor },
  at: Date,
): DecisionRow {
  const title = storableText(adr.title).slice(0, LONGEST_TITLE);
  return {
    id: before?.id ?? uuidv7(at),
    number: before?.number ?? 0,
    slug: before?.slug ?? slugOf(title),
    title,
    decision: storableText(adr.decision),
    context: storableText(adr.context),
    status: adr.status,
    decidedOn: adr.decidedOn,
    options: adr.options.map(storableOption),
    consequences: adr.consequences.map(storableText),
    links: before?.links ?? [],
    tags: adr.tags.map(storableText),
    reviewOn: before?.reviewOn ?? null,
    // A file is itself: two that say the same are two.
    contentHash: sha256(JSON.stringify([productId, repositoryId, file.path])),
    supersededBy: null,
    recordedAt: before?.recordedAt ?? at,
    recordedBy: before?.recordedBy ?? actor,
    updatedAt: at,
    repositoryId,
    path: file.path,
    textHash: sha256(file.text),
  };
}

/** Gives the records of a folder their links to each other. Whichever of two says it is believed. */
async function link(decisions: Decisions, tenant: Tenant, taken: readonly Taken[]): Promise<void> {
  const find = (name: string): Taken | undefined =>
    taken.find(({ file }) => nameOfFile(file.path) === name) ??
    taken.find(({ file }) => numberOfFile(file.path) === name);
  const numberOf = (name: string): number | undefined => find(name)?.row.number;
  const replacedBy = new Map<number, number>();
  for (const { adr, row } of taken) {
    for (const name of adr.supersedes) replacedBy.set(numberOf(name) ?? 0, row.number);
    const [by] = adr.supersededBy.flatMap((name) => numberOf(name) ?? []);
    if (by !== undefined) replacedBy.set(row.number, by);
  }
  for (const { adr, row } of taken) {
    const by = replacedBy.get(row.number);
    const supersededBy = by === row.number ? null : (by ?? null);
    const links = [...new Set(adr.related.flatMap((name) => numberOf(name) ?? []))]
      .filter((number) => number !== row.number)
      .map((number) => `dec:${number}`);
    const status = supersededBy === null ? adr.status : 'superseded';
    const next = { ...row, links, supersededBy, status };
    if (JSON.stringify(next) === JSON.stringify(row)) continue;
    await decisions.db.transaction().execute(async (tx) => {
      await updateDecisionRow(tx, tenant, next);
      await indexDecision(tx, tenant, next);
    });
  }
}

async function remove(decisions: Decisions, tenant: Tenant, row: DecisionRow, actor: Actor): Promise<void> {
  const at = decisions.now();
  await decisions.db.transaction().execute(async (tx) => {
    await deleteDecision(tx, tenant, row.id);
    await deleteAnchors(tx, tenant, { holder: 'decision', id: row.id });
    await removeEntries(tx, tenant, { corpus: 'decisions', id: `dec:${row.number}` });
    const detail = { number: row.number, path: row.path };
    const { accountId } = tenant;
    await recordAudit(tx, { accountId, actor, action: 'decision.remove', target: row.id, at, detail });
  });
}

/** @throws ServiceError `conflict` for a decision that is kept in a file of a repository that is indexed. */
export async function checkNotFile(decisions: Decisions, tenant: Tenant, row: DecisionRow): Promise<void> {
  if (row.repositoryId === null || row.path === null) return;
  const indexed = await decisions.indexed(tenant, row.repositoryId);
  if (!indexed.some(({ id }) => id === row.repositoryId)) return;
  throw new ServiceError('conflict', `The decision dec:${row.number} is a file in a repository: ${row.path}.`, {
    fix: 'Change it there; the next index run updates the decision.',
  });
}
