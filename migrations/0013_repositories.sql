-- Whether another index run was asked for while one is running: the running one then ends in `pending`, not in `ready`.
alter table repository add column index_again boolean not null default false;
