-- A digest goes to a webhook or by e-mail: a product has at most one of each.

alter table competitor_digest
  add column channel text not null default 'webhook' check (channel in ('webhook', 'email')),
  add column destinations text[];
update competitor_digest set destinations = array[url];
alter table competitor_digest
  alter column channel drop default,
  alter column destinations set not null,
  drop column url,
  -- E-mail is not signed.
  alter column secret drop not null,
  add check ((channel = 'webhook') = (secret is not null)),
  drop constraint competitor_digest_pkey,
  add primary key (account_id, product_id, channel);
