import { useState } from 'react';
import { useAction, useChanges, useFields } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { ChoiceGroup, TextField } from '../components/field.tsx';
import { type NewSource, type Source, SOURCE_NAMES } from './source-queries.ts';

type Kind = Source['kind'];

interface KindHints {
  /** Absent where the account is all there is. */
  project?: string;
  example?: string;
  address: string;
  token: string;
}

const HINTS: Readonly<Record<Kind, KindHints>> = {
  github: {
    project: 'Repository',
    example: 'owner/repository',
    address: 'https://api.github.com',
    token: 'A fine-grained token that may read issues of the repository.',
  },
  gitlab: {
    project: 'Project',
    example: 'group/project',
    address: 'https://gitlab.com',
    token: 'An access token with the scope read_api.',
  },
  zendesk: { address: 'https://example.zendesk.com', token: 'An API token of an agent.' },
  intercom: { address: 'https://api.intercom.io', token: 'An access token that may read conversations.' },
  slack: {
    project: 'Id of the channel',
    example: 'C0123456789',
    address: 'https://slack.com/api',
    token: 'A bot token with channels:history, channels:read and users:read; the bot is in the channel.',
  },
};

const KINDS = (['github', 'gitlab', 'zendesk', 'intercom', 'slack'] as const).map((value) => ({
  value,
  label: SOURCE_NAMES[value],
}));

/** The token leaves the form with the request and is kept nowhere else. */
export function ConnectSource({ onClose }: { onClose: () => void }) {
  const { path, say, refresh } = useChanges();
  const [kind, setKind] = useState<Kind>('github');
  const { fields: form, bind } = useFields({ project: '', address: '', user: '', token: '' });
  const connect = useAction(async (source: NewSource) => {
    const made = await post<Source>(path('signal-sources'), source);
    await refresh('signal-sources');
    onClose();
    say(`Connected ${SOURCE_NAMES[made.kind]} ${made.project}`.trim());
  });
  const { project, example = '', address, token } = HINTS[kind];
  return (
    <FormDialog
      title="Connect a source of signals"
      lead="What customers say there is read every hour, from the beginning."
      onClose={onClose}
      action="Connect"
      change={connect}
      onSubmit={() => connect.run(sourceOf(kind, form))}
    >
      <ChoiceGroup legend="Tool" name="kind" value={kind} choices={KINDS} onChoose={setKind} />
      {project !== undefined && <TextField label={project} required placeholder={example} {...bind('project')} />}
      <TextField
        label={kind === 'zendesk' ? 'Address' : 'Address (optional)'}
        type="url"
        required={kind === 'zendesk'}
        placeholder={address}
        {...(kind !== 'zendesk' && { hint: 'Only for your own installation or another region.' })}
        {...bind('address')}
      />
      {kind === 'zendesk' && <AgentField {...bind('user')} />}
      <TextField
        label="Token"
        type="password"
        autoComplete="off"
        required
        hint={`${token} It is stored encrypted and never shown again.`}
        {...bind('token')}
      />
    </FormDialog>
  );
}

function AgentField(bound: { value: string; onEnter: (text: string) => void }) {
  return <TextField label="E-mail address" type="email" required hint="Of the agent whose token it is." {...bound} />;
}

function sourceOf(kind: Kind, form: { project: string; address: string; user: string; token: string }): NewSource {
  const [address, user] = [form.address.trim(), form.user.trim()];
  return {
    kind,
    token: form.token.trim(),
    ...(HINTS[kind].project !== undefined && { project: form.project.trim() }),
    ...(address !== '' && { base_url: address }),
    ...(kind === 'zendesk' && { user_name: user }),
  };
}
