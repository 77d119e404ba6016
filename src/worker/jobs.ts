import { checkDuePages, forgetOld, hasDue, sendDueDigests } from '../competitors/competitors.ts';
import { readWaiting, sweepDocuments, waitingProducts } from '../documents/documents.ts';
import { encodeTexts, unencodedProducts } from '../knowledge/vectors/vectors.ts';
import { unfinishedRepositories } from '../repositories/repositories.ts';
import { dueFetches, fetchDue } from '../repositories/fetches/fetches.ts';
import { servedRepositories, sweep } from '../repositories/runs/runs.ts';
import { forgetDeletions, gatherThemes, hasSignals, linkThemes } from '../signals/signals.ts';
import { judgeSignals } from '../signals/tones/tones.ts';
import { findDueProducts, noticeSubjects } from '../signals/emergence/emergence.ts';
import { hasDueOrganizations, readDueOrganizations } from '../repositories/organizations/organizations.ts';
import { hasDueSources, readDueSources } from '../signals/sources/sources.ts';
import { refreshTrackers } from '../trackers/trackers.ts';
import { embedRepository } from './embed-repository.ts';
import { indexRepository } from './index-repository.ts';
import { refineRepository } from './refine-repository.ts';
import { findRemovedExports, lacksRemovedExports } from './removed-exports.ts';
import { type JobSubject, serviceJob } from './service-job.ts';
import { strayDocumentation, takeRepositoryDocs } from './take-documents.ts';
import { takeRepositoryPlans } from './take-plans.ts';

/** Index runs that are taken up at a time. Few of them work: the others wait for their turn, where short ones overtake. */
const OPEN_RUNS = 8;
/** Attempts of a compiler pass after the first. */
const REFINE_RETRIES = 3;
/** Fetches that one process makes at a time. */
const OPEN_FETCHES = 4;
/** Interval at which the schedule of fetches, and new texts, are checked. */
const DUE_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** All background work of the service, and what follows what. */
export const JOBS = [
  serviceJob({
    name: 'repository.index',
    per: 'repository',
    needs: [
      'repositories',
      'blobs',
      'workDir',
      'turns',
      'indexer',
      'extractProcesses',
      'memoryBytes',
      'exactPass',
      'log',
      'metrics',
      'supervisor',
    ],
    retries: 3,
    concurrency: OPEN_RUNS,
    owed: async ({ repositories }) => subjectsOf(await unfinishedRepositories(repositories)),
    run: (parts, { repositoryId: id, ...tenant }) => {
      const { attempt, signal } = parts;
      return indexRepository(parts, { tenant, id, attempt, signal });
    },
  }),
  serviceJob({
    name: 'repository.fetch',
    per: 'repository',
    needs: ['repositories', 'startIndexing'],
    // What failed is due again later.
    retries: 0,
    concurrency: OPEN_FETCHES,
    owed: async ({ repositories }) => subjectsOf(await dueFetches(repositories)),
    owedEveryMs: DUE_MS,
    run: async ({ repositories, startIndexing, signal }, { repositoryId: id, ...tenant }) => {
      if (await fetchDue(repositories, tenant, { id, signal })) await startIndexing(tenant, id);
    },
  }),
  serviceJob({
    name: 'repository.refine',
    per: 'repository',
    follows: ['repository.index'],
    needs: ['repositories', 'blobs', 'workDir', 'exactPass', 'memoryBytes', 'log', 'supervisor'],
    retries: REFINE_RETRIES,
    owed: async ({ repositories }) => subjectsOf(await servedRepositories(repositories)),
    run: (parts, { repositoryId: id, ...tenant }) => {
      const { attempt, signal } = parts;
      return refineRepository(parts, { tenant, id, isLast: attempt > REFINE_RETRIES, signal });
    },
  }),
  serviceJob({
    name: 'repository.embed',
    per: 'repository',
    // A refinement writes a shard without vectors.
    follows: ['repository.refine'],
    needs: ['repositories', 'blobs', 'workDir', 'log', 'metrics', 'readers', 'embeddings'],
    retries: 3,
    run: (parts, { repositoryId: id, ...tenant }) => embedRepository(parts, { tenant, id, signal: parts.signal }),
  }),
  serviceJob({
    name: 'repository.removed_exports',
    per: 'repository',
    follows: ['repository.index'],
    needs: ['repositories', 'blobs', 'workDir', 'turns', 'indexer', 'log', 'supervisor', 'readers'],
    isNeeded: (parts, { repositoryId: id, ...tenant }) => lacksRemovedExports(parts, tenant, id),
    retries: 3,
    owed: async ({ repositories }) => subjectsOf(await servedRepositories(repositories)),
    run: (parts, { repositoryId: id, ...tenant }) => findRemovedExports(parts, { tenant, id, signal: parts.signal }),
  }),
  serviceJob({
    name: 'plans.take',
    per: 'repository',
    follows: ['repository.index'],
    needs: ['plans', 'log'],
    retries: 3,
    run: (parts, { repositoryId, ...tenant }) =>
      takeRepositoryPlans(parts, { tenant, repositoryId, signal: parts.signal }),
  }),
  serviceJob({
    name: 'documents.take',
    per: 'repository',
    follows: ['repository.index'],
    needs: ['documents', 'repositories', 'readers', 'log'],
    retries: 3,
    owed: async (parts) => subjectsOf(await strayDocumentation(parts)),
    run: (parts, { repositoryId, ...tenant }) =>
      takeRepositoryDocs(parts, { tenant, repositoryId, signal: parts.signal }),
  }),
  serviceJob({
    name: 'documents.read',
    per: 'product',
    needs: ['documents'],
    retries: 3,
    owed: ({ documents }) => waitingProducts(documents),
    run: ({ documents, signal }, tenant) => readWaiting(documents, tenant, signal),
  }),
  serviceJob({
    name: 'knowledge.encode',
    per: 'product',
    needs: ['vectors'],
    retries: 3,
    // Whoever writes what is searched need not know of it.
    owed: ({ vectors }) => unencodedProducts(vectors),
    owedEveryMs: DUE_MS,
    run: ({ vectors, signal }, tenant) => encodeTexts(vectors, tenant, signal),
  }),
  serviceJob({
    name: 'signals.gather',
    per: 'product',
    follows: ['repository.index', 'knowledge.encode'],
    needs: ['signals'],
    isNeeded: ({ signals }, tenant) => hasSignals(signals, tenant),
    retries: 3,
    run: ({ signals, signal }, tenant) => gatherThemes(signals, tenant, signal),
  }),
  serviceJob({
    name: 'signals.emerge',
    per: 'product',
    follows: ['signals.gather'],
    needs: ['signals'],
    retries: 3,
    owed: ({ signals }) => findDueProducts(signals),
    owedEveryMs: HOUR_MS,
    run: ({ signals, signal }, tenant) => noticeSubjects(signals, tenant, signal),
  }),
  serviceJob({
    name: 'signals.link',
    per: 'product',
    follows: ['signals.gather', 'signals.emerge'],
    needs: ['signals'],
    retries: 3,
    run: ({ signals, signal }, tenant) => linkThemes(signals, tenant, signal),
  }),
  serviceJob({
    name: 'signals.hear',
    per: 'product',
    follows: ['knowledge.encode'],
    needs: ['vectors'],
    retries: 3,
    run: ({ vectors, signal }, tenant) => judgeSignals(vectors, tenant, signal),
  }),
  serviceJob({
    name: 'signals.sweep',
    per: 'service',
    needs: ['signals'],
    retries: 3,
    everyMs: 10 * MINUTE_MS,
    run: ({ signals }) => forgetDeletions(signals),
  }),
  serviceJob({
    name: 'signals.read',
    per: 'service',
    needs: ['sources'],
    // What could not be read is due again later.
    retries: 0,
    owed: async ({ sources }) => whole(await hasDueSources(sources)),
    owedEveryMs: MINUTE_MS,
    run: ({ sources, signal }) => readDueSources(sources, signal),
  }),
  serviceJob({
    name: 'organizations.read',
    per: 'service',
    needs: ['organizations'],
    // What could not be read is due again later.
    retries: 0,
    owed: async ({ organizations }) => whole(await hasDueOrganizations(organizations)),
    owedEveryMs: MINUTE_MS,
    run: ({ organizations, signal }) => readDueOrganizations(organizations, signal),
  }),
  serviceJob({
    name: 'trackers.refresh',
    per: 'service',
    needs: ['trackers'],
    retries: 3,
    everyMs: HOUR_MS,
    run: ({ trackers, signal }) => refreshTrackers(trackers, signal),
  }),
  serviceJob({
    name: 'competitors.check',
    per: 'service',
    needs: ['competitors'],
    // The next minute tries again.
    retries: 0,
    owed: async ({ competitors }) => whole(await hasDue(competitors, 'pages')),
    owedEveryMs: MINUTE_MS,
    run: ({ competitors, signal }) => checkDuePages(competitors, signal),
  }),
  serviceJob({
    name: 'competitors.digest',
    per: 'service',
    needs: ['competitors'],
    // What did not arrive is due again later.
    retries: 0,
    owed: async ({ competitors }) => whole(await hasDue(competitors, 'digests')),
    owedEveryMs: MINUTE_MS,
    run: ({ competitors, signal }) => sendDueDigests(competitors, signal),
  }),
  serviceJob({
    name: 'competitors.sweep',
    per: 'service',
    needs: ['competitors'],
    retries: 3,
    everyMs: HOUR_MS,
    run: ({ competitors }) => forgetOld(competitors),
  }),
  serviceJob({
    name: 'backups.make',
    per: 'service',
    needs: ['backups'],
    // What failed is due again later.
    retries: 0,
    everyMs: MINUTE_MS,
    run: ({ backups }) => backups?.makeDue() ?? Promise.resolve(),
  }),
  serviceJob({
    name: 'repository.sweep',
    per: 'service',
    needs: ['repositories', 'documents', 'catalogs'],
    retries: 3,
    everyMs: HOUR_MS,
    run: async ({ repositories, documents, catalogs }) => {
      await sweep(repositories);
      await sweepDocuments(documents);
      await catalogs.sweep();
    },
  }),
];

/** Names of all jobs. */
export type JobName = (typeof JOBS)[number]['name'];

/** The whole service as the subject, if there is something to do. */
function whole(isDue: boolean): Partial<JobSubject>[] {
  return isDue ? [{}] : [];
}

function subjectsOf(rows: readonly { accountId: string; productId: string; id: string }[]): JobSubject[] {
  return rows.map(({ accountId, productId, id }) => ({ accountId, productId, repositoryId: id }));
}
