import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnershipMap } from '../../src/commits/history-bodies.ts';
import { ChoiceGroup } from '../components/field.tsx';
import { EmptyState, Section, Tile, Tiles } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatCount, formatNumber, formatOmitted, formatShare } from '../format.ts';
import { areasIn, areasWithin, type OwnedArea, ownersIn } from './owned-areas.ts';
import { AreaTable, FolderPath, PersonTable } from './ownership-tables.tsx';
import { ownershipQuery } from './queries.ts';
import { type TileLook, TreemapPicture } from './treemap-picture.tsx';
import type { ViewProps } from './view-parts.tsx';

/** More are too small to be seen. */
const MOST_TILES = 800;
/** People with a colour of their own. */
const COLOURED = 4;
/** Of the colour in a tile, in percent: names on it stay legible, light and dark. */
const STRENGTH = 42;

const COLOURS = [
  { value: 'owner', label: 'Main owner' },
  { value: 'bus-factor', label: 'Bus factor' },
] as const;

/** Owners of all files: a treemap by main owner or by bus factor, and the same as tables. */
export function Ownership({ source, parameters, onChange }: ViewProps) {
  const { data, ...query } = useQuery(ownershipQuery(source));
  if (data === undefined) return <QueryState query={query} what="the owners" box="h-96" />;
  if (data.people.length === 0)
    return (
      <EmptyState icon="people" title="No owners yet">
        No person has committed to a file with lines. Merges, commits of programs and those of more than 100 files do
        not count.
      </EmptyState>
    );
  const folder = parameters.path?.slice(0, -1) ?? '';
  const open = (path: string): void => onChange({ path: path === '' ? '' : `${path}/` });
  return (
    <>
      <FolderPath folder={folder} onOpen={open} />
      <Risk map={data} folder={folder} />
      <OwnershipPicture map={data} folder={folder} repo={parameters.repo ?? source.id} onZoom={open} />
      <Section
        title="Files and folders"
        lead="A main owner has the largest share of the recent commits to a file, or owns the files with the largest share of the lines of a folder. The bus factor is the fewest people with more than half."
      >
        <AreaTable
          areas={areasIn(data.files, folder)}
          folder={folder}
          people={data.people}
          onOpen={(area) => (area.isFolder ? open(area.path) : onChange({ path: area.path }))}
        />
      </Section>
      <Section title="People" lead="Files that are mainly theirs, and how many of their lines have a bus factor of 1.">
        <PersonTable owners={ownersIn(data.files, folder)} people={data.people} repo={parameters.repo} />
      </Section>
    </>
  );
}

/** How much of the code depends on one person, before the picture of where. */
function Risk({ map: { files, people }, folder }: { map: OwnershipMap; folder: string }) {
  const owners = ownersIn(files, folder);
  const lines = areasIn(files, folder).reduce((sum, area) => sum + area.lines, 0);
  const sum = (key: 'lines' | 'alone'): number => owners.reduce((total, owner) => total + owner[key], 0);
  const [first] = owners;
  if (lines === 0) return null;
  return (
    <div className="mb-6">
      <Tiles>
        <Tile name="Main owners" value={formatNumber(owners.length)} />
        <Tile name="Largest owner" value={first === undefined ? '–' : formatShare(first.share)}>
          {first !== undefined && people[first.owner]}
        </Tile>
        <Tile name="At bus factor 1" value={formatShare(sum('alone') / lines)}>
          of the lines are in files that one person knows
        </Tile>
        <Tile name="Without an owner" value={formatShare(1 - sum('lines') / lines)}>
          of the lines
        </Tile>
      </Tiles>
    </div>
  );
}

interface PictureProps {
  map: OwnershipMap;
  folder: string;
  repo: string;
  onZoom: (path: string) => void;
}

function OwnershipPicture({ map, folder, repo, onZoom }: PictureProps) {
  const [colour, setColour] = useState<(typeof COLOURS)[number]['value']>('owner');
  const { people, files, total } = map;
  const ranked = ownersIn(files, folder).map(({ owner }) => owner);
  const named = ranked.slice(0, COLOURED);
  const lookOf = (area: OwnedArea): TileLook => {
    const owner = area.owner === null ? 'nobody' : (people[area.owner] ?? '');
    const rank = area.owner === null ? -1 : named.indexOf(area.owner);
    const title = `${area.path}\n${formatCount(area.lines, 'line')}, mainly ${owner}\nBus factor ${area.busFactor}`;
    return colour === 'owner'
      ? { title, background: tint(rank === -1 ? undefined : `series-${rank + 1}`), detail: owner }
      : { title, background: tint(BUS_FACTOR_COLOURS[Math.min(area.busFactor, 3)]), detail: area.busFactor };
  };
  const legend =
    colour === 'owner'
      ? [
          ...named.map((owner, rank) => ({ name: people[owner] ?? '', colour: `series-${rank + 1}` })),
          ...(ranked.length > COLOURED ? [{ name: 'Others', colour: undefined }] : []),
        ]
      : [
          { name: '1 person', colour: 'bad' },
          { name: '2 people', colour: 'warn' },
          { name: '3 or more', colour: 'good' },
        ];
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 max-sm:hidden">
        <ChoiceGroup legend="Colour" quiet name="colour" value={colour} choices={COLOURS} onChoose={setColour} />
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm" aria-label="Colours">
          {legend.map((entry) => (
            <li key={entry.name} className="flex items-center gap-1.5">
              <span className="size-3 rounded-sm border border-edge" style={{ background: tint(entry.colour) }} />
              {entry.name}
            </li>
          ))}
        </ul>
      </div>
      <TreemapPicture rows={areasWithin(files, folder, MOST_TILES)} repo={repo} lookOf={lookOf} onZoom={onZoom}>
        Sized by lines.{' '}
        {total > files.length && `The ${formatNumber(files.length)} largest of ${formatNumber(total)} files. `}
        {formatOmitted(map.omitted)} Choose a folder to show it alone, a file to open it.
      </TreemapPicture>
    </>
  );
}

/** By bus factor; more than the last are like the last. */
const BUS_FACTOR_COLOURS = [undefined, 'bad', 'warn', 'good'];

function tint(colour: string | undefined): string {
  return colour === undefined
    ? 'var(--color-hover)'
    : `color-mix(in srgb, var(--color-${colour}) ${STRENGTH}%, var(--color-panel))`;
}
