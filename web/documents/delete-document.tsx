import { useChanges } from '../action.ts';
import { Removal } from '../components/dialog.tsx';
import type { DocumentEntry } from '../knowledge/queries.ts';

interface DeleteDocumentProps {
  document: Pick<DocumentEntry, 'id' | 'name'>;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteDocument({ document: { id, name }, onClose, onDeleted }: DeleteDocumentProps) {
  const { path } = useChanges();
  return (
    <Removal
      title={`Delete “${name}”?`}
      action="Delete document"
      path={path(`documents/${encodeURIComponent(id)}`)}
      kinds={['documents']}
      message={`Deleted “${name}”`}
      onRemoved={onDeleted}
      onClose={onClose}
    >
      All its versions are deleted, and searches no longer find it. This cannot be undone; you can upload the file
      again.
    </Removal>
  );
}
