import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { BreakablePath } from '../components/entity-link.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { formatNumber, formatShare } from '../format.ts';
import type { OwnedArea, OwningPerson } from './owned-areas.ts';

const SHOWN_AT_FIRST = 25;

/** The way from the root to a folder; nothing at the root. */
export function FolderPath({ folder, onOpen }: { folder: string; onOpen: (path: string) => void }) {
  if (folder === '') return null;
  const parts = folder.split('/');
  return (
    <nav aria-label="Folder" className="mb-3 flex flex-wrap items-center gap-x-1 font-mono text-sm">
      <button type="button" className="text-accent hover:underline" onClick={() => onOpen('')}>
        All files
      </button>
      {parts.map((part, index) => (
        <span key={index} className="flex items-center gap-1">
          <span className="text-quiet">/</span>
          {index === parts.length - 1 ? (
            <span aria-current="location">{part}</span>
          ) : (
            <button
              type="button"
              className="text-accent hover:underline"
              onClick={() => onOpen(parts.slice(0, index + 1).join('/'))}
            >
              {part}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

interface AreaTableProps {
  areas: readonly OwnedArea[];
  /** Their common folder, which their names omit. */
  folder: string;
  people: readonly string[];
  onOpen: (area: OwnedArea) => void;
}

export function AreaTable({ areas, folder, people, onOpen }: AreaTableProps) {
  const [isWhole, setWhole] = useState(false);
  const start = folder === '' ? 0 : folder.length + 1;
  const shown = isWhole ? areas : areas.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <Table
        caption="Files and folders with their main owners, most lines first"
        columns={[
          'Name',
          ['Lines', 'text-right max-sm:hidden'],
          'Main owner',
          ['Share', 'text-right max-sm:hidden'],
          ['Bus factor', 'text-right'],
          ['Lines at 1', 'text-right max-sm:hidden'],
        ]}
      >
        {shown.map((area) => (
          <tr key={area.path}>
            <RowHeader className="min-w-40 font-normal">
              <button
                type="button"
                onClick={() => onOpen(area)}
                className="text-left font-mono text-sm hover:text-accent hover:underline"
              >
                <BreakablePath path={`${area.path.slice(start)}${area.isFolder ? '/' : ''}`} />
              </button>
            </RowHeader>
            <NumberCell className="max-sm:hidden">{formatNumber(area.lines)}</NumberCell>
            <Cell>{area.owner === null ? 'Nobody' : people[area.owner]}</Cell>
            <NumberCell className="max-sm:hidden">{area.owner === null ? '' : formatShare(area.share)}</NumberCell>
            <NumberCell className="font-medium">{formatNumber(area.busFactor)}</NumberCell>
            <NumberCell className="max-sm:hidden">{formatShare(area.alone)}</NumberCell>
          </tr>
        ))}
      </Table>
      <More shown={shown.length} all={areas.length} onShow={() => setWhole(true)} />
    </>
  );
}

interface PersonTableProps {
  owners: readonly OwningPerson[];
  people: readonly string[];
  repo: string | undefined;
}

export function PersonTable({ owners, people, repo }: PersonTableProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? owners : owners.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <Table
        caption="Main owners, most lines first"
        columns={[
          'Person',
          ['Files', 'text-right max-sm:hidden'],
          ['Lines', 'text-right'],
          ['Share', 'text-right max-sm:hidden'],
          ['At bus factor 1', 'text-right'],
        ]}
      >
        {shown.map(({ owner, files, lines, share, alone }) => (
          <tr key={owner}>
            <RowHeader className="font-normal">
              <Link
                to="/history"
                search={{ ...(repo !== undefined && { repo }), view: 'commits', author: people[owner] ?? '' }}
                className="font-medium hover:text-accent hover:underline"
              >
                {people[owner]}
              </Link>
            </RowHeader>
            <NumberCell className="max-sm:hidden">{formatNumber(files)}</NumberCell>
            <NumberCell>{formatNumber(lines)}</NumberCell>
            <NumberCell className="font-medium max-sm:hidden">{formatShare(share)}</NumberCell>
            <NumberCell>{formatNumber(alone)}</NumberCell>
          </tr>
        ))}
      </Table>
      <More shown={shown.length} all={owners.length} onShow={() => setWhole(true)} />
    </>
  );
}

function More({ shown, all, onShow }: { shown: number; all: number; onShow: () => void }) {
  if (shown === all) return null;
  return (
    <Button className="mt-3" onClick={onShow}>
      Show all {formatNumber(all)}
    </Button>
  );
}
