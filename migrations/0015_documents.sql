-- Columns that name a blob which nothing else can make again. `svc export` carries what they name; a slice that keeps
-- such blobs says so in the same way.
comment on column document_version.hash is '@original';
comment on column repository_scip.hash is '@original';
