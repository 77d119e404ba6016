-- Which version of the reader of plans the work items of a plan are from: those of an older one are read again.

alter table plan add column reader integer not null default 0;
