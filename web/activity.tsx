import type { AuditEntry } from '../src/accounts/account-bodies.ts';
import type { AuditedChange } from '../src/accounts/audit.ts';
import { Time } from './components/time.tsx';
import { formatMoment } from './format.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Past-tense phrase for each action. */
const WORDS: Readonly<Record<string, string>> = {
  'account.create': 'created the account',
  'api_key.create': 'created the API key',
  'api_key.delete': 'deleted the API key',
  'api_key.end_grace': 'ended the grace period of the API key',
  'api_key.hand_over': 'handed over the API key',
  'api_key.limits': 'changed the limits of the API key',
  'api_key.regenerate': 'regenerated the API key',
  'installation.backup': 'made a backup',
  'product.update': 'changed the product',
  'product.limits': 'changed the limits of the product',
  'product.give_role': 'gave a role in the product',
  'product.remove_role': 'took a role away in the product',
  'group.create': 'created the group',
  'group.delete': 'deleted the group',
  'group.add_person': 'put somebody into the group',
  'group.remove_person': 'took somebody out of the group',
  'account.key_limits': 'changed how many API keys there may be',
  'api_key.rename': 'renamed the API key',
  'decision.record': 'recorded the decision',
  'feature.edit': 'changed the feature',
  'layers.set': 'set the layers of the repository',
  'decision.take': 'took over the decision',
  'decision.remove': 'removed the decision',
  'decision.update': 'changed the decision',
  'document.delete': 'deleted the document',
  'document.save': 'uploaded',
  'identity.link': 'linked an identity provider',
  'invitation.accept': 'accepted an invitation',
  'invitation.create': 'created an invitation',
  'invitation.delete': 'withdrew an invitation',
  'member.remove': 'removed',
  'member.role': 'changed the role of',
  'person.lock': 'was locked out after wrong passwords',
  'person.sign_in': 'signed in',
  'person.sign_out_everywhere': 'signed out everywhere',
  'person.update': 'changed their own account',
  'plan.accept': 'accepted the code as the new baseline of the plan',
  'plan.delete': 'deleted the plan',
  'plan.save': 'saved the plan',
  'plan.status': 'changed the status of the plan',
  'product.create': 'created the product',
  'repository.add': 'added the repository',
  'repository.remove': 'removed the repository',
  'repository.scip': 'uploaded a SCIP index',
  'signal.change': 'changed signals',
  'signal.delete': 'deleted a signal',
  'signal.delete_many': 'deleted signals',
  'signal.restore': 'restored deleted signals',
  'signal.place': 'moved a signal to a theme',
  'signal.save': 'sent signals',
  'sign_in_link.create': 'created a sign-in link for',
  'theme.merge': 'merged a theme',
  'theme.unmerge': 'undid a merge of themes',
  'theme.rename': 'named a theme',
  'repository.pause': 'paused indexing',
  'repository.resume': 'resumed indexing',
  'organization.follow': 'followed',
  'organization.unfollow': 'stopped following',
  'signal_source.connect': 'connected the source of signals',
  'signal_source.remove': 'removed the source of signals',
  'customer.name': 'changed the names of the customer',
  'totp.disable': 'turned the second factor off',
  'totp.enable': 'turned the second factor on',
  'tracker.connect': 'connected a tracker',
  'tracker.remove': 'removed a tracker',
  'repository.set_webhook': 'set the webhook of a repository',
  'repository.remove_webhook': 'removed the webhook of a repository',
  'tracker.set_webhook': 'set the webhook of a tracker',
  'tracker.remove_webhook': 'removed the webhook of a tracker',
  'competitor.add': 'added the competitor',
  'competitor.remove': 'removed the competitor',
  'competitor.watch': 'changed how a page is watched of',
  'competitor.triage': 'changed the owner, importance or dismissal of a change',
  'competitor.unwatch': 'stopped watching a page of',
  'competitor.digest': 'changed the digest of competitors',
  'webhook.create': 'created the webhook',
  'webhook.delete': 'deleted a webhook',
  'work_item.edit': 'edited a work item',
  'work_item.send': 'sent a work item to a tracker',
  'work_item.update_issue': 'updated the issue of a work item',
} satisfies Record<AuditedChange, string>;

/** An action as a person says it. */
export function wordsOf(action: string): string {
  return WORDS[action] ?? action;
}

/** Actions whose phrase names their target already. */
const WITHOUT_TARGET: readonly string[] = [
  'account.create',
  'identity.link',
  'installation.backup',
  'invitation.accept',
  'invitation.create',
  'invitation.delete',
  'person.sign_in',
  'person.sign_out_everywhere',
  'person.update',
  'totp.disable',
  'totp.enable',
];

/** Changes, newest first. */
export function Activity({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
      {entries.map((entry) => (
        <li key={entry.id}>
          <Change entry={entry} />
        </li>
      ))}
    </ol>
  );
}

/** One change as a sentence, and when it was. */
export function Change({ entry }: { entry: AuditEntry }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 px-4 py-2.5">
      <span className="min-w-0 grow basis-64 [overflow-wrap:anywhere]">
        <span className="font-medium">{entry.actor}</span> {wordsOf(entry.action)}
        {entry.target_name !== null && !WITHOUT_TARGET.includes(entry.action) && (
          <span className="font-medium"> {entry.target_name}</span>
        )}
        <Detail detail={entry.detail} />
      </span>
      <Time at={entry.at} className="text-sm text-quiet" />
    </div>
  );
}

const SHOWN: readonly string[] = ['name', 'title', 'slug', 'theme', 'into'];

function Detail({ detail }: Pick<AuditEntry, 'detail'>) {
  const facts = Object.entries(detail)
    // The name is shown already, and ids say nothing to people.
    .filter(([name, value]) => !SHOWN.includes(name) && !name.endsWith('_id') && value !== null && value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${inWords(value)}`);
  if (facts.length === 0) return null;
  return <span className="text-sm text-quiet"> · {facts.join(', ')}</span>;
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return TIME.test(value) ? formatMoment(value) : value;
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}
