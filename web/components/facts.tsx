import type { ReactNode } from 'react';

/** Names with their values, two columns where there is room. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-8 rounded-lg border border-line bg-panel px-4 py-1.5 sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name} className="flex items-baseline gap-3 py-1.5">
          <dt className="w-28 shrink-0 text-sm text-quiet">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A row of figures. */
export function Tiles({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      {children}
    </dl>
  );
}

export function Tile({ name, value, children }: { name: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div className="bg-panel px-4 py-3">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="mt-0.5 text-[18px] leading-6 font-semibold tabular-nums">{value}</dd>
      <dd className="min-h-4.5 text-xs leading-4.5 text-quiet">{children}</dd>
    </div>
  );
}
