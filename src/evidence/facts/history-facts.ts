import { COMMIT_OUTPUTS } from '../../commits/outputs/outputs.ts';
import { counted } from '../../kernel/counted.ts';
import type { Fact } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { NamedPlace } from '../model/question.ts';
import { lineReference } from './lines.ts';

const TOOL = 'commit-tool';
const MOST_ROWS = 6;
const EVER = '1970-01-01';

/** Lists the authors of the commits to a place in its whole history, most commits first. */
export async function listOwners(operations: Operations, place: NamedPlace | undefined): Promise<Fact[]> {
  const args = { action: 'classify', group_by: 'author', since: EVER, limit: 3, ...placeArguments(place) };
  const answer = await operations.read(TOOL, args, COMMIT_OUTPUTS.classify);
  if (answer === undefined || answer.groups.length === 0) return [];
  const people = answer.groups.toSorted((a, b) => b.commits - a.commits);
  const named = people.slice(0, MOST_ROWS).map(({ name, commits }) => `${name} (${commits})`);
  const more = answer.groups_total - named.length;
  const bots = answer.left_out.bots === 0 ? '' : `, besides ${answer.left_out.bots} by bots`;
  return [
    {
      sentence: `${counted(answer.total, 'commit')} of ${counted(answer.groups_total, 'author')} changed ${place?.path ?? 'the repository'}${bots}, most first: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
      sources: answer.rows.map(({ id, repo, subject, date, author }) => ({
        id,
        kind: 'commit',
        repo: operations.repoOf(answer, { repo }),
        commit: id.replace(/^c:/, ''),
        text: subject,
        why: [author, date.slice(0, 10)],
      })),
    },
  ];
}

/** Files that change often and are complex. */
export async function listHotspots(operations: Operations, place: NamedPlace | undefined): Promise<Fact[]> {
  const args = { action: 'hotspots', limit: MOST_ROWS, ...placeArguments(place) };
  const answer = await operations.read(TOOL, args, COMMIT_OUTPUTS.hotspots);
  if (answer === undefined || answer.rows.length === 0) return [];
  const named = answer.rows.map(
    ({ path, revisions, complexity }) => `${path} (${counted(revisions, 'change')}, complexity ${complexity})`,
  );
  return [
    {
      sentence: `Hotspots of ${answer.period}${place === undefined ? '' : ` in ${place.path}`}, the hottest first: ${named.join(', ')}.`,
      sources: answer.rows.map(({ repo, path, revisions }) =>
        lineReference(operations.repoOf(answer, { repo }), path, undefined, counted(revisions, 'change')),
      ),
    },
  ];
}

/** Files that change together, lately or else ever. */
export async function listCoupling(operations: Operations, place: NamedPlace | undefined): Promise<Fact[]> {
  const args = { action: 'coupling', limit: MOST_ROWS, ...placeArguments(place) };
  const lately = await readPairs(operations, args);
  const isLately = lately !== undefined && lately.pairs.length > 0;
  const read = isLately ? lately : await readPairs(operations, { ...args, since: EVER });
  if (read === undefined) return [];
  const { answer, pairs } = read;
  const where = place === undefined ? '' : ` with ${place.path}`;
  const span = isLately ? answer.period : 'the whole history';
  if (pairs.length === 0)
    return place === undefined
      ? []
      : [
          {
            sentence: `No file changed together${where} more than once in ${span}.`,
            sources: [lineReference(place.repo, place.path, undefined, 'was asked about')],
          },
        ];
  const named = pairs.map(({ a, b, shared, revisions_b: revisions }) =>
    place === undefined
      ? `${a} and ${b} (${counted(shared, 'commit')})`
      : `${b} (${shared} of its ${counted(revisions, 'commit')})`,
  );
  return [
    {
      sentence: `Files that changed together${where} in ${span}, without bots and commits of more than 30 files: ${named.join(', ')}.`,
      sources: pairs.map(({ repo, a, b, shared }) =>
        lineReference(operations.repoOf(answer, { repo }), b, undefined, `${counted(shared, 'commit')} with ${a}`),
      ),
    },
  ];
}

/** The pairs of files that more than one commit changed. */
async function readPairs(operations: Operations, args: Record<string, unknown>) {
  const answer = await operations.read(TOOL, args, COMMIT_OUTPUTS.coupling);
  return answer && { answer, pairs: answer.rows.filter(({ shared }) => shared > 1) };
}

function placeArguments(place: NamedPlace | undefined): { path?: string; repo?: string } {
  return place === undefined ? {} : { path: place.path, repo: place.repo };
}
