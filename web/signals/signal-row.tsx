import { Link } from '@tanstack/react-router';
import { lazy } from 'react';
import { classNames } from '../class-names.ts';
import { Badge } from '../components/inline.tsx';
import { MenuOnClick } from '../components/menu-on-click.tsx';
import { Time } from '../components/time.tsx';
import { formatDate, formatNumber } from '../format.ts';
import type { Signal } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { SignalButton } from './signal-button.tsx';

const SignalMenu = lazy(async () => ({ default: (await import('./signal-menu.tsx')).SignalMenu }));

interface SignalRowProps {
  signal: Signal;
  /** Name of its theme, where that is known. */
  theme?: string | undefined;
  /** True if its theme is the subject of the page. */
  isOfPage?: boolean;
  /** Where rows can be selected: true if this one is, and a function that changes it. */
  selection?: { isSelected: boolean; onChoose: (id: string, range: boolean) => void };
  onDeleted?: () => void;
}

/** A signal as a row of a list. */
export function SignalRow({ signal, theme, isOfPage = false, selection, onDeleted }: SignalRowProps) {
  const { atLeast } = useSession();
  return (
    <div className={classNames('flex items-start gap-2 py-2.5 pr-2 pl-4', selection?.isSelected && 'bg-accent-soft')}>
      {selection !== undefined && (
        <input
          type="checkbox"
          checked={selection.isSelected}
          aria-label={`Select “${signal.text.slice(0, 40)}”`}
          className="mt-0.5 mr-1.5 size-4.5 shrink-0 accent-accent"
          onChange={({ nativeEvent }) =>
            selection.onChoose(signal.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      )}
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere] whitespace-pre-line">{signal.text}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
          {signal.intent !== 'other' && <Badge>{signal.intent}</Badge>}
          <PolarityBadge signal={signal} />
          {signal.theme !== null && !isOfPage && (
            <Link
              to="/themes/$themeId"
              params={{ themeId: signal.theme }}
              className="text-accent [overflow-wrap:anywhere] underline"
            >
              {theme ?? 'Theme'}
            </Link>
          )}
          <span className="[overflow-wrap:anywhere]">{aboutOf(signal)}</span>
          <Link
            to="/signals/$signalId"
            params={{ signalId: signal.id }}
            aria-label={`${formatDate(signal.date)}, open “${signal.text.slice(0, 40)}”`}
            className="hover:text-accent hover:underline"
          >
            <Time at={signal.date} as="date" />
          </Link>
          <SourceLink link={signal.link} />
        </p>
      </div>
      {atLeast('member') && (
        <MenuOnClick
          trigger={<SignalButton signal={signal} />}
          menu={<SignalMenu signal={signal} onDeleted={onDeleted} />}
        />
      )}
    </div>
  );
}

function aboutOf({ customer, segment, value, source, duplicate_of: duplicateOf, tags }: Signal): string {
  return [
    customer,
    segment,
    value === null ? '' : formatNumber(value),
    source,
    tags.join(', '),
    duplicateOf === null ? '' : 'near-duplicate',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** A guess by words, which are shown so that it can be judged. */
function PolarityBadge({ signal: { polarity, polarity_words: words } }: { signal: Signal }) {
  if (polarity === null || polarity === 0) return null;
  const suffix = words.length === 0 ? '' : `: ${words.slice(0, 4).join(', ')}`;
  return polarity < 0 ? <Badge tone="bad">negative{suffix}</Badge> : <Badge tone="good">positive{suffix}</Badge>;
}

/** Only whole web addresses lead anywhere: a link is what somebody wrote. */
function SourceLink({ link }: { link: string }) {
  if (!/^https?:\/\//i.test(link)) return null;
  return (
    <a href={link} rel="noopener noreferrer nofollow" target="_blank" className="text-accent underline">
      Source
    </a>
  );
}
