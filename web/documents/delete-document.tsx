import { useChanges } from '../action.ts';
import { remove } from '../api.ts';
import { Confirmation } from '../components/dialog.tsx';
import type { DocumentEntry } from '../knowledge/queries.ts';

interface DeleteDocumentProps {
  document: Pick<DocumentEntry, 'id' | 'name'>;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteDocument({ document: { id, name }, onClose, onDeleted }: DeleteDocumentProps) {
  const { path, say, refresh } = useChanges();
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      action="Delete document"
      onConfirm={async () => {
        await remove(path(`documents/${encodeURIComponent(id)}`));
        onClose();
        say(`Deleted “${name}”`);
        onDeleted?.();
        await refresh('documents');
      }}
      onClose={onClose}
    >
      All its versions are deleted, and searches no longer find it. This cannot be undone; you can upload the file
      again.
    </Confirmation>
  );
}
