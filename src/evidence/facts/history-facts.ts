import { counted } from '../../kernel/counted.ts';
import type { Fact } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { NamedPlace } from '../model/question.ts';
import { HotspotRow, lineReference, listSome, OwnersReply, PairRow } from './rows.ts';

const MOST_ROWS = 6;
const EVER = '1970-01-01';

/** Who made the commits to a place, most first. */
export async function listOwners(operations: Operations, place: NamedPlace | undefined): Promise<Fact[]> {
  const at = place === undefined ? {} : { path: place.path, repo: place.repo };
  const args = { action: 'classify', group_by: 'author', since: EVER, limit: 3, ...at };
  const found = await operations.read('commit-tool', args, OwnersReply);
  const people = (found?.groups ?? [])
    .filter(({ name }) => !/\[bot\]$|\bbot$/i.test(name))
    .toSorted((a, b) => b.commits - a.commits);
  if (found === undefined || people.length === 0) return [];
  const named = people.map(({ name, commits }) => `${name} (${commits})`);
  return [
    {
      sentence: `${counted(found.total, 'commit')} of ${counted(people.length, 'author')} changed ${place?.path ?? 'the repository'}, most first: ${listSome(named, MOST_ROWS)}.`,
      sources: found.rows.map(({ id, subject, date, author }) => ({
        id,
        kind: 'commit',
        repo: place?.repo ?? operations.provenances[0]?.repo ?? '',
        commit: id.replace(/^c:/, ''),
        text: subject,
        why: [author, date.slice(0, 10)],
      })),
    },
  ];
}

/** Files that change often and are complex. */
export async function listHotspots(operations: Operations, place: NamedPlace | undefined): Promise<Fact[]> {
  const at = place === undefined ? {} : { path: place.path, repo: place.repo };
  const found = await operations.ask('commit-tool', { action: 'hotspots', limit: MOST_ROWS, ...at }, HotspotRow);
  if (found === undefined || found.rows.length === 0) return [];
  const named = found.rows.map(
    ({ path, revisions, complexity }) => `${path} (${revisions} changes, complexity ${complexity})`,
  );
  return [
    {
      sentence: `Hotspots of twelve months${place === undefined ? '' : ` in ${place.path}`}, the hottest first: ${named.join(', ')}.`,
      sources: found.rows.map(({ path, revisions }) =>
        lineReference(operations.repoOf(found, {}), path, undefined, `${revisions} changes`),
      ),
    },
  ];
}

/** Files that change together. */
export async function listCoupling(operations: Operations, place: NamedPlace | undefined): Promise<Fact[]> {
  const at = place === undefined ? {} : { path: place.path, repo: place.repo };
  const ask = (since: object): ReturnType<typeof operations.ask<typeof PairRow>> =>
    operations.ask('commit-tool', { action: 'coupling', limit: MOST_ROWS, ...at, ...since }, PairRow);
  const lately = await ask({});
  const found = lately !== undefined && lately.rows.length > 0 ? lately : await ask({ since: EVER });
  const span = found === lately ? 'twelve months' : 'the whole history';
  if (found === undefined) return [];
  const where = place === undefined ? '' : ` with ${place.path}`;
  const repo = operations.repoOf(found, {});
  if (found.rows.length === 0)
    return place === undefined
      ? []
      : [
          {
            sentence: `No file changed together${where} often enough in ${span}.`,
            sources: [lineReference(place.repo, place.path, undefined, 'was asked about')],
          },
        ];
  const named = found.rows.map(
    ({ a, b, shared, degree_pct: degree }) => `${a} and ${b} (${shared} commits, ${Math.round(degree)} %)`,
  );
  return [
    {
      sentence: `Files that changed together${where} in ${span}: ${named.join('; ')}.`,
      sources: found.rows.map(({ a, b, shared }) => lineReference(repo, a, undefined, `${shared} commits with ${b}`)),
    },
  ];
}
