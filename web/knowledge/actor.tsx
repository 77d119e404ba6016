import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../queries.ts';

/** Name of an actor, from `person:<id>`, `key:<id>`, `repository:<id>` or `system`. */
export function Actor({ actor }: { actor: string }) {
  const { data } = useQuery(membersQuery());
  const [kind, id] = actor.split(':', 2);
  if (kind === 'key') return 'an API key';
  if (kind !== 'person') return 'the service';
  if (data === undefined) return 'a member';
  return data.members.find((member) => member.id === id)?.name ?? 'a former member';
}
