import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { Table, actionsColumn, Cell, NumberCell } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatBytes } from '../format.ts';
import { Actor } from './actor.tsx';

interface Version {
  version: number;
  at: string;
  by: string;
  /** Absent where the size is unknown. */
  sizeBytes?: number;
}

interface VersionTableProps {
  versions: readonly Version[];
  present: number;
  /** Verb for the time of each: `Saved`, `Uploaded`. */
  done: string;
  /** The dialog that shows one. */
  show: (version: number, onClose: () => void) => ReactNode;
}

/** Every version of a text, with the way to see each. */
export function VersionTable({ versions, present, done, show }: VersionTableProps) {
  const [shown, setShown] = useState<number>();
  const hasSizes = versions.some(({ sizeBytes }) => sizeBytes !== undefined);
  return (
    <>
      <Table
        caption="Versions"
        columns={['Version', hasSizes && ['Size', 'text-right'], done, ['By', 'max-sm:hidden'], actionsColumn('w-20')]}
      >
        {versions.map(({ version, sizeBytes, at, by }) => (
          <tr key={version}>
            <Cell>
              {version} {version === present && <Badge>present</Badge>}
            </Cell>
            {hasSizes && <NumberCell>{sizeBytes !== undefined && formatBytes(sizeBytes)}</NumberCell>}
            <Cell>
              <Time at={at} />
            </Cell>
            <Cell className="max-sm:hidden">
              <Actor actor={by} />
            </Cell>
            <td className="px-2 text-right">
              <Button look="ghost" aria-label={`Show version ${version}`} onClick={() => setShown(version)}>
                Show
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      {shown !== undefined && show(shown, () => setShown(undefined))}
    </>
  );
}
