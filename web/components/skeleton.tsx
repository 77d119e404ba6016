/** Rows of the size that will be there, so that nothing jumps when they come. */
export function SkeletonRows({
  label,
  rows = 3,
  rowClass = 'h-[45px]',
}: {
  label: string;
  rows?: number;
  rowClass?: string;
}) {
  return (
    <div role="status" aria-label={label} className="rounded-lg border border-line bg-panel">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={`flex items-center gap-6 border-b border-line px-4 last:border-0 ${rowClass}`}>
          <div className="breathing h-3 w-40 rounded bg-hover" />
          <div className="breathing h-3 w-24 rounded bg-hover max-sm:hidden" />
          <div className="breathing ml-auto h-3 w-16 rounded bg-hover" />
        </div>
      ))}
    </div>
  );
}

/** A box of a given height, for charts and panels. */
export function SkeletonBox({ label, className }: { label: string; className: string }) {
  return <div role="status" aria-label={label} className={`breathing rounded-lg bg-hover ${className}`} />;
}
