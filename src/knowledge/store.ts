import { storableText } from '../kernel/storable-text.ts';
import { within } from '../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import { encodedEntry, hashOf, kindOf } from './encoded-text.ts';

/** Texts of people about a product, by kind of thing. */
export const CORPORA = ['documents', 'signals', 'plans', 'decisions', 'competitors'] as const;
export type Corpus = (typeof CORPORA)[number];

/** One document, signal, plan … `id` is its handle, for example `doc:…`. */
export interface Thing {
  corpus: Corpus;
  id: string;
}

/** The searchable text of a thing, or of one part of it. */
export interface Entry {
  /** Distinguishes the parts of a thing, for example the id of a section; '' for the whole. */
  part: string;
  /** Kind within the corpus, for example `upload` or `product_doc`. */
  kind: string;
  title: string;
  /** Heading of the part; '' when there is none. */
  section: string;
  text: string;
  date: Date | undefined;
  tags: readonly string[];
  /** Author, their group, and the origin of the text; '' when that is not known. */
  customer: string;
  segment: string;
  source: string;
}

/** An entry as indexes read it. */
export interface IndexedEntry extends Entry {
  /** Vector of the encoder, as base64; null while that is pending. */
  vector?: string | null;
}

/** A thing with all its entries. */
export interface ThingEntries extends Thing {
  entries: readonly Entry[];
}

/** A changed thing as the index reads it; one without entries was removed. */
export interface ThingChange extends Thing {
  entries: readonly IndexedEntry[];
  revision: number;
  /** The entries come behind those that the change before brought of the same thing. */
  isContinued?: boolean;
}

/** A changed thing that is too large to be read at once: its entries are read in pages. */
export type LargeChange = Omit<ThingChange, 'entries'> & { entries: null };

/** Start of the next batch of changes: after this thing of this revision. */
export interface ChangePosition {
  revision: number;
  corpus: string;
  id: string;
}

/** A change of the database by its number, with the stamp that tells it from one of the same number after a restore. */
interface ChangeMark {
  revision: number;
  stamp: string;
}

/** Extent that an index has read: up to a position, in a database whose last change was the mark. */
export interface IndexReach {
  position: ChangePosition;
  /** Undefined when nothing had been written yet. */
  mark?: ChangeMark | undefined;
  /** The encoder whose vectors it has; undefined when it was written without one. */
  model?: string | undefined;
}

/**
 * Most things of one batch of changes, and about how much text: the embedded database holds an answer several times, and
 * this thread reads it in one go.
 */
const CHANGE_THINGS = 1000;
const CHANGE_CHARACTERS = 1_000_000;

/** Entries of one page of a thing that is larger than a batch. */
const PAGE_ENTRIES = 100;

/** Changes that are counted to say how far behind an index is. */
const MOST_COUNTED = 100_000;

/** Characters of a text that are searched for a quotation. */
const TEXT_CHARACTERS = 20_000;

/** Corpora whose texts are encoded as questions are. */
const QUERY_CORPORA = CORPORA.filter((corpus) => kindOf(corpus) === 'query');

/** True if the row `vector` of `text_vector` is that of the row `entry` of `knowledge_entry` by a model. */
export const isVectorOf = (model: string): RawBuilder<unknown> => sql`
  vector.account_id = entry.account_id and vector.product_id = entry.product_id and vector.model = ${model}
  and vector.kind = case when entry.corpus = any(${QUERY_CORPORA}::text[]) then 'query' else 'passage' end
  and vector.hash = entry.hash`;

/** The vector of the row `entry` by a model, as base64; null when it has none, or without a model. */
const vectorOf = (model: string | undefined): RawBuilder<unknown> =>
  model === undefined
    ? sql`null`
    : sql`(select encode(vector.vector, 'base64') from text_vector as vector where ${isVectorOf(model)})`;

/** Takes the next number and holds the row until the transaction ends. */
export async function nextRevision(tx: Db, { accountId, productId }: Tenant): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    with next as (
      insert into knowledge_revision (account_id, product_id, revision) values (${accountId}, ${productId}, 1)
      on conflict (account_id, product_id) do update set revision = knowledge_revision.revision + 1
      returning account_id, product_id, revision)
    insert into knowledge_change (account_id, product_id, revision)
    select account_id, product_id, revision from next
    returning revision`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The revision was not counted.');
  return row.revision;
}

/** Things of one corpus. */
export interface ThingIds {
  corpus: Corpus;
  ids: readonly string[];
}

/** Writes the number of the change and the characters of its text to each of the things; new ones are added. */
export async function touchThings(
  tx: Db,
  { accountId, productId }: Tenant,
  { things, revision }: { things: readonly (Thing & { size: number })[]; revision: number },
): Promise<void> {
  const sized = things.map(({ corpus, id, size }) => ({ corpus, id, size }));
  await sql`
    insert into knowledge_thing (account_id, product_id, corpus, id, revision, size)
    select ${accountId}, ${productId}, key.corpus, key.id, ${revision}, key.size
      from jsonb_to_recordset(${JSON.stringify(sized)}::jsonb) as key (corpus text, id text, size integer)
    on conflict (account_id, product_id, corpus, id)
    do update set revision = excluded.revision, size = excluded.size`.execute(tx);
}

/** Writes the number of the change to those of the things that are there, and that nothing is left of them. */
export async function emptyThings(
  tx: Db,
  tenant: Tenant,
  { corpus, ids, revision }: ThingIds & { revision: number },
): Promise<void> {
  await sql`
    update knowledge_thing set revision = ${revision}, size = null
     where ${within(tenant)} and corpus = ${corpus} and id = any(${ids}::text[]) and size is not null`.execute(tx);
}

/** Deletes all entries of the things. */
export async function deleteEntries(tx: Db, tenant: Tenant, { corpus, ids }: ThingIds): Promise<void> {
  await sql`
    delete from knowledge_entry
     where ${within(tenant)} and corpus = ${corpus} and id = any(${ids}::text[])`.execute(tx);
}

/** Gives the entries of one thing to another one of its corpus. */
export async function renameEntries(tx: Db, tenant: Tenant, { from, to }: { from: Thing; to: Thing }): Promise<void> {
  await sql`
    update knowledge_entry set id = ${to.id}
     where ${within(tenant)} and corpus = ${from.corpus} and id = ${from.id}`.execute(tx);
}

/** Adds entries of things that have none, or as many as `from` says. */
export async function insertEntries(
  tx: Db,
  { accountId, productId }: Tenant,
  things: readonly ThingEntries[],
  from = 0,
): Promise<void> {
  const rows = things.flatMap(({ corpus, id, entries }) =>
    entries.map((entry, index) => ({ ...storable(entry, corpus), corpus, id, position: from + index })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into knowledge_entry
      (account_id, product_id, corpus, id, part, position, kind, title, section, text, date, tags, customer, segment,
       source, hash)
    select ${accountId}, ${productId}, row.corpus, row.id, row.part, row.position, row.kind, row.title, row.section,
           row.text, row.date, row.tags, row.customer, row.segment, row.source, decode(row.hash, 'hex')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (corpus text, id text, part text, position integer,
           kind text, title text, section text, text text, date timestamptz, tags text[], customer text, segment text,
           source text, hash text)`.execute(tx);
}

/** A batch of changes, as one statement saw them. */
export interface Changes {
  changes: (ThingChange | LargeChange)[];
  /** Number of the last change that was committed then; 0 before the first one. */
  revision: number;
  /** The same change; undefined before the first one. */
  mark: ChangeMark | undefined;
  /** True if there were no others. */
  isAll: boolean;
  /** True if the database is the one that was read up to the position: it has the change of the mark. */
  isContinued: boolean;
}

/** The columns of a change are null where there was none. */
type ChangedRow = Pick<Changes, 'revision' | 'isAll' | 'isContinued'> & { corpus: Corpus | null; id: string } & {
  at: number;
  stamp: string | null;
} & Pick<ThingChange | LargeChange, 'entries'>;

/**
 * Things that changed after a position, oldest change first, with what their entries are now: at most 1,000, or fewer
 * that have some 1 MB of text; one that alone has more comes without its entries. One range scan of
 * `knowledge_thing_revision`, and the last change and the mark by their keys: one turn at the embedded database for all.
 */
export async function selectChanges(
  db: Db,
  tenant: Tenant,
  { position: after, mark }: IndexReach,
  model: string | undefined,
): Promise<Changes> {
  const isContinued =
    mark === undefined
      ? sql`true`
      : sql`exists (select from knowledge_change
        where ${within(tenant)} and revision = ${mark.revision} and stamp = ${mark.stamp}::uuid)`;
  const { rows } = await sql<ChangedRow>`
    with next as (
      select corpus, id, revision, coalesce(size, 0) as size from knowledge_thing
       where ${within(tenant)} and (revision, corpus, id) > (${after.revision}, ${after.corpus}, ${after.id})
       order by revision, corpus, id
       limit ${CHANGE_THINGS}),
    running as (
      select corpus, id, revision, size, sum(size) over (order by revision, corpus, id) - size as before from next),
    changed as (select corpus, id, revision, size from running where before < ${CHANGE_CHARACTERS}),
    last as (select revision, stamp from knowledge_revision left join knowledge_change
       using (account_id, product_id, revision) where ${within(tenant)})
    select coalesce((select revision from last), 0) as revision, (select stamp from last) as stamp,
           ${isContinued} as "isContinued",
           (select count(*) from next) < ${CHANGE_THINGS}
             and not exists (select from running where before >= ${CHANGE_CHARACTERS}) as "isAll",
           changed.corpus, changed.id, changed.revision as at,
           case when changed.size <= ${CHANGE_CHARACTERS} then coalesce(parts.entries, '[]'::jsonb) end as entries
      from (select) as one left join changed on true left join lateral (
        select jsonb_agg(jsonb_build_object('part', part, 'kind', kind, 'title', title, 'section', section, 'text', text,
                 'date', date, 'tags', tags, 'customer', customer, 'segment', segment, 'source', source, 'vector', ${vectorOf(model)})
                 order by position) as entries
          from knowledge_entry as entry
         where entry.account_id = ${tenant.accountId} and entry.product_id = ${tenant.productId}
           and entry.corpus = changed.corpus and entry.id = changed.id
           and changed.size <= ${CHANGE_CHARACTERS}) as parts on true
     order by changed.revision, changed.corpus, changed.id`.execute(db);
  const { revision = 0, isAll = true, isContinued: continues = true, stamp = null } = rows[0] ?? {};
  const last = stamp === null ? undefined : { revision, stamp };
  const changes = rows.flatMap((row) => changeOf(row) ?? []);
  return { changes, revision, mark: last, isAll, isContinued: continues };
}

/** Deletes the changes that were followed by another one before a time: no index file that is still used names them. */
export async function deleteMarks(db: Db, followedBefore: Date): Promise<void> {
  await sql`
    delete from knowledge_change as change using (
      select account_id, product_id, max(revision) as revision from knowledge_change
       where at < ${followedBefore} group by account_id, product_id) as last
     where change.account_id = last.account_id and change.product_id = last.product_id
       and change.revision < last.revision`.execute(db);
}

/** Things that changed after a position, and are not in an index that is there: at most 100,000 are counted. */
export async function countChanges(db: Db, tenant: Tenant, after: ChangePosition): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from knowledge_thing
       where ${within(tenant)} and (revision, corpus, id) > (${after.revision}, ${after.corpus}, ${after.id})
       limit ${MOST_COUNTED}) as changed`.execute(db);
  return rows[0]?.count ?? 0;
}

function changeOf({ corpus, id, at: revision, entries }: ChangedRow): ThingChange | LargeChange | undefined {
  if (corpus === null) return undefined;
  if (entries === null) return { corpus, id, revision, entries };
  // JSON has no dates.
  const dated = entries.map((entry) => ({ ...entry, date: dateOf(entry.date) }));
  return { corpus, id, revision, entries: dated };
}

function dateOf(date: Date | string | null | undefined): Date | undefined {
  return date === null || date === undefined ? undefined : new Date(date);
}

/** An entry without its text. */
export interface EntryOutline {
  part: string;
  section: string;
  characters: number;
}

/** The entries of a thing in the order they were put, without their text; none when it is not there. */
export async function selectOutline(db: Db, tenant: Tenant, { corpus, id }: Thing): Promise<EntryOutline[]> {
  const { rows } = await sql<EntryOutline>`
    select part, section, char_length(text) as characters from knowledge_entry
     where ${within(tenant)} and corpus = ${corpus} and id = ${id} order by position`.execute(db);
  return rows;
}

/** The entries of a thing in the order they were put; none when it is not there. */
export function selectEntries(db: Db, tenant: Tenant, thing: Thing): Promise<Entry[]> {
  return entriesFrom(db, tenant, thing, { positions: sql``, columns: sql`` });
}

/** At most 100 entries of a thing, from a position on; none at the end. */
export function selectEntryPage(
  db: Db,
  tenant: Tenant,
  thing: Thing,
  { from, model }: { from: number; model?: string | undefined },
): Promise<IndexedEntry[]> {
  const positions = sql`and position >= ${from} and position < ${from + PAGE_ENTRIES}`;
  return entriesFrom(db, tenant, thing, { positions, columns: sql`, ${vectorOf(model)} as vector` });
}

async function entriesFrom(
  db: Db,
  tenant: Tenant,
  { corpus, id }: Thing,
  { positions, columns }: { positions: RawBuilder<unknown>; columns: RawBuilder<unknown> },
): Promise<IndexedEntry[]> {
  const { rows } = await sql<Omit<IndexedEntry, 'date'> & { date: Date | null }>`
    select part, kind, title, section, text, date, tags, customer, segment, source ${columns}
      from knowledge_entry as entry
     where ${within(tenant)} and corpus = ${corpus} and id = ${id} ${positions}
     order by position`.execute(db);
  return rows.map((row) => ({ ...row, date: row.date ?? undefined }));
}

/** A part of a thing with its text. */
export interface PartText extends Thing {
  part: string;
  title: string;
  section: string;
  /** The first 20,000 characters. */
  text: string;
  /** Vector of the encoder, as base64; null while that is pending, and without a model. */
  vector: string | null;
}

/**
 * Texts of parts of things, in no order; those that are gone are left out. One look-up by key each: `offset 0` keeps a
 * planner without statistics from reading the whole product instead.
 */
export async function selectTexts(
  db: Db,
  tenant: Tenant,
  parts: readonly (Thing & { part: string })[],
  model?: string,
): Promise<PartText[]> {
  const keys = JSON.stringify(parts.map(({ corpus, id, part }) => ({ corpus, id, part })));
  const { rows } = await sql<PartText>`
    select key.corpus, key.id, key.part, row.title, row.section, row.text, row.vector
      from jsonb_to_recordset(${keys}::jsonb) as key (corpus text, id text, part text)
     cross join lateral (
       select title, section, left(text, ${TEXT_CHARACTERS}) as text, ${vectorOf(model)} as vector
         from knowledge_entry as entry
        where entry.account_id = ${tenant.accountId} and entry.product_id = ${tenant.productId}
          and entry.corpus = key.corpus and entry.id = key.id and entry.part = key.part
       offset 0) as row`.execute(db);
  return rows;
}

function storable({ date, tags, ...texts }: Entry, corpus: Corpus): Record<string, unknown> {
  const cleaned = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, storableText(text)]));
  const row = { ...texts, ...cleaned };
  return {
    ...row,
    date: date?.toISOString() ?? null,
    tags: tags.map(storableText),
    hash: hashOf(encodedEntry(row, corpus)),
  };
}
