-- When a key was regenerated stands in the audit log, with who did it.

alter table api_key drop column regenerated_at;
