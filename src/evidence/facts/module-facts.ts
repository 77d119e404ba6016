import type { z } from 'zod';
import { CODE_OUTPUTS } from '../../code/outputs/outputs.ts';
import { ENTITY_OUTPUTS } from '../../graph/graph.ts';
import { counted } from '../../kernel/counted.ts';
import type { Fact, Reference } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { NamedPlace, NamedThing } from '../model/question.ts';
import { lineReference, listSome, pathOf } from './lines.ts';
import { handleOf } from './symbol-facts.ts';

/** Hops that a path between two places may have. */
const MOST_HOPS = 5;
const [MOST_CYCLES, MOST_NAMED] = [5, 6];
const TOOL = 'code-tool';

type Edge = z.output<typeof CODE_OUTPUTS.dependencies>['rows'][number];

/** The shortest paths of dependencies between two named places, in both directions. */
export async function statePaths(operations: Operations, [first, second]: readonly NamedThing[]): Promise<Fact[]> {
  const [a, b] = [first?.places[0], second?.places[0]];
  if (first === undefined || second === undefined || a === undefined || b === undefined || a.repo !== b.repo) return [];
  const there = await pathFacts(operations, { from: first.name, to: second.name, a, b });
  return [...there, ...(await pathFacts(operations, { from: second.name, to: first.name, a: b, b: a }))];
}

interface PathRequest {
  from: string;
  to: string;
  a: NamedPlace;
  b: NamedPlace;
}

async function pathFacts(operations: Operations, { from, to, a, b }: PathRequest): Promise<Fact[]> {
  const path = await findPath(operations, a, b);
  if (path === undefined) return [];
  const ends = [a, b].map((place) => lineReference(place.repo, place.path, place.lines?.start, 'end of the path'));
  if (path.length === 0)
    return [{ sentence: `${from} does not depend on ${to} within ${MOST_HOPS} hops.`, sources: ends }];
  const steps = path.map(
    ({ from: user, relation, to: used, types_only: isOfTypes }) =>
      `${pathOf(user)} ${relation} ${pathOf(used)}${isOfTypes === true ? ' (types only)' : ''}`,
  );
  return [
    {
      sentence: `${from} depends on ${to} in ${counted(path.length, 'step')}: ${steps.join('; ')}.`,
      sources: path.map((edge): Reference =>
        lineReference(a.repo, pathOf(edge.from), edge.line, `${edge.relation} ${pathOf(edge.to)}`),
      ),
    },
  ];
}

/**
 * The shortest path over imports, or over calls and inheritance where there are none; one call a hop. Empty when there is none,
 * undefined when that is not known.
 */
async function findPath(operations: Operations, from: NamedPlace, to: NamedPlace): Promise<Edge[] | undefined> {
  const byImports = from.symbol === undefined ? await followPath(operations, from, to, ['imports']) : [];
  if (byImports === undefined || byImports.length > 0) return byImports;
  return followPath(operations, from, to, ['imports', 'calls', 'extends', 'implements', 'references']);
}

async function followPath(
  operations: Operations,
  from: NamedPlace,
  to: NamedPlace,
  kind: readonly string[],
): Promise<Edge[] | undefined> {
  const path: Edge[] = [];
  let isReached = (handle: string): boolean =>
    to.symbol === undefined
      ? pathOf(handle) === to.path || pathOf(handle).startsWith(`${to.path}/`)
      : handle === handleOf(to) || handle === to.path;
  const given = { action: 'dependencies', query: handleOf(from), kind, limit: 100, repo: from.repo };
  let [depth, target] = [MOST_HOPS, to.path];
  for (;;) {
    const answer = await operations.read(TOOL, { ...given, depth, path: target }, CODE_OUTPUTS.dependencies);
    const last = answer?.rows.find((edge) => edge.grade !== 'name' && isReached(edge.to));
    if (last === undefined) {
      const areAllRead = answer !== undefined && !answer.at_least && answer.rows.length === answer.total;
      return path.length === 0 && areAllRead ? [] : undefined;
    }
    path.unshift(last);
    if (last.hop <= 1) return path;
    depth = last.hop - 1;
    target = pathOf(last.from);
    isReached = (handle) => handle === last.from;
  }
}

/** Circles of imports, those through what is named where something is. */
export async function listCycles(operations: Operations, places: readonly NamedPlace[]): Promise<Fact[]> {
  const args = { action: 'smells', kind: ['cycle'], tests: 'exclude', limit: 100 };
  const answer = await operations.read(TOOL, args, CODE_OUTPUTS.smells);
  if (answer === undefined) return [];
  const isThrough = ({ files = [] }: { files?: readonly string[] | undefined }): boolean =>
    places.length === 0 ||
    places.some(({ path }) => files.some((file) => file === path || file.startsWith(`${path}/`)));
  const rows = answer.rows.filter(isThrough);
  const where = places.length === 0 ? '' : ` through ${listSome([...new Set(places.map(({ path }) => path))], 3)}`;
  const types =
    answer.of_types === 0 || places.length > 0
      ? ''
      : `; ${counted(answer.of_types, 'more is', 'more are')} closed by imports of types alone`;
  if (rows.length === 0)
    return answer.total > answer.rows.length
      ? []
      : [
          {
            sentence: `No circle of imports at run time goes${where || ' through the code'}${types}.`,
            sources: places
              .slice(0, 2)
              .map((place) => lineReference(place.repo, place.path, place.lines?.start, 'was asked about')),
          },
        ];
  const total = places.length === 0 ? answer.total : rows.length;
  return [
    {
      sentence: `${counted(total, 'circle')} of imports at run time${where}${types}: ${rows
        .slice(0, MOST_CYCLES)
        .map(({ files = [] }) => listSome(files, MOST_NAMED))
        .join('; ')}.`,
      sources: rows
        .slice(0, MOST_CYCLES)
        .map(({ repo, path, line, value }) =>
          lineReference(operations.repoOf(answer, { repo }), path, line, `in a circle of ${value} files`),
        ),
    },
  ];
}

/** The layers of each repository from the top down, and imports that go up. */
export async function listLayers(operations: Operations): Promise<Fact[]> {
  const answer = await operations.read('entity-analysis-tool', { action: 'map' }, ENTITY_OUTPUTS.map);
  if (answer === undefined) return [];
  const byRepo = Map.groupBy(answer.layers, (layer) => operations.repoOf(answer, layer));
  return [...byRepo].flatMap(([repo, layers]) => {
    const whose = byRepo.size > 1 ? ` of ${repo}` : '';
    const [first] = layers;
    const names = layers.map(({ name, files }) => `${name} (${counted(files, 'file')})`);
    const sources = layers
      .slice(0, MOST_NAMED)
      .map(({ path, name }) => lineReference(repo, path, undefined, `layer ${name}`));
    const faults = answer.faults.filter((fault) => operations.repoOf(answer, fault) === repo);
    const pairs = faults
      .slice(0, MOST_NAMED)
      .map(({ from, to, files, fromPath, toPath }) => `${from} to ${to} (${files}, as ${fromPath} imports ${toPath})`);
    const by = first?.stated_by === undefined ? 'that the imports show' : `that ${first.stated_by} states`;
    return [
      { sentence: `Layers${whose} ${by}, from the top down: ${names.join(' > ')}.`, sources },
      {
        sentence:
          pairs.length === 0
            ? `No import${whose} goes up from one layer to another.`
            : `Imports${whose} go up between ${counted(faults.length, 'pair')} of layers: ${pairs.join('; ')}.`,
        sources:
          pairs.length === 0
            ? sources.slice(0, 1)
            : faults
                .slice(0, MOST_NAMED)
                .map(({ fromPath, toPath }) => lineReference(repo, fromPath, undefined, `imports ${toPath}`)),
      },
    ];
  });
}
