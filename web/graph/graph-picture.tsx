import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { classNames } from '../class-names.ts';
import { formatCount, formatNumber } from '../format.ts';
import { type Drawn, pictureOf, type Picture } from './layout.ts';
import { graphParameters, type GraphParameters } from './parameters.ts';
import type { Entity, Neighbour } from '../../src/graph/entity-output.ts';
import { entityAddress } from './queries.ts';
import { kindWords, relationWords, SERIES_NAMES, seriesOf } from './words.ts';

/** Shares of the width: columns of relations are narrow, and the gaps between columns hold the lines. */
const NODE_SHARE = 4;
const RELATION_SHARE = 2.3;
const FOCUS_SHARE = 3;
const GAP_SHARE = 0.8;
const BOX_PX = 24;

const FILLS = ['', 'bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4', 'bg-series-5'];

interface GraphPictureProps {
  entity: Entity;
  rows: readonly Neighbour[];
  parameters: GraphParameters;
}

/** Picture of the surroundings of an entity. The table below says the same to all, and more. */
export function GraphPicture({ entity, rows, parameters }: GraphPictureProps) {
  const picture = useMemo(() => pictureOf(entity, rows), [entity, rows]);
  const columns = spreadColumns(picture.columns);
  return (
    <figure className="mb-4 max-md:hidden">
      <div aria-hidden="true" className="overflow-hidden rounded-lg border border-line bg-panel px-3 py-3">
        <div className="relative" style={{ height: `${picture.height}px` }}>
          <Lines picture={picture} columns={columns} />
          {picture.places.map(({ key, drawn, column, top }) => (
            <div
              key={key}
              className="absolute flex items-center"
              style={{
                left: `${columns.get(column)?.left ?? 0}%`,
                width: `${columns.get(column)?.width ?? 0}%`,
                top: `${top - BOX_PX / 2}px`,
                height: `${BOX_PX}px`,
              }}
            >
              <Box drawn={drawn} parameters={parameters} />
            </div>
          ))}
        </div>
      </div>
      <Legend rows={rows} />
    </figure>
  );
}

function Box({ drawn, parameters }: { drawn: Drawn; parameters: GraphParameters }) {
  switch (drawn.what) {
    case 'focus':
      return (
        <span
          title={drawn.entity.id}
          className="w-full truncate rounded-md border-2 border-accent bg-accent-soft px-2 text-center font-medium"
        >
          {drawn.entity.name}
        </span>
      );
    case 'relation':
      return (
        <span className="w-full truncate text-center text-xs text-quiet">
          {drawn.words} {formatNumber(drawn.count)}
        </span>
      );
    case 'more':
      return <span className="truncate px-2 text-xs text-quiet">and {formatCount(drawn.count, 'more', 'more')}</span>;
    case 'node':
      return <Node row={drawn.row} parameters={parameters} />;
  }
}

function Node({ row, parameters }: { row: Neighbour; parameters: GraphParameters }) {
  const { id, kind, name, hop } = row;
  return (
    <Link
      to="/graph"
      search={graphParameters({ ...parameters, entity: entityAddress(row), relation: undefined })}
      preload={false}
      tabIndex={-1}
      title={`${kindWords(kind)} ${id}`}
      className="flex w-full min-w-0 items-center gap-1.5 rounded-md border border-line bg-page px-2 text-sm leading-5 hover:border-accent hover:bg-hover"
    >
      <span className={classNames('size-2 shrink-0 rounded-full', FILLS[seriesOf(kind)])} />
      <span className="truncate">
        {hop > 1 && <span className="text-xs text-quiet">{relationWords(row)} </span>}
        {kind === 'symbol' || kind === 'route' ? name : name.slice(name.lastIndexOf('/') + 1)}
      </span>
    </Link>
  );
}

interface Column {
  /** In percent of the picture. */
  left: number;
  width: number;
}

/** Gives each column its share of the width. */
function spreadColumns(columns: readonly number[]): Map<number, Column> {
  const shares = columns.map((column) => [FOCUS_SHARE, RELATION_SHARE][Math.abs(column)] ?? NODE_SHARE);
  const gaps = GAP_SHARE * Math.max(0, columns.length - 1);
  const whole = shares.reduce((sum, share) => sum + share, gaps);
  const spread = new Map<number, Column>();
  let left = 0;
  for (const [at, column] of columns.entries()) {
    const width = (100 * (shares[at] ?? 0)) / whole;
    spread.set(column, { left, width });
    left += width + (100 * GAP_SHARE) / whole;
  }
  return spread;
}

/** Between the sides of the boxes; stretched to the width, so strokes keep theirs. */
function Lines({ picture, columns }: { picture: Picture; columns: ReadonlyMap<number, Column> }) {
  const places = new Map(picture.places.map((node) => [node.key, node]));
  return (
    <svg
      viewBox={`0 0 100 ${picture.height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full fill-none stroke-edge/60"
    >
      {picture.links.map(({ from, to }) => {
        const [near, far] = [places.get(from), places.get(to)];
        if (near === undefined || far === undefined) return null;
        const isRight = far.column > 0;
        const [start, end] = [columns.get(near.column), columns.get(far.column)];
        if (start === undefined || end === undefined) return null;
        const x1 = isRight ? start.left + start.width : start.left;
        const x2 = isRight ? end.left : end.left + end.width;
        const middle = (x1 + x2) / 2;
        return (
          <path
            key={`${from} ${to}`}
            vectorEffect="non-scaling-stroke"
            d={`M${x1} ${near.top}C${middle} ${near.top} ${middle} ${far.top} ${x2} ${far.top}`}
          />
        );
      })}
    </svg>
  );
}

function Legend({ rows }: { rows: readonly Neighbour[] }) {
  const shown = new Set(rows.map(({ kind }) => seriesOf(kind)));
  return (
    <figcaption className="mt-1.5 flex flex-wrap gap-x-4 text-sm text-quiet">
      {SERIES_NAMES.map((name, at) => ({ name, series: at + 1 }))
        .filter(({ series }) => [...shown].some((other) => other === series))
        .map(({ name, series }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={classNames('size-2 rounded-full', FILLS[series])} />
            {name}
          </span>
        ))}
      <span>Choose a box to put it in the middle.</span>
    </figcaption>
  );
}
