import type { SymbolKind } from './rows.ts';

/**
 * Kind and format version of the code shard. Raise the version whenever a table, a blob layout, the terms of
 * `text/terms.ts` or the meaning of a column changes: shards of other versions are rebuilt, never read.
 */
export const CODE_SHARD = { kind: 'code', version: 40 } as const;

/** Shard versions that readers of this build accept. */
export const CODE_FORMAT = { kind: CODE_SHARD.kind, versions: [CODE_SHARD.version] };

/**
 * Tables of the code shard. Ids are positions and start at 0: files by path, symbols by path and line (see
 * `shard-input.ts`), so that `order by id` is `order by path, line`. Blob layouts are those of `store-codec.ts`.
 *
 * - `name`: distinct symbol names; `initials` are the first letters of its words (`getFooBar` → `gfb`).
 * - `symbol`: `parameters` tell functions of one qualified name in one file apart; null for all others.
 * - `usage`, `named`: uses by target symbol, and unresolved ones by name (only names that some symbol has), with the
 *   identifiers that no reader accounts for.
 * - `edge`: per symbol what it refers to, extends, and what extends it. The uses that refer to it are in `usage`.
 * - `file_edge`: per file what its top level refers to, and how whole files depend on each other: one bit a relation of
 *   `RELATIONS`.
 * - `link`: per file what no question asks for, and the index of the next commit needs: the files it imports, and the
 *   pairs of symbols that its text makes members of one family, ids one after the other.
 * - `file.content`: `code`, `data` or `prose`: only code is ranked where code is (see `languages/content.ts`).
 * - `file.parser`, `file.definitions` and `symbol.member` (the member of a type, not what is nested in code) are for that
 *   as well.
 * - `syntax`, `structure`: normalised syntax of symbols and files; `hash` is below 2^53 (see `syntax-hash.ts`).
 * - `measure`: functions with their measures; `symbol` is the function itself when `itself` is 1, else what is around it.
 * - `comment`: comments that are tagged, for example with TODO.
 * - `chunk`: whole lines of one file, about 4 KiB; `block`: several chunks in one zstd frame.
 * - `gram`: chunks by trigram, one row for each pair of first characters (see `trigrams.ts`). `name_gram`: trigrams of
 *   each name (rowid = name).
 * - `term`: postings of the ranked search; its documents are the symbols, then the files.
 * - `unit`: per file the lines that are searched and shown together (see `cut-units.ts`), with the number of its first
 *   unit; units are numbered over all files in their order. `unit_term`: their postings, see `unit-codec.ts`.
 * - `dense`: one value a file or document in one blob; and what answers need of the whole shard, computed with the index
 *   (`code/summaries`, `graph/stored`).
 */
export const CODE_TABLES = `
create table file (
  id integer primary key, path text not null, language text not null, blob text not null, size_bytes integer not null,
  lines integer not null, test integer not null, generated integer not null, parsed text not null, reason text,
  first_symbol integer not null, symbols integer not null, parser text not null, definitions integer not null,
  content text not null
) strict;
create table name (id integer primary key, text text not null, initials text not null) strict;
create table symbol (
  id integer primary key, file integer not null, name integer not null, qualified text not null, kind text not null,
  line integer not null, end_line integer not null, "column" integer not null, signature text not null,
  doc text not null, exported integer not null, member integer not null, parent integer, family integer,
  parameters text
) strict;
create table usage (symbol integer primary key, refs integer not null, uses blob not null) strict;
create table named (name integer primary key, uses blob not null) strict;
create table edge (symbol integer primary key, refers blob, extends blob, extended_by blob) strict;
create table file_edge (file integer primary key, refers blob, depends blob, depended_by blob) strict;
create table link (file integer primary key, imports blob, alike blob) strict;
create table comment (
  id integer primary key, file integer not null, line integer not null, tag text not null, text text not null
) strict;
create table syntax (symbol integer primary key, hash integer not null, tokens integer not null, sketch blob) strict;
create table structure (
  file integer primary key, hash integer not null, tokens integer not null, code_lines integer not null, fingerprints blob
) strict;
create table measure (
  id integer primary key, file integer not null, line integer not null, end_line integer not null, symbol integer,
  itself integer not null, cyclomatic integer not null, cognitive integer not null, nesting integer not null,
  parameters integer not null, code_lines integer not null
) strict;
create table block (id integer primary key, text blob not null) strict;
create table chunk (
  id integer primary key, file integer not null, line integer not null, block integer not null,
  start integer not null, size_bytes integer not null
) strict;
create table term (text text primary key, documents integer not null, postings blob not null) strict;
create table unit (file integer primary key, first integer not null, units blob not null) strict;
create table unit_term (text text primary key, units integer not null, postings blob not null) strict;
create table dense (name text primary key, data blob not null) strict;
create table gram (pair integer primary key, postings blob not null) strict;
create virtual table name_gram using fts5(text, content='', columnsize=0, detail=none, tokenize='trigram');
`;

/**
 * Lets the trigram index of names gather in memory and be written once: merging parts on disk costs time and leaves free pages. 64 MiB are more than any has.
 */
export const CODE_SETTINGS = `
insert into name_gram (name_gram, rank) values ('hashsize', 67108864);
`;

/** Made after the rows are in, which is cheaper than keeping them up to date. */
export const CODE_INDEXES = `
create unique index file_by_path on file (path);
create index name_by_text on name (text collate nocase);
create index name_by_initials on name (initials);
create index symbol_by_name on symbol (name);
create index symbol_by_family on symbol (family) where family is not null;
create index syntax_by_hash on syntax (hash);
create index structure_by_hash on structure (hash);
create index chunk_by_line on chunk (file, line);
insert into name_gram (rowid, text) select id, text from name order by id;
insert into name_gram (name_gram) values ('optimize');
`;

/** Codes of `dense.symbol_kind`: the index in this list. */
export const SYMBOL_KINDS: readonly SymbolKind[] = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'enum_member',
  'struct',
  'trait',
  'constant',
  'variable',
  'property',
  'module',
  'macro',
  'heading',
  'table',
];

/** Fields of a document of the ranked search, in the order of their bits in a posting: the most frequent first. */
export const TERM_FIELDS = ['body', 'comments', 'signature', 'path', 'scope', 'name', 'doc'] as const;

/** Fields whose length counts in the score, in the order of the bytes in `dense.document_length`. */
export const LENGTH_FIELDS = ['body', 'comments', 'signature', 'doc'] as const;
