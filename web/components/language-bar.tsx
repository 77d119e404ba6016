import { formatShare } from '../format.ts';
import { classNames } from '../class-names.ts';

const MOST_NAMED = 3;
/** By rank, not by language: the names stand beside it. */
const FILLS = ['fill-series-1', 'fill-series-2', 'fill-series-3', 'fill-series-4', 'fill-series-5'];
const GAP = 0.3;

interface LanguageBarProps {
  /** Share of the source by language, 0..1. */
  languages: Record<string, number>;
  /** Names all languages below the bar, not only the largest. */
  full?: boolean;
}

export function LanguageBar({ languages, full = false }: LanguageBarProps) {
  const ranked = Object.entries(languages).toSorted(([, a], [, b]) => b - a);
  if (ranked.length === 0) return null;
  const named = full ? ranked : ranked.slice(0, MOST_NAMED);
  const starts = ranked.map((_, rank) => ranked.slice(0, rank).reduce((sum, [, share]) => sum + share * 100, 0));
  return (
    <div>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 2"
        preserveAspectRatio="none"
        className={classNames('w-full rounded-full', full ? 'h-2' : 'h-1.5')}
      >
        {ranked.map(([name, share], rank) => (
          <rect
            key={name}
            x={starts[rank]}
            width={Math.max(share * 100 - (rank === ranked.length - 1 ? 0 : GAP), 0.4)}
            height={2}
            className={FILLS[Math.min(rank, FILLS.length - 1)] ?? ''}
          />
        ))}
      </svg>
      <ul aria-label="Languages" className="mt-1 flex flex-wrap gap-x-3 text-xs leading-4.5 text-quiet">
        {named.map(([name, share], rank) => (
          <li key={name} className="flex items-center gap-1">
            <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2">
              <circle cx={4} cy={4} r={4} className={FILLS[Math.min(rank, FILLS.length - 1)] ?? ''} />
            </svg>
            {name} {formatShare(share)}
          </li>
        ))}
        {ranked.length > named.length && <li>+{ranked.length - named.length} more</li>}
      </ul>
    </div>
  );
}
