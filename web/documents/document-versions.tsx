import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Section } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { SkeletonBox } from '../components/skeleton.tsx';
import { ActionsHeader, CELL_CLASS, Header, NUMBER_CLASS, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatBytes } from '../format.ts';
import { Actor } from '../knowledge/actor.tsx';
import type { DocumentDetail } from '../knowledge/bodies.ts';
import { documentVersionQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';

const TextDifference = lazy(async () => ({
  default: (await import('../knowledge/text-difference.tsx')).TextDifference,
}));
const VersionText = lazy(async () => ({ default: (await import('../knowledge/text-difference.tsx')).VersionText }));

/** Every upload of the document, with its text and what was changed since. */
export function DocumentVersions({ document }: { document: DocumentDetail }) {
  const [shown, setShown] = useState<number>();
  if (document.versions.length < 2) return null;
  return (
    <Section title="Versions">
      <Table
        caption="Versions"
        head={
          <>
            <Header>Version</Header>
            <Header className="text-right">Size</Header>
            <Header>Uploaded</Header>
            <Header className="max-sm:hidden">By</Header>
            <ActionsHeader className="w-20" />
          </>
        }
      >
        {document.versions.map(({ version, size_bytes: sizeBytes, created_at: createdAt, created_by: createdBy }) => (
          <tr key={version}>
            <td className={CELL_CLASS}>
              {version} {version === document.version && <Badge>present</Badge>}
            </td>
            <td className={NUMBER_CLASS}>{formatBytes(sizeBytes)}</td>
            <td className={CELL_CLASS}>
              <Time at={createdAt} />
            </td>
            <td className={`${CELL_CLASS} max-sm:hidden`}>
              <Actor actor={createdBy} />
            </td>
            <td className="px-2 text-right">
              <Button look="ghost" aria-label={`Show version ${version}`} onClick={() => setShown(version)}>
                Show
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      {shown !== undefined && <ShownVersion document={document} version={shown} onClose={() => setShown(undefined)} />}
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
