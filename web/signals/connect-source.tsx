import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { postSignalSources } from '../form-rules.json';
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

/** The token leaves the form with the request and is kept nowhere else. */
export function ConnectSource({ onClose }: { onClose: () => void }) {
  const { path, apply } = useChanges();
  const initial = { kind: 'github' } as const;
  const form = useForm({ rules: postSignalSources, initial }, (source: NewSource) =>
    apply(post<Source>(path('signal-sources'), sourceOf(source)), {
      to: 'signal-sources',
      done: onClose,
      says: ({ kind: tool, project: of }) => `Connected ${SOURCE_NAMES[tool]} ${of}`.trim(),
    }),
  );
  const kind = form.entries.kind === '' ? initial.kind : form.entries.kind;
  const isZendesk = kind === 'zendesk';
  const { project, example = '', address, token } = HINTS[kind];
  return (
    <FormDialog
      title="Connect a source of signals"
      lead="What customers say there is read every hour, from the beginning."
      onClose={onClose}
      action="Connect"
      form={form}
    >
      <Field of={form} name="kind" label="Tool" labels={SOURCE_NAMES} isGroup />
      {project !== undefined && <Field of={form} name="project" label={project} required placeholder={example} />}
      <Field
        of={form}
        name="base_url"
        label="Address"
        type="url"
        required={isZendesk}
        placeholder={address}
        hint={isZendesk ? undefined : 'Only for your own installation or another region.'}
      />
      {isZendesk && (
        <Field
          of={form}
          name="user_name"
          label="E-mail address"
          type="email"
          required
          hint="Of the agent whose token it is."
        />
      )}
      <Field
        of={form}
        name="token"
        label="Token"
        type="password"
        hint={`${token} It is stored encrypted and never shown again.`}
      />
    </FormDialog>
  );
}

/** Without what was entered for another tool. */
function sourceOf({ project, user_name: user, ...source }: NewSource): NewSource {
  return {
    ...source,
    ...(HINTS[source.kind].project !== undefined && { project }),
    ...(source.kind === 'zendesk' && { user_name: user }),
  };
}
