/** Units of the drawing. */
const STEP = 6;
const HEIGHT = 20;
const LEAST = 1.5;

/** Counts in parts of a period, oldest first, as small bars. `label` says the same in words. */
export function Sparkline({ series, label }: { series: readonly number[]; label: string }) {
  const most = Math.max(1, ...series);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${series.length * STEP} ${HEIGHT}`}
      className="h-5 w-18 shrink-0"
      preserveAspectRatio="none"
    >
      {series.map((count, at) => {
        const height = count === 0 ? LEAST : Math.max(LEAST, (count / most) * HEIGHT);
        return (
          <rect
            key={at}
            x={at * STEP}
            y={HEIGHT - height}
            width={STEP - 1.5}
            height={height}
            className={count === 0 ? 'fill-line' : 'fill-accent'}
          />
        );
      })}
    </svg>
  );
}
