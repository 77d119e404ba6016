import { join } from 'node:path';
import { readWaiting, saveUploads } from '../documents/documents.ts';
import { testKnowledge } from './knowledge.ts';
import { openBlobStore } from '../platform/blobs.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { SearchParts } from '../search/search.ts';
import { type GivenSignal, saveSignals } from '../signals/signals.ts';
import { testDocuments } from './documents.ts';
import { testFolder } from './git.ts';
import { NOW, openPlanBench, type PlanBench } from './plans.ts';
import { TEST_SECRET_KEYS } from './secrets.ts';

/** A product with a repository `shop`, plans, documents, signals and decisions, and what searches them. */
export interface SearchBench extends PlanBench {
  parts: SearchParts;
  addDocument: (name: string, text: string) => Promise<string>;
  addSignals: (given: readonly GivenSignal[]) => Promise<string[]>;
}

/** Nothing is there before something is added. */
export async function openSearchBench(): Promise<SearchBench> {
  const bench = await openPlanBench();
  const { plans, account } = bench;
  const { db } = account;
  const folder = testFolder();
  const blobs = await openBlobStore(join(folder, 'blobs'));
  const documents = testDocuments({ db, blobs, workDir: join(folder, 'work'), now: () => NOW });
  const knowledge = testKnowledge(db);
  const { readers, indexed } = plans;
  const parts: SearchParts = {
    plans,
    documents,
    knowledge,
    signals: {
      db,
      indexes: { readers, rebuild: async () => {} },
      knowledge,
      indexed,
      secretKeys: TEST_SECRET_KEYS,
      now: () => NOW,
    },
    competitorNames: async () => [],
    onFault: (error) => {
      throw error;
    },
    indexes: {
      readers,
      repositories: async (caller, repo = '*') => {
        const matches = (await indexed(caller)).filter(({ provenance }) => repo === '*' || provenance.repo === repo);
        if (matches.length > 0) return matches;
        throw new ServiceError(repo === '*' ? 'not_indexed' : 'unknown_repo', `There is no index of "${repo}".`, {
          fix: 'svc repo add <path-or-url>',
        });
      },
      rebuild: async () => {
        throw new Error('The shard of the test is damaged.');
      },
    },
  };
  return {
    ...bench,
    parts,
    addDocument: async (name, text) => {
      const file = { name, content: [new TextEncoder().encode(text)] };
      const [outcome] = await saveUploads(documents, { ...account, tags: [] }, [file]);
      await readWaiting(documents, account, new AbortController().signal);
      return outcome !== undefined && 'document' in outcome ? `doc:${outcome.document.id}` : '';
    },
    addSignals: async (given) => (await saveSignals(parts.signals, account, given)).ids,
    close: async () => {
      await Promise.all([knowledge.close(), documents.close()]);
      await bench.close();
    },
  };
}
