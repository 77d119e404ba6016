-- How often work on a run was begun since its last finished step: a step that ends the process is not begun for ever.
alter table workflow_run add column attempts integer not null default 0;
