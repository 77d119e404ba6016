import { HISTORY_KIND } from '../../indexes/shards/shards.ts';
import type { CommitClass } from '../classify/classify.ts';

/** Version of the history shard. Readers take no other; a changed table or layout needs a new version. */
export const HISTORY_VERSION = 11;

/** The shard versions that readers of this build accept. */
export const HISTORY_FORMAT = { kind: HISTORY_KIND, versions: [HISTORY_VERSION] };

/**
 * Key of the newest commits of the lines of history that a shard holds beside that of its commit, separated by spaces; '' where
 * there are none.
 */
export const OTHER_LINES = 'other_lines';

/**
 * Tables of the history shard. Ids start at 1; those of commits rise from parents to children. Times are seconds since
 * 1970.
 *
 * - `git_commit`: `parents` are the ids of the parents, by spaces; the object id of one that is not here (a shallow clone).
 *   `complete` is 0 where contents are missing, so that renames with edits are not known, and of the oldest commits of a shallow
 *   clone, whose files are not known. `type` to `best`: see `classify.ts`.
 * - `path`: every path that ever was, of a history that was merged as a folder below that folder; `alive` is 1 for those in
 *   the newest commit, `left_out` why changes to it say nothing about the code (see `path-kinds.ts`) or ''.
 * - `file_change`: which commits touched a path, and of a rename where it was before.
 * - `change_block`: what each commit changed, for questions over many commits: see `change-blocks.ts`.
 * - `trailer`: `Key: value` lines at the end of a message, in their order.
 * - `removed_export`: names that a commit took from what a file offers others, as a JSON list; null where its contents are
 *   missing. Written after the history is served, newest first; `removed_export_state`, one row, tells how far that went.
 * - `term`: postings of the search in messages and paths: see `message-index.ts`. `message_length`: one row, one byte a commit.
 */
export const HISTORY_TABLES = `
  create table author (
    id integer primary key,
    name text not null,
    email text not null,
    bot integer not null,
    unique (name, email)
  ) strict;
  create table path (
    id integer primary key,
    path text not null unique,
    left_out text not null,
    alive integer not null default 0
  ) strict;
  create table git_commit (
    id integer primary key,
    sha text not null unique,
    parents text not null,
    author_id integer not null,
    authored_at integer not null,
    committed_at integer not null,
    complete integer not null,
    subject text not null,
    body text not null,
    type text not null,
    breaking integer not null,
    scope text,
    confidence real not null,
    label_source text not null,
    best text
  ) strict;
  create table file_change (
    path_id integer not null,
    commit_id integer not null,
    old_path_id integer,
    primary key (path_id, commit_id)
  ) strict, without rowid;
  create table change_block (
    first_commit integer primary key,
    last_commit integer not null,
    earliest integer not null,
    latest integer not null,
    data blob not null
  ) strict;
  create table trailer (
    commit_id integer not null,
    position integer not null,
    key text not null,
    value text not null,
    primary key (commit_id, position)
  ) strict, without rowid;
  create table removed_export (
    commit_id integer not null,
    path_id integer not null,
    names text,
    primary key (commit_id, path_id)
  ) strict, without rowid;
  create table removed_export_state (
    id integer primary key check (id = 1),
    first_commit integer not null,
    last_commit integer not null,
    whole integer not null
  ) strict;
  create table term (
    text text primary key,
    documents integer not null,
    last integer not null,
    postings blob not null
  ) strict;
  create table message_length (
    id integer primary key check (id = 1),
    data blob not null
  ) strict;
  create table tag (
    name text primary key,
    sha text not null,
    time integer not null
  ) strict, without rowid`;

/** Types of commits, in the order of their codes in a block. */
export const STORED_TYPES: readonly CommitClass['type'][] = [
  'feat',
  'fix',
  'perf',
  'refactor',
  'docs',
  'test',
  'build',
  'ci',
  'style',
  'chore',
  'revert',
  'unclassified',
];
