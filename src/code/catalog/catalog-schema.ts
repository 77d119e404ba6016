/**
 * Kind and format version of a catalog: what the indexes of one product hold, in front of them. It is a cache that is derived from
 * shards: one of another version is made again.
 */
export const CATALOG_FORMAT = { kind: 'catalog', versions: [1] };

/**
 * Tables of a catalog. Each indexed repository has a slot, which goes by the hashes of its shards: one that is indexed again gets
 * another. `slots` are numbers of 32 bits, one after the other.
 *
 * - `name`, `name_gram`: distinct names of symbols, as in a code shard (`search-names.ts` reads both), with who has them.
 * - `gram`: the trigrams of text, as numbers of `trigrams.ts`, with who has them.
 * - `term`, `commit_term`: terms of the ranked search in code and in messages; each slot is followed by how many documents of
 *   that repository have the term.
 */
export const CATALOG_TABLES = `
create table entry (
  slot integer primary key, shards text not null unique, files integer not null, unread integer not null,
  documents integer not null, commits integer not null
) strict;
create table name (id integer primary key, text text not null, initials text not null, slots blob not null) strict;
create index name_by_text on name (text collate nocase);
create index name_by_initials on name (initials);
create virtual table name_gram using fts5(text, content='', columnsize=0, detail=none, tokenize='trigram');
create table gram (id integer primary key, slots blob not null) strict;
create table term (text text primary key, slots blob not null) strict;
create table commit_term (text text primary key, slots blob not null) strict;
`;
