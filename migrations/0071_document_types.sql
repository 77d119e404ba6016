-- Presentations, workbooks, OpenDocument texts, RTF and books are read too.

alter table document drop constraint document_type_check;
alter table document add constraint document_type_check check (
  type in ('markdown', 'text', 'html', 'pdf', 'docx', 'pptx', 'xlsx', 'odt', 'rtf', 'epub', 'csv', 'zip')
);
