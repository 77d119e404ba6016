import type { ReactNode } from 'react';

/** One thing that is known about what the page shows, beside it. */
export function SidePart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-panel">
      <h2 className="border-b border-line px-3 py-1.5 text-sm">{title}</h2>
      {children}
    </section>
  );
}
