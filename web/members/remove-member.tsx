import { useState } from 'react';
import type { Member } from '../../src/accounts/account-bodies.ts';
import { useChanges } from '../action.ts';
import { remove } from '../api.ts';
import { Confirmation } from '../components/dialog.tsx';
import { ChoiceGroup, SelectField } from '../components/field.tsx';

const FATES = [
  { value: 'end', label: 'End them now' },
  { value: 'hand-over', label: 'Hand them over' },
] as const;
type Fate = (typeof FATES)[number]['value'];

interface RemoveMemberProps {
  member: Member;
  /** Everybody else: those who can get the API keys. */
  others: readonly Member[];
  onClose: () => void;
}

/** Asks what becomes of the API keys of somebody who is removed, and removes them. */
export function RemoveMember({ member, others, onClose }: RemoveMemberProps) {
  const [fate, setFate] = useState<Fate>('end');
  const [heir, setHeir] = useState(others.find(({ you }) => you)?.id ?? '');
  const { say, refresh } = useChanges();
  const keys = member.keys ?? 0;
  const path = `members/${encodeURIComponent(member.id)}`;
  return (
    <Confirmation
      title={`Remove ${member.name}?`}
      action="Remove member"
      onConfirm={async () => {
        const handsOver = keys > 0 && fate === 'hand-over';
        await remove(handsOver ? `${path}?${new URLSearchParams({ keys_to: heir })}` : path);
        onClose();
        say(`Removed ${member.name}`);
        await refresh('members', 'keys');
      }}
      onClose={onClose}
    >
      They are signed out everywhere and can no longer sign in.
      {keys > 0 && (
        <div className="mt-4 flex flex-col gap-3 text-ink">
          <ChoiceGroup
            legend={keys === 1 ? 'Their API key' : `Their ${keys} API keys`}
            name="fate"
            value={fate}
            choices={FATES}
            onChoose={setFate}
          />
          {fate === 'end' ? (
            <p className="text-quiet">Programs that use them are refused at once.</p>
          ) : (
            <SelectField
              label="To"
              value={heir}
              choices={others.map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }))}
              onChoose={setHeir}
              hint="The keys keep working, within the role of this person. Who knows their values can go on using them: regenerate them if that should end."
            />
          )}
        </div>
      )}
    </Confirmation>
  );
}
