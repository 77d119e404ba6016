import type { z } from '@hono/zod-openapi';
import type { ArtifactRequest, Graph } from '../graph/graph.ts';
import type { IndexedRepository, Indexes } from '../indexes/indexes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { tagOf } from '../platform/conditional.ts';
import type { Caller } from '../platform/operation/operation.ts';
import { findPlan, type PlanBreakdown, type Plans, readBreakdowns } from '../plans/plans.ts';
import type { ArtifactEntry, ArtifactPlan, ManifestBody, WorkItemsFile } from './artifact-bodies.ts';
import { cutGraph, graphTag, type GraphTexts, wholeGraph } from './graph-file.ts';
import { ownersTag, ownersText } from './owners-file.ts';
import { rowText } from '../kernel/row-text.ts';

export { graphTexts } from './graph-file.ts';

/** Sources from which artifacts are made. */
export interface Artifacts {
  plans: Plans;
  graph: Graph;
  indexes: Pick<Indexes, 'repositories'>;
  /** Graphs that were made. */
  texts: GraphTexts;
}

/** Repository, and budget for its graph. */
export interface GraphQuery {
  repo: string | undefined;
  full: boolean;
  signal: AbortSignal;
}

/** A file as clients keep it. Every replica gives the same bytes for the same state of the product. */
interface Artifact {
  text: string;
  etag: string;
}

/**
 * Lists the files that a client may store of a product and one of its repositories, each with a tag of its content.
 *
 * @throws ServiceError `unknown_repo`; `bad_argument` when several repositories may be meant.
 */
export async function readManifest(
  { plans, indexes, graph }: Artifacts,
  caller: Caller,
  { repo, full, signal }: GraphQuery,
): Promise<z.output<typeof ManifestBody>> {
  const repository = await indexedIfAny(indexes, caller, repo);
  const graphs = repository === undefined ? [] : [{ caller, repository, signal }];
  const breakdowns = await readBreakdowns(plans, caller);
  const files = [
    ...(await Promise.all(
      graphs.map(async (request) => graphEntry(await graphTag(graph, request, full), request, full)),
    )),
    ...graphs.map((request) => ({
      path: 'ownership.json',
      etag: ownersTag(request),
      url: `/v1/artifacts/owners?${new URLSearchParams({ repo: request.repository.provenance.repo }).toString()}`,
    })),
    { path: 'work-items.json', etag: workItemsFile(breakdowns).etag, url: '/v1/artifacts/work-items' },
    ...breakdowns.map(({ row }) => ({
      path: `plans/${row.slug}.md`,
      etag: planFile(row.text).etag,
      url: `/v1/artifacts/plans/${encodeURIComponent(row.slug)}`,
    })),
  ];
  const { repo: name = null, commit = null } = repository?.provenance ?? {};
  return { repo: name, commit, files };
}

/**
 * `graph.json`: its tag, and its text in pieces.
 *
 * @throws ServiceError `unknown_repo`, `not_indexed`; `bad_argument` when several repositories may be meant.
 */
export async function readGraph(
  artifacts: Artifacts,
  caller: Caller,
  { repo, full, signal }: GraphQuery,
): Promise<{ etag: string; pieces: () => AsyncIterable<string> }> {
  const [repository] = await artifacts.indexes.repositories(caller, repo);
  if (repository === undefined) throw new Error('A repository of the call is missing.');
  const request = { caller, repository, signal };
  const etag = await graphTag(artifacts.graph, request, full);
  const cut = async function* (): AsyncGenerator<string> {
    yield await cutGraph(artifacts, request, etag);
  };
  return { etag, pieces: full ? () => wholeGraph(artifacts.graph, request) : cut };
}

function graphEntry(etag: string, { repository }: ArtifactRequest, full: boolean): z.output<typeof ArtifactEntry> {
  const query = new URLSearchParams({ repo: repository.provenance.repo, ...(full && { full: 'true' }) });
  return { path: 'graph.json', etag, url: `/v1/artifacts/graph?${query.toString()}` };
}

/**
 * `ownership.json`.
 *
 * @throws ServiceError as `readGraph`.
 */
export async function readOwners(
  { graph, indexes }: Artifacts,
  caller: Caller,
  { repo, signal }: Pick<GraphQuery, 'repo' | 'signal'>,
): Promise<{ etag: string; text: () => Promise<string> }> {
  const [repository] = await indexes.repositories(caller, repo);
  if (repository === undefined) throw new Error('A repository of the call is missing.');
  const request = { caller, repository, signal };
  return { etag: ownersTag(request), text: () => ownersText(graph.indexes, request) };
}

/** `work-items.json`. */
export async function readWorkItems({ plans }: Artifacts, caller: Caller): Promise<Artifact> {
  return workItemsFile(await readBreakdowns(plans, caller));
}

/** The plans, without their texts. */
export async function readPlanList({ plans }: Artifacts, caller: Caller): Promise<z.output<typeof ArtifactPlan>[]> {
  return (await readBreakdowns(plans, caller)).map(planEntry);
}

/** `plans/<slug>.md`: the text as it was saved. @throws ServiceError `unknown_id`. */
export async function readPlanText({ plans }: Artifacts, caller: Caller, slug: string): Promise<Artifact> {
  return planFile((await findPlan(plans, caller, slug)).text);
}

function workItemsFile(breakdowns: readonly PlanBreakdown[]): Artifact {
  const document: z.output<typeof WorkItemsFile> = {
    plans: breakdowns.map(planEntry),
    work_items: breakdowns.flatMap(({ workItems }) =>
      workItems.map((item) => ({ ...item, stale: item.stale?.label ?? null })),
    ),
  };
  return tagArtifact(rowText(document));
}

function planEntry({ row, staleness }: PlanBreakdown): z.output<typeof ArtifactPlan> {
  const { slug, title, status, version, path } = row;
  return { id: `plan:${slug}`, slug, title, status, version, stale: staleness?.label ?? null, path };
}

function planFile(text: string): Artifact {
  return tagArtifact(text.endsWith('\n') ? text : `${text}\n`);
}

function tagArtifact(text: string): Artifact {
  return { text, etag: tagOf(text) };
}

/** Undefined where nothing is indexed yet: plans are there before. */
async function indexedIfAny(
  indexes: Artifacts['indexes'],
  caller: Caller,
  repo: string | undefined,
): Promise<IndexedRepository | undefined> {
  try {
    const [repository] = await indexes.repositories(caller, repo);
    return repository;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_indexed') return undefined;
    throw error;
  }
}
