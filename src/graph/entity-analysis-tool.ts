import { ServiceError } from '../kernel/errors.ts';
import {
  type AnyOperation,
  type Answer,
  type CallContext,
  defineOperation,
  sameMeaning,
} from '../platform/operation/operation.ts';
import { answerAction, checkQuery, type Findings } from '../platform/operation/paged-tool.ts';
import { Tally } from '../platform/operation/tally.ts';
import { mapAnswer } from './answer-map.ts';
import { findAnswer, neighborsAnswer, pathAnswer } from './answers-around.ts';
import type { Graph } from './graph.ts';
import { graphSources } from './graph-sources.ts';
import { EntityInput, type EntityArguments, type GraphCall, kindNamed, relationNamed } from './graph-call.ts';
import { ENTITY_OUTPUTS } from './entity-output.ts';
import { NODE_KINDS, RELATIONS } from './model/model.ts';
import { ProductGraph } from './product-graph.ts';

const ACTIONS: Record<EntityArguments['action'], (call: GraphCall) => Promise<Findings>> = {
  find: findAnswer,
  neighbors: neighborsAnswer,
  path: pathAnswer,
  map: mapAnswer,
};

/** `entity-analysis-tool`: the graph of code and of what people wrote about it. */
export function entityAnalysisTool(graph: Graph): AnyOperation {
  return defineOperation({
    name: 'entity-analysis-tool',
    description:
      'Walk the product graph: features, layers, symbols, files, plans, decisions, signals and their relations.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: EntityInput,
    output: ENTITY_OUTPUTS,
    commands: {
      heading: 'Graph:',
      actions: {
        find: { name: 'entities', description: 'Entities of the graph by name', subject: 'entity' },
        neighbors: { name: 'neighbors', description: 'What one entity is linked with', subject: 'entity' },
        path: { name: 'path', description: 'How two entities are connected', subject: 'entity' },
        map: { name: 'features', description: 'Features by layers', subject: 'path' },
      },
    },
    aliases: {
      entity: ['query', 'q', 'name', 'id', 'symbol', 'from', 'node', 'feature', 'path', 'text', 'question'],
      to: ['target', 'destination'],
      kinds: ['kind', 'types', 'type'],
      relations: ['relation', 'edges'],
      repo: ['repository', 'repo_name', 'project'],
      limit: ['max_results', 'count', 'top_k', 'n'],
      max_tokens: ['maxTokens'],
    },
    synonyms: {
      action: {
        ...sameMeaning('search list', { action: 'find' }),
        ...sameMeaning('get neighbours neighbor related relations', { action: 'neighbors' }),
        ...sameMeaning('paths connect shortest_path', { action: 'path' }),
        ...sameMeaning('overview features layers', { action: 'map' }),
      },
    },
    run: (context, args) => answer(graph, context, args),
  });
}

async function answer(parts: Graph, { caller, signal, progress }: CallContext, args: EntityArguments): Promise<Answer> {
  checkQuery(args.entity, 'Send only the name or the id.');
  checkQuery(args.to, 'Send only the name or the id.');
  const [kinds, relations] = [
    readWords(args.kinds, { argument: 'kinds', named: kindNamed, known: NODE_KINDS }),
    readWords(args.relations, { argument: 'relations', named: relationNamed, known: RELATIONS }),
  ];
  const repositories = await parts.indexes.repositories(caller, args.repo ?? '*');
  const tally = new Tally(progress, 'indexes have answered');
  const sources = await graphSources(parts, { caller, signal, repositories, tally });
  const graph = await ProductGraph.open(parts, caller, sources);
  const request = { operation: 'entity-analysis-tool', input: EntityInput, args, sources, detail: 'lines' as const };
  const subject = [args.entity, args.to].filter((text) => text !== undefined && text !== '').join(' to ');
  return answerAction({ ...request, subject }, async (offset) => {
    const findings = await ACTIONS[args.action]({ graph, sources, args, kinds, relations, offset });
    return { ...findings, notes: [...partialNotes(graph), ...(findings.notes ?? [])] };
  });
}

/** Names the repositories whose graph was too large for the memory of the service. */
function partialNotes({ partial }: ProductGraph): string[] {
  if (partial.length === 0) return [];
  return [
    `edges between symbols of ${partial.join(', ')} are left out: they exceed the memory for graphs (SVC_MEMORY)`,
  ];
}

/** Words for kinds or relations; undefined for all. @throws ServiceError `bad_argument` for one that is none. */
function readWords<Known extends string>(
  words: readonly string[] | undefined,
  {
    argument,
    named,
    known: allowed,
  }: { argument: string; named: (word: string) => Known | undefined; known: readonly Known[] },
): Known[] | undefined {
  if (words === undefined || words.length === 0) return undefined;
  return words.map((word) => {
    const value = named(word);
    if (value !== undefined) return value;
    throw new ServiceError('bad_argument', `"${word.slice(0, 40)}" is not one of the ${argument}.`, {
      fix: `Use ${argument}: ${allowed.join(', ')}.`,
    });
  });
}
