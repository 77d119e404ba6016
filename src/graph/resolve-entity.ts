import { describeCall } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import { nodeText, kindNamed } from './graph-call.ts';
import type { NodeKind } from './model/model.ts';
import type { EntityMatch, ProductGraph } from './product-graph.ts';

/** Part of the graph that looks names up. */
type Names = Pick<ProductGraph, 'find' | 'repositories'>;

/** Names that are offered when several are meant or none. */
const MOST_OFFERED = 5;
const MOST_CANDIDATES = 30;
/** Names that fit no better than this are offered, never taken. */
const TAKEN_TIER = 1;

/** Reads the entity that a client wrote: an id, or words with the kind that they are restricted to. */
export function readEntity(text: string): { query: string; kinds: readonly NodeKind[] | undefined } {
  const query = text.trim();
  const [, word = '', rest = ''] = /^([A-Za-z_ -]{2,20}):(.+)$/s.exec(query) ?? [];
  const kind = kindNamed(word);
  // `plan:slug`, `dec:12` and the like are ids, whatever their words: both are looked for.
  return kind === undefined || rest === '' ? { query, kinds: undefined } : { query: rest.trim(), kinds: [kind] };
}

/**
 * The one node that an entity names, with what else it may have meant.
 *
 * @throws ServiceError `bad_argument` without a name, `ambiguous_symbol` with up to five candidates, `unknown_id` with the nearest names.
 */
export async function resolveEntity(
  graph: Names,
  text: string | undefined,
  argument: 'entity' | 'to',
): Promise<{ entity: EntityMatch; others: EntityMatch[] }> {
  const given = (text ?? '').trim();
  if (given === '') {
    throw new ServiceError(
      'bad_argument',
      `The call does not say ${argument === 'to' ? 'where to' : 'which entity'}.`,
      {
        fix: `Add ${argument}="feature:checkout", or find names: ${describeCall('entity-analysis-tool', { action: 'find', entity: 'checkout' })}`,
      },
    );
  }
  const candidates = await candidatesFor(graph, given);
  const [first] = candidates;
  if (first === undefined || first.tier > TAKEN_TIER) throw unknownEntity(given, candidates);
  const same = candidates.filter(({ tier, row }) => tier === first.tier && row.kind === first.row.kind);
  const entity = same.length === 1 ? first : onlyWhole(given, same);
  if (entity === undefined) throw ambiguousEntity(given, same);
  return {
    entity,
    others: candidates.filter((candidate) => candidate !== entity && candidate.tier <= TAKEN_TIER),
  };
}

/** The one whose whole name was given, where others have it inside of something: `Orders` beside `Admin/Orders`. */
function onlyWhole(given: string, same: readonly EntityMatch[]): EntityMatch | undefined {
  const names = new Set([given, readEntity(given).query]);
  const whole = same.filter(({ row }) => names.has(row.name.replace(/\(.*$/s, '')));
  return whole.length === 1 ? whole[0] : undefined;
}

async function candidatesFor(graph: Names, given: string): Promise<EntityMatch[]> {
  const limit = MOST_CANDIDATES;
  const whole = await graph.find(given, { limit });
  if (whole.found[0]?.tier === 0 && whole.found[0].row.id === given) return whole.found;
  const inOne = await inRepository(graph, given);
  if (inOne !== undefined) return inOne;
  const { query, kinds } = readEntity(given);
  return kinds === undefined ? whole.found : (await graph.find(query, { kinds, limit })).found;
}

/** Resolves an id behind the name of a repository: `web:file:src/app.ts`; undefined when it begins with no such name. */
async function inRepository(graph: Names, given: string): Promise<EntityMatch[] | undefined> {
  const named = graph.repositories.find(({ provenance: { repo } }) => given.startsWith(`${repo}:`));
  if (named === undefined) return undefined;
  const { repo } = named.provenance;
  const { found: matches } = await graph.find(given.slice(repo.length + 1), { limit: MOST_CANDIDATES });
  const own = matches.filter(({ row }) => row.repo === repo);
  return own.length === 0 ? undefined : own;
}

function ambiguousEntity(given: string, same: readonly EntityMatch[]): ServiceError {
  const isOneId = new Set(same.map(({ row }) => row.id)).size < same.length;
  const offered = same
    .slice(0, MOST_OFFERED)
    .map(({ row: { id, repo } }) => (isOneId && repo !== undefined ? `${repo}:${id}` : id));
  const more = same.length > MOST_OFFERED ? ` and ${same.length - MOST_OFFERED} more` : '';
  return new ServiceError(
    'ambiguous_symbol',
    `"${given.slice(0, 80)}" names ${same.length} entities: ${offered.join(', ')}${more}.`,
    {
      fix: `Use one of the ids, for example entity="${offered[0] ?? ''}".`,
    },
  );
}

function unknownEntity(given: string, near: readonly EntityMatch[]): ServiceError {
  const offered = near.slice(0, MOST_OFFERED).map(({ row }) => nodeText(row, true));
  const call = describeCall('entity-analysis-tool', { action: 'find', entity: readEntity(given).query });
  return new ServiceError('unknown_id', `Nothing in the graph is called "${given.slice(0, 80)}".`, {
    fix:
      offered.length === 0
        ? `Try another word: ${call}`
        : `The nearest are ${offered.join(', ')}. Use one of these ids, or ${call}`,
  });
}
