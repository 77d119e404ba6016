import { useQuery } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { CopyButton, Snippet } from '../components/copy.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { OwnCommand } from '../components/inline.tsx';
import { Problem, SkeletonBox } from '../components/query-state.tsx';
import { readQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

interface AdrFiles {
  files: { path: string; content: string }[];
}

/** All decisions as Markdown Architectural Decision Records, to be copied. */
export function ExportDecisions({ onClose }: { onClose: () => void }) {
  const { product } = useSession();
  const { data, error, isPending } = useQuery(
    readQuery<AdrFiles>('decisions', 'decisions/files', { product: product.id }),
  );
  const files = data?.files ?? [];
  const all = files.map(({ path, content }) => `=== ${path} ===\n${content}`).join('\n');
  return (
    <Dialog
      title="Decisions as files"
      lead={
        <>
          Markdown Architectural Decision Records. <OwnCommand words="decision export docs/adr" /> writes them into a
          folder.
        </>
      }
      onClose={onClose}
    >
      {error !== null && <Problem problem={{ message: error.message, fix: '' }} />}
      {isPending && <SkeletonBox label="Loading the files" className="h-48" />}
      <div className="flex flex-col gap-3">
        {files.map(({ path, content }) => (
          <Snippet key={path} title={path} label={path} text={content} />
        ))}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {files.length > 1 && <CopyButton look="primary" label="Copy all" text={all} />}
      </DialogActions>
    </Dialog>
  );
}
