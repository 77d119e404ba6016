import { useState } from 'react';
import type { NewTrackerBody, TrackerBody } from '../../src/trackers/tracker-bodies.ts';
import { useAction, useChanges, useFields } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { ChoiceGroup, TextField } from '../components/field.tsx';
import { TRACKER_NAMES, type TrackerKind } from './queries.ts';

interface KindHints {
  project: string;
  example: string;
  address: string;
  token: string;
}

const HINTS: Record<TrackerKind, KindHints> = {
  github: {
    project: 'Repository',
    example: 'owner/repository',
    address: 'https://api.github.com',
    token: 'A fine-grained token that may read and write issues of the repository.',
  },
  gitlab: {
    project: 'Project',
    example: 'group/project',
    address: 'https://gitlab.com',
    token: 'An access token with the scope api.',
  },
  linear: {
    project: 'Key of the team',
    example: 'ENG',
    address: 'https://api.linear.app',
    token: 'A personal API key.',
  },
  jira: {
    project: 'Key of the project',
    example: 'SHOP',
    address: 'https://example.atlassian.net',
    token: 'An API token; for Jira Data Center, a personal access token.',
  },
};

const KINDS = (['github', 'gitlab', 'linear', 'jira'] as const).map((value) => ({
  value,
  label: TRACKER_NAMES[value],
}));

/** The token leaves the form with the request and is kept nowhere else. */
export function ConnectTracker({ onClose }: { onClose: () => void }) {
  const { product, path, say, refresh } = useChanges();
  const [kind, setKind] = useState<TrackerKind>('github');
  const { fields: form, bind } = useFields({ project: '', address: '', user: '', type: '', token: '' });
  const connect = useAction(async (tracker: NewTrackerBody) => {
    const made = await post<TrackerBody>(path('trackers'), tracker);
    await refresh('trackers');
    onClose();
    say(`Connected ${TRACKER_NAMES[made.kind]} ${made.project}`);
  });
  const hints = HINTS[kind];
  return (
    <FormDialog
      title="Connect an issue tracker"
      lead={`For “${product.name}”. The service checks the project with the tracker before it stores anything.`}
      onClose={onClose}
      action="Connect"
      change={connect}
      onSubmit={() => connect.run(trackerOf(kind, form))}
    >
      <ChoiceGroup legend="Tracker" name="kind" value={kind} choices={KINDS} onChoose={setKind} />
      <TextField label={hints.project} required placeholder={hints.example} {...bind('project')} />
      <TextField
        label={kind === 'jira' ? 'Address' : 'Address (optional)'}
        type="url"
        required={kind === 'jira'}
        placeholder={hints.address}
        {...(kind !== 'jira' && { hint: 'Only for your own installation.' })}
        {...bind('address')}
      />
      {kind === 'jira' && <JiraFields user={bind('user')} type={bind('type')} />}
      <TextField
        label="Token"
        type="password"
        autoComplete="off"
        required
        hint={`${hints.token} It is stored encrypted and never shown again.`}
        {...bind('token')}
      />
    </FormDialog>
  );
}

interface Bound {
  value: string;
  onEnter: (text: string) => void;
}

function JiraFields({ user, type }: { user: Bound; type: Bound }) {
  return (
    <>
      <TextField
        label="E-mail address (Jira Cloud)"
        type="email"
        hint="The address that the token belongs to. Leave it out for Jira Data Center."
        {...user}
      />
      <TextField label="Issue type (optional)" placeholder="Task" maxLength={80} {...type} />
    </>
  );
}

function trackerOf(
  kind: TrackerKind,
  form: { project: string; address: string; user: string; type: string; token: string },
): NewTrackerBody {
  const [address, user, type] = [form.address.trim(), form.user.trim(), form.type.trim()];
  return {
    kind,
    project: form.project.trim(),
    token: form.token.trim(),
    ...(address !== '' && { base_url: address }),
    ...(kind === 'jira' && user !== '' && { user_name: user }),
    ...(kind === 'jira' && type !== '' && { issue_type: type }),
  };
}
