-- Who says what a signal wants: its words, or a person for good.
alter table signal add column intent_by text not null default 'words' check (intent_by in ('words', 'person'));

-- Signals that were deleted together, for as long as that can be undone.
create table signal_deletion (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  deleted_at timestamptz not null,
  -- Rows of signal, whole.
  signals jsonb not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create index signal_deletion_time on signal_deletion (deleted_at);
