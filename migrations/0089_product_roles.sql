-- Who may do what in a product: owners and admins of the account everything in all of them; members and viewers what their role
-- allows in products that are open to the account, and what they or their groups were given in any.

-- Only those who were given a role see it.
alter table product add column is_restricted boolean not null default false;

create table member_group (
  account_id uuid not null references account (account_id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name)
);

create table group_person (
  account_id uuid not null,
  group_id uuid not null,
  person_id uuid not null,
  primary key (account_id, group_id, person_id),
  foreign key (account_id, group_id) references member_group (account_id, id) on delete cascade,
  foreign key (account_id, person_id) references member (account_id, person_id) on delete cascade
);
create index group_person_of on group_person (account_id, person_id);

-- The role of a person or of a group in a product.
create table product_role (
  account_id uuid not null,
  product_id uuid not null,
  person_id uuid,
  group_id uuid,
  role text not null check (role in ('member', 'viewer')),
  check ((person_id is null) <> (group_id is null)),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade,
  foreign key (account_id, person_id) references member (account_id, person_id) on delete cascade,
  foreign key (account_id, group_id) references member_group (account_id, id) on delete cascade
);
create unique index product_role_person on product_role (account_id, product_id, person_id) where person_id is not null;
create unique index product_role_group on product_role (account_id, product_id, group_id) where group_id is not null;

-- The one place that decides: the role of a person in a product, null for one who does not see it.
create function product_role_of(account uuid, product uuid, person uuid) returns text language sql stable as $$
  select case when m.role in ('owner', 'admin') then m.role else (
    select given.role from (
      select m.role from product p where p.account_id = $1 and p.id = $2 and not p.is_restricted
      union all
      select r.role from product_role r
       where r.account_id = $1 and r.product_id = $2
         and (r.person_id = $3 or r.group_id in (
           select g.group_id from group_person g where g.account_id = $1 and g.person_id = $3))
    ) as given (role)
    -- `member` before `viewer`: the stronger one.
    order by given.role limit 1
  ) end
  from member m where m.account_id = $1 and m.person_id = $3
$$;

-- How many API keys one product may have, where that was changed.
alter table key_limit add column most_keys_per_product integer;
