import type { NewTrackerBody, TrackerBody } from '../../src/trackers/tracker-bodies.ts';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { postTrackers } from '../form-rules.json';
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

/** The token leaves the form with the request and is kept nowhere else. */
export function ConnectTracker({ onClose }: { onClose: () => void }) {
  const { product, path, apply } = useChanges();
  const initial = { kind: 'github' } as const;
  const form = useForm(
    { rules: postTrackers, initial },
    ({ user_name: user, issue_type: type, ...tracker }: NewTrackerBody) => {
      const ofJira = tracker.kind === 'jira' && { user_name: user, issue_type: type };
      return apply(post<TrackerBody>(path('trackers'), { ...tracker, ...ofJira }), {
        to: 'trackers',
        done: onClose,
        says: (made) => `Connected ${TRACKER_NAMES[made.kind]} ${made.project}`,
      });
    },
  );
  const kind = form.entries.kind === '' ? initial.kind : form.entries.kind;
  const isJira = kind === 'jira';
  const hints = HINTS[kind];
  return (
    <FormDialog
      title="Connect an issue tracker"
      lead={`For “${product.name}”. The service checks the project with the tracker before it stores anything.`}
      onClose={onClose}
      action="Connect"
      form={form}
    >
      <Field of={form} name="kind" label="Tracker" labels={TRACKER_NAMES} isGroup />
      <Field of={form} name="project" label={hints.project} placeholder={hints.example} />
      <Field
        of={form}
        name="base_url"
        label="Address"
        type="url"
        required={isJira}
        placeholder={hints.address}
        hint={isJira ? undefined : 'Only for your own installation.'}
      />
      {isJira && (
        <>
          <Field
            of={form}
            name="user_name"
            label="E-mail address"
            type="email"
            hint="The address that the token belongs to. Leave it out for Jira Data Center."
          />
          <Field of={form} name="issue_type" label="Issue type" placeholder="Task" />
        </>
      )}
      <Field
        of={form}
        name="token"
        label="Token"
        type="password"
        hint={`${hints.token} It is stored encrypted and never shown again.`}
      />
    </FormDialog>
  );
}
