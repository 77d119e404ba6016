import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Section } from '../components/page.tsx';
import { Problem, SkeletonBox } from '../components/query-state.tsx';
import { type DocumentDetail, documentVersionQuery } from '../knowledge/queries.ts';
import { VersionTable } from '../knowledge/version-table.tsx';
import { useSession } from '../session.tsx';

const TextDifference = lazy(async () => ({
  default: (await import('../knowledge/text-difference.tsx')).TextDifference,
}));
const VersionText = lazy(async () => ({ default: (await import('../knowledge/text-difference.tsx')).VersionText }));

/** Every upload of the document, with its text and what was changed since. */
export function DocumentVersions({ document }: { document: DocumentDetail }) {
  if (document.versions.length < 2) return null;
  return (
    <Section title="Versions">
      <VersionTable
        versions={document.versions.map((upload) => ({
          version: upload.version,
          at: upload.created_at,
          by: upload.created_by,
          sizeBytes: upload.size_bytes,
        }))}
        present={document.version}
        done="Uploaded"
        show={(version, onClose) => <ShownVersion document={document} version={version} onClose={onClose} />}
      />
    </Section>
  );
}

interface ShownVersionProps {
  document: DocumentDetail;
  version: number;
  onClose: () => void;
}

function ShownVersion({ document, version, onClose }: ShownVersionProps) {
  const { product } = useSession();
  const isPresent = version === document.version;
  const { id } = document;
  const query = useQuery(documentVersionQuery(product.id, { id, version }));
  const present = useQuery({
    ...documentVersionQuery(product.id, { id, version: document.version }),
    enabled: !isPresent,
  });
  const failed = query.error ?? present.error;
  return (
    <Dialog title={`Version ${version}`} onClose={onClose}>
      {failed !== null && <Problem problem={{ message: failed.message, fix: '' }} />}
      {query.isPending && <SkeletonBox label="Loading the text" className="h-64" />}
      <Suspense fallback={<SkeletonBox label="Comparing" className="h-64" />}>
        {query.data !== undefined && present.data !== undefined && !isPresent && (
          <TextDifference
            name={document.name}
            before={query.data.text}
            after={present.data.text}
            version={document.version}
          />
        )}
        {query.data !== undefined && <VersionText version={version} text={query.data.text} />}
      </Suspense>
      {(query.data?.is_cut === true || present.data?.is_cut === true) && (
        <p className="mt-2 text-sm text-quiet">The first 400,000 characters are shown and compared.</p>
      )}
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
