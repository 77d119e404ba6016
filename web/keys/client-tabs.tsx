import { Snippet } from '../components/copy.tsx';
import { Tabs } from '../components/tabs.tsx';
import type { ClientEntry } from './client-entries.ts';

/** One tab a client, each with what to paste. */
export function ClientTabs({ entries, onCopied }: { entries: readonly ClientEntry[]; onCopied?: () => void }) {
  return (
    <Tabs
      label="Clients"
      tabs={entries.map(({ client, place, text }) => ({
        name: client,
        content: <Snippet title={place} label={`Configuration for ${client}`} text={text} onCopied={onCopied} />,
      }))}
    />
  );
}
