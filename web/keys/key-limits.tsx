import { useState } from 'react';
import type { KeyDetail } from '../../src/keys/key-bodies.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { LimitsDialog, useText } from '../components/limits.tsx';
import { Facts, Section } from '../components/page.tsx';
import { useSession } from '../session.tsx';

const NAMES = {
  requests: 'Requests in the last minute',
  runs: 'Runs of agents today',
  model_cost: 'Cost of the language model this month',
};

const LABELS = {
  requests: 'Requests a minute',
  runs: 'Runs of agents a day',
  model_cost: 'Cost of the language model a month',
};

/** What a key uses, beside what it may use; owners and admins change that. */
export function KeyLimits({ apiKey: { id, limits, product } }: { apiKey: KeyDetail }) {
  const { atLeast } = useSession();
  const [isChanging, setChanging] = useState(false);
  return (
    <Section
      title="Limits of this key"
      lead={`At a limit, what takes more is refused; other keys go on. The limits of ${product} hold beside them.`}
      actions={atLeast('admin') && <Button onClick={() => setChanging(true)}>Change limits</Button>}
    >
      <Facts facts={limits.map((use) => [NAMES[use.quota], useText(use)] as const)} />
      {isChanging && (
        <LimitsDialog
          title="Limits of this key"
          lead="An empty field means that only the settings and the product limit it."
          labels={LABELS}
          uses={limits}
          onClose={() => setChanging(false)}
          save={(own) => send('PATCH', `keys/${id}`, { limits: own })}
          to="keys"
        />
      )}
    </Section>
  );
}
