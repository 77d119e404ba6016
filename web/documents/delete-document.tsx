import { useQueryClient } from '@tanstack/react-query';
import { remove } from '../api.ts';
import { Confirmation } from '../components/confirmation.tsx';
import { useToast } from '../components/toast.tsx';
import type { DocumentEntry } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';

interface DeleteDocumentProps {
  document: Pick<DocumentEntry, 'id' | 'name'>;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteDocument({ document: { id, name }, onClose, onDeleted }: DeleteDocumentProps) {
  const path = useProductPath();
  const queries = useQueryClient();
  const say = useToast();
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      action="Delete document"
      onConfirm={async () => {
        await remove(path(`documents/${encodeURIComponent(id)}`));
        onClose();
        say(`Deleted “${name}”`);
        onDeleted?.();
        await queries.invalidateQueries({ queryKey: ['documents'] });
      }}
      onClose={onClose}
    >
      All its versions are deleted, and searches no longer find it. This cannot be undone; you can upload the file
      again.
    </Confirmation>
  );
}
