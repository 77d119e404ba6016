import type { ClientEntry } from '../../src/cli/client-entries.ts';
import { buttonClass } from '../components/button.tsx';
import { Snippet } from '../components/copy.tsx';
import { Tabs } from '../components/tabs.tsx';

/** One tab a client, each with what to paste. */
export function ClientTabs({ entries, onCopied }: { entries: readonly ClientEntry[]; onCopied?: () => void }) {
  return (
    <Tabs
      label="Clients"
      tabs={entries.map(({ client, place, text, link }) => ({
        name: client,
        content: (
          <>
            <Snippet title={place} label={`Configuration for ${client}`} text={text} onCopied={onCopied} />
            {link !== undefined && (
              <a href={link} className={buttonClass('plain', 'mt-2')}>
                Add to {client}
              </a>
            )}
          </>
        ),
      }))}
    />
  );
}
