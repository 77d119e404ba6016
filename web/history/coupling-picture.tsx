import { useState } from 'react';
import { ChoiceGroup } from '../components/field.tsx';
import { formatShare } from '../format.ts';
import { circleOf, coupledFiles, type CoupledPair } from './coupling-circle.ts';

const MOST_IN_CIRCLE = 48;
const MOST_IN_MATRIX = 30;
const RADIUS = 210;
/** Room for names around the circle, in units of the picture. */
const SIZE = { width: 1000, height: 780 };
/** Of the width of a column and the height of a row of the matrix. */
const CELL = 22;
const NAMES = 330;
const LONGEST_NAME = 46;

const LOOKS = [
  { value: 'circle', label: 'Graph' },
  { value: 'matrix', label: 'Matrix' },
] as const;

/** Pairs of files that change together as a picture; the table below says the same. */
export function CouplingPicture({
  pairs,
  onChoose,
}: {
  pairs: readonly CoupledPair[];
  onChoose: (path: string) => void;
}) {
  const [look, setLook] = useState<(typeof LOOKS)[number]['value']>('circle');
  const files = coupledFiles(pairs, look === 'circle' ? MOST_IN_CIRCLE : MOST_IN_MATRIX);
  const shown = pairs.filter(({ a, b }) => files.includes(a) && files.includes(b));
  return (
    <figure className="mb-4 max-sm:hidden">
      <ChoiceGroup legend="Show as" quiet name="coupling-look" value={look} choices={LOOKS} onChoose={setLook} />
      <div aria-hidden="true" className="mt-2 overflow-x-auto rounded-lg border border-line bg-panel p-2">
        {look === 'circle' ? (
          <Circle files={files} pairs={shown} onChoose={onChoose} />
        ) : (
          <Matrix files={files} pairs={shown} onChoose={onChoose} />
        )}
      </div>
      <figcaption className="mt-1.5 text-sm text-quiet">
        The {files.length} files with the most coupling among the pairs below. The stronger the{' '}
        {look === 'circle' ? 'line' : 'colour'}, the more of their commits they share. Choose a file to see its pairs
        alone.
      </figcaption>
    </figure>
  );
}

interface LookProps {
  files: readonly string[];
  pairs: readonly CoupledPair[];
  onChoose: (path: string) => void;
}

function Circle({ files, pairs, onChoose }: LookProps) {
  const [pointed, setPointed] = useState<string>();
  const places = circleOf(files, RADIUS);
  const positionOf = new Map(places.map((place) => [place.path, place]));
  const partners = new Set(pairs.flatMap(({ a, b }) => (a === pointed ? [b] : b === pointed ? [a] : [])));
  return (
    <svg
      viewBox={`${-SIZE.width / 2} ${-SIZE.height / 2} ${SIZE.width} ${SIZE.height}`}
      className="mx-auto max-h-[44rem] w-full"
      onMouseLeave={() => setPointed(undefined)}
    >
      {pairs.map(({ a, b, degree_pct: degree }) => {
        const [start, end] = [positionOf.get(a), positionOf.get(b)];
        if (start === undefined || end === undefined) return null;
        const isOf = pointed === undefined || a === pointed || b === pointed;
        return (
          <path
            key={`${a} ${b}`}
            d={`M${start.x} ${start.y}Q0 0 ${end.x} ${end.y}`}
            className="fill-none stroke-accent"
            strokeWidth={1 + (3 * degree) / 100}
            opacity={isOf ? 0.25 + (0.75 * degree) / 100 : 0.06}
          >
            <title>{`${a}\n${b}\n${formatShare(degree / 100)} of their commits`}</title>
          </path>
        );
      })}
      {places.map(({ path, x, y, turn, isLeft }) => (
        <text
          key={path}
          transform={`translate(${x * 1.03} ${y * 1.03}) rotate(${turn})`}
          textAnchor={isLeft ? 'end' : 'start'}
          dominantBaseline="middle"
          className={`cursor-pointer text-[12px] ${path === pointed || partners.has(path) ? 'fill-accent font-medium' : 'fill-ink'}`}
          onMouseEnter={() => setPointed(path)}
          onClick={() => onChoose(path)}
        >
          <title>{path}</title>
          {shorten(path, 26)}
        </text>
      ))}
    </svg>
  );
}

function Matrix({ files, pairs, onChoose }: LookProps) {
  const rowOf = new Map(files.map((path, at) => [path, at]));
  const size = files.length * CELL;
  const cells = pairs.flatMap(({ a, b, degree_pct: degree }) => [
    { row: a, column: b, degree },
    { row: b, column: a, degree },
  ]);
  return (
    <svg
      viewBox={`0 0 ${NAMES + size} ${CELL + size}`}
      style={{ maxWidth: `${NAMES + size}px` }}
      className="mx-auto w-full min-w-2xl"
    >
      {files.map((path, at) => (
        <g key={path}>
          <text
            x={NAMES - 8}
            y={(at + 1.5) * CELL}
            textAnchor="end"
            dominantBaseline="middle"
            className="cursor-pointer fill-ink text-[12px] hover:fill-accent"
            onClick={() => onChoose(path)}
          >
            <title>{path}</title>
            {shorten(path, LONGEST_NAME)} <tspan className="fill-quiet">{at + 1}</tspan>
          </text>
          <text
            x={NAMES + (at + 0.5) * CELL}
            y={CELL / 2}
            textAnchor="middle"
            dominantBaseline="middle"
            className="fill-quiet text-[11px]"
          >
            {at + 1}
          </text>
          <rect x={NAMES + at * CELL} y={(at + 1) * CELL} width={CELL - 1} height={CELL - 1} className="fill-hover" />
        </g>
      ))}
      {cells.map(({ row, column, degree }) => (
        <rect
          key={`${row} ${column}`}
          x={NAMES + (rowOf.get(column) ?? 0) * CELL}
          y={((rowOf.get(row) ?? 0) + 1) * CELL}
          width={CELL - 1}
          height={CELL - 1}
          rx={2}
          className="fill-accent"
          opacity={0.15 + (0.85 * degree) / 100}
        >
          <title>{`${row}\n${column}\n${formatShare(degree / 100)} of their commits`}</title>
        </rect>
      ))}
    </svg>
  );
}

/** The end of a path distinguishes files. */
function shorten(path: string, most: number): string {
  if (path.length <= most) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folders = path.slice(0, -name.length - 1).split('/');
  const parts: string[] = [name];
  for (const folder of folders.toReversed()) {
    if (`…/${folder}/${parts.join('/')}`.length > most) break;
    parts.unshift(folder);
  }
  const text = `…/${parts.join('/')}`;
  return text.length > most ? `${name.slice(0, most - 1)}…` : text;
}
