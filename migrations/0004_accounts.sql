-- How people sign in, who belongs to an account in which role, and what an invitation is.

alter table member drop constraint member_role_check;
alter table member add constraint member_role_check check (role in ('owner', 'admin', 'member', 'viewer'));

-- E-mail addresses are kept in lower case. A password is an argon2id hash with its parameters (PHC string format).
alter table person
  add column password_hash text,
  -- Base32. The pending one takes the place of the other once a code of it was shown.
  add column totp_secret text,
  add column totp_pending text,
  -- The 30-second step of the last code that was accepted: no code counts twice.
  add column totp_step bigint;

-- Only the SHA-256 of a token is stored, here and below, in hexadecimal.
create table session (
  account_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  token_hash text not null check (char_length(token_hash) = 64),
  way text not null check (way in ('link', 'password', 'oidc', 'invitation')),
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, token_hash),
  foreign key (account_id, person_id) references member (account_id, person_id) on delete cascade
);

-- What is good for one use: links to sign in, invitations, and the way to an identity provider and back.
create table one_time_token (
  account_id uuid not null,
  id uuid not null,
  token_hash text not null check (char_length(token_hash) = 64),
  purpose text not null check (purpose in ('sign_in', 'invitation', 'oidc')),
  -- Who signs in with a link; to whom an identity is to be linked.
  person_id uuid,
  -- Of an invitation.
  role text,
  email text,
  -- Where the way leads, and the invitation that is accepted by it.
  provider text,
  invitation_hash text,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, token_hash),
  foreign key (account_id, person_id) references member (account_id, person_id) on delete cascade
);

-- Who a person is to an identity provider.
create table identity (
  account_id uuid not null,
  provider text not null,
  subject text not null,
  person_id uuid not null,
  created_at timestamptz not null,
  primary key (account_id, provider, subject),
  unique (account_id, person_id, provider),
  foreign key (account_id, person_id) references member (account_id, person_id) on delete cascade
);

-- Failed attempts by address (its SHA-256), whether anybody has that address or not.
create table sign_in_attempt (
  account_id uuid not null,
  subject text not null,
  failures integer not null,
  last_at timestamptz not null,
  primary key (account_id, subject)
);
