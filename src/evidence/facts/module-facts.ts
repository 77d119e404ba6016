import { counted } from '../../kernel/counted.ts';
import type { Fact, Reference } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { NamedPlace, NamedThing } from '../model/question.ts';
import { CyclesReply, EdgeRow, LayersReply, LineRow, lineReference, listSome, pathOf } from './rows.ts';
import { handleOf } from './symbol-facts.ts';

/** Hops that a path between two places may have. */
const MOST_HOPS = 5;
const [MOST_CYCLES, MOST_NAMED] = [5, 6];

/** The shortest paths of dependencies between two named places, in both directions. */
export async function statePaths(operations: Operations, [first, second]: readonly NamedThing[]): Promise<Fact[]> {
  const [a, b] = [first?.places[0], second?.places[0]];
  if (first === undefined || second === undefined || a === undefined || b === undefined || a.repo !== b.repo) return [];
  const there = await findPath(operations, a, b);
  const back = await findPath(operations, b, a);
  const facts = [
    await pathFact(operations, { from: first.name, to: second.name, a, b, path: there }),
    await pathFact(operations, { from: second.name, to: first.name, a: b, b: a, path: back }),
  ];
  return facts;
}

interface PathRequest {
  from: string;
  to: string;
  a: NamedPlace;
  b: NamedPlace;
  path: readonly EdgeRow[] | undefined;
}

async function pathFact(operations: Operations, { from, to, a, b, path }: PathRequest): Promise<Fact> {
  const ends = [a, b].map((place) => lineReference(place.repo, place.path, place.lines?.start, 'end of the path'));
  if (path === undefined)
    return { sentence: `${from} does not depend on ${to} within ${MOST_HOPS} hops.`, sources: ends };
  const lines = await Promise.all(path.map((edge) => readLine(operations, a.repo, edge)));
  const isOfTypes = lines.map((line) => /^\s*(?:import|export)\s+type\b/.test(line ?? ''));
  const steps = path.map(
    (edge, at) =>
      `${pathOf(edge.from)} ${edge.relation} ${pathOf(edge.to)}${isOfTypes[at] === true ? ' (types only)' : ''}`,
  );
  return {
    sentence: `${from} depends on ${to} in ${counted(path.length, 'step')}: ${steps.join('; ')}.`,
    sources: path.map((edge): Reference =>
      lineReference(a.repo, pathOf(edge.from), edge.line, `${edge.relation} ${pathOf(edge.to)}`),
    ),
  };
}

/** The text of the line that makes an edge. One call. */
async function readLine(operations: Operations, repo: string, { from, line }: EdgeRow): Promise<string | undefined> {
  if (line === undefined) return undefined;
  const args = { action: 'grep', query: '.', path: pathOf(from), limit: 100, repo };
  const found = await operations.ask('code-tool', args, LineRow);
  return found?.rows.find((row) => row.line === line)?.text;
}

/** The shortest path over imports, or over calls and inheritance where there are none; one call a hop. */
async function findPath(operations: Operations, from: NamedPlace, to: NamedPlace): Promise<EdgeRow[] | undefined> {
  const byImports = from.symbol === undefined ? await followPath(operations, from, to, ['imports']) : undefined;
  return byImports ?? followPath(operations, from, to, ['imports', 'calls', 'extends', 'implements', 'references']);
}

async function followPath(
  operations: Operations,
  from: NamedPlace,
  to: NamedPlace,
  kind: readonly string[],
): Promise<EdgeRow[] | undefined> {
  const path: EdgeRow[] = [];
  let isReached = (handle: string): boolean =>
    to.symbol === undefined
      ? pathOf(handle) === to.path || pathOf(handle).startsWith(`${to.path}/`)
      : handle === handleOf(to) || handle === to.path;
  let [depth, target] = [MOST_HOPS, to.path];
  for (;;) {
    const args = {
      action: 'dependencies',
      query: handleOf(from),
      depth,
      path: target,
      kind,
      limit: 100,
      repo: from.repo,
    };
    const found = await operations.ask('code-tool', args, EdgeRow);
    const last = found?.rows.find((edge) => edge.grade !== 'name' && isReached(edge.to));
    if (last === undefined) return path.length === 0 ? undefined : path;
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
  const found = await operations.read('code-tool', args, CyclesReply);
  if (found === undefined) return [];
  const repo = operations.provenances[0]?.repo ?? '';
  const isThrough = ({ files }: { files: readonly string[] }): boolean =>
    places.length === 0 ||
    places.some(({ path }) => files.some((file) => file === path || file.startsWith(`${path}/`)));
  const rows = found.rows.filter(isThrough);
  const where = places.length === 0 ? '' : ` through ${listSome([...new Set(places.map(({ path }) => path))], 3)}`;
  const types =
    found.of_types === 0 ? '' : `; ${counted(found.of_types, 'more is', 'more are')} closed by imports of types alone`;
  if (rows.length === 0)
    return [
      {
        sentence: `No circle of imports at run time goes${where || ' through the code'}${types}.`,
        sources: places
          .slice(0, 2)
          .map((place) => lineReference(place.repo, place.path, place.lines?.start, 'was asked about')),
      },
    ];
  const total = places.length === 0 ? found.total : rows.length;
  return [
    {
      sentence: `${counted(total, 'circle')} of imports at run time${where}${types}: ${rows
        .slice(0, MOST_CYCLES)
        .map(({ files }) => listSome(files, MOST_NAMED))
        .join('; ')}.`,
      sources: rows
        .slice(0, MOST_CYCLES)
        .map(({ path, line, files }) => lineReference(repo, path, line, `in a circle of ${files.length} files`)),
    },
  ];
}

/** The layers from the top down, and imports that go up. */
export async function listLayers(operations: Operations): Promise<Fact[]> {
  const found = await operations.read('entity-analysis-tool', { action: 'map' }, LayersReply);
  if (found === undefined || found.layers.length === 0) return [];
  const repo = operations.provenances[0]?.repo ?? '';
  const layers = found.layers.map(({ name, files }) => `${name} (${counted(files, 'file')})`);
  const sources = found.layers
    .slice(0, MOST_NAMED)
    .map(({ path, name }) => lineReference(repo, path, undefined, `layer ${name}`));
  const against = found.faults.slice(0, MOST_NAMED).map(({ fromPath, toPath }) => `${fromPath} imports ${toPath}`);
  return [
    { sentence: `Layers that the imports show, from the top down: ${layers.join(' > ')}.`, sources },
    {
      sentence:
        against.length === 0
          ? 'No import goes up from one layer to another.'
          : `${counted(found.faults.length, 'import goes', 'imports go')} up: ${against.join('; ')}.`,
      sources:
        found.faults.length === 0
          ? sources.slice(0, 1)
          : found.faults
              .slice(0, MOST_NAMED)
              .map(({ fromPath, toPath }) => lineReference(repo, fromPath, undefined, `imports ${toPath}`)),
    },
  ];
}
