import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { remove } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { IconButton } from '../components/button.tsx';
import { Confirmation } from '../components/confirmation.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { formatNumber } from '../format.ts';
import type { Signal } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
import { useSession } from '../session.tsx';
import { useForgetSignals } from './forget-signals.ts';
import { PlaceSignal } from './place-signal.tsx';

interface SignalRowProps {
  signal: Signal;
  /** Name of its theme, where that is known. */
  theme?: string | undefined;
  /** Whether its theme is what the page is about. */
  isOfPage?: boolean;
}

/** What a row of a list shows of a signal. */
export function SignalRow({ signal, theme, isOfPage = false }: SignalRowProps) {
  return (
    <div className="flex items-start gap-2 py-2.5 pr-2 pl-4">
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
          <Time at={signal.date} as="date" />
          <SourceLink link={signal.link} />
        </p>
      </div>
      <SignalMenu signal={signal} />
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
    duplicateOf === null ? '' : 'says nearly the same as another',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** A guess by words, which are shown so that it can be judged. */
function PolarityBadge({ signal: { polarity, polarity_words: words } }: { signal: Signal }) {
  if (polarity === null || polarity === 0) return null;
  const said = words.length === 0 ? '' : `: ${words.slice(0, 4).join(', ')}`;
  return polarity < 0 ? <Badge tone="bad">negative{said}</Badge> : <Badge tone="good">positive{said}</Badge>;
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

function SignalMenu({ signal }: { signal: Signal }) {
  const { atLeast } = useSession();
  const [asked, setAsked] = useState<'place' | 'delete'>();
  if (!atLeast('member')) return null;
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for “${signal.text.slice(0, 40)}”`} />}>
        <MenuItem icon="tag" onSelect={() => setAsked('place')}>
          Pin to a theme…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" dangerous onSelect={() => setAsked('delete')}>
          Delete…
        </MenuItem>
      </Menu>
      {asked === 'place' && <PlaceSignal signal={signal} onClose={() => setAsked(undefined)} />}
      {asked === 'delete' && <DeleteSignal signal={signal} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function DeleteSignal({ signal, onClose }: { signal: Signal; onClose: () => void }) {
  const path = useProductPath();
  const forget = useForgetSignals();
  const say = useToast();
  return (
    <Confirmation
      title="Delete this signal?"
      action="Delete signal"
      onConfirm={async () => {
        await remove(path(`signals/${encodeURIComponent(signal.id)}`));
        onClose();
        say('Deleted the signal');
        await forget();
      }}
      onClose={onClose}
    >
      It no longer counts in any theme. Importing its file again restores it.
    </Confirmation>
  );
}
