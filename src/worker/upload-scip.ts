import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tenant } from '../kernel/tenant.ts';
import type { Actor } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { resolveTip } from '../platform/git/git-refs.ts';
import { findRepository, type Repository, tipOf } from '../repositories/repositories.ts';
import { saveScipUpload, setExact } from '../repositories/runs/runs.ts';
import type { IndexParts } from './index-repository.ts';
import { runIndexProcess } from './index-process.ts';

/** An index as a client sends it. */
interface ScipRequest {
  tenant: Tenant;
  actor: Actor;
  /** Id or name of the repository. */
  repository: string;
  content: Uint8Array;
  /** Commit, tag or branch from which it was made. Absent: the commit that is served. */
  commit?: string | undefined;
  /** Folder of the repository that its paths start in. Absent: the whole. */
  root?: string | undefined;
}

/** Result of uploading an index. */
export interface ScipReceipt {
  repository: string;
  commit: string;
  tool: string;
  documents: number;
  occurrences: number;
  /** True when its commit is the one that is served: it is applied now. Otherwise once that commit is indexed. */
  applies: boolean;
}

/** Dependencies of uploading an index. */
export type UploadParts = Pick<IndexParts, 'repositories' | 'blobs' | 'workDir' | 'supervisor'> & {
  /** Asks for a refinement; while one waits, nothing is added. */
  startRefining: (tenant: Tenant, id: string) => Promise<void>;
};

/**
 * Takes a SCIP index: compares it with its commit in a process of its own, keeps it, and asks for a refinement when the
 * commit is the one that is served. Safe twice: the same upload takes its own place.
 *
 * @throws ServiceError `unknown_repo`; `not_indexed` without a commit to go by; `bad_argument` for what is no index, or
 * does not fit the commit.
 */
export async function uploadScip(work: UploadParts, request: ScipRequest): Promise<ScipReceipt> {
  const repository = await findRepository(work.repositories, request.tenant, request.repository);
  const { gitDir, commit } = await commitOf(work, repository, request.commit);
  const root = rootOf(request.root ?? '');
  await mkdir(work.workDir, { recursive: true });
  const folder = await mkdtemp(join(work.workDir, 'scip-'));
  try {
    const file = join(folder, 'index.scip');
    await writeFile(file, request.content);
    const { signal } = new AbortController();
    const summary = await runIndexProcess(
      { kind: 'scip', gitDir, commit, file, root },
      { signal, supervisor: work.supervisor, onProgress: () => undefined },
    );
    const blob = await work.blobs.put(file);
    const upload = { commit, root, ...blob, ...summary, uploadedAt: work.repositories.now() };
    await saveScipUpload(work.repositories, repository, { upload, actor: request.actor });
    const applies = commit === repository.commit;
    if (applies) {
      await setExact(work.repositories, repository, 'pending');
      await work.startRefining(request.tenant, repository.id);
    }
    return { repository: repository.name, commit, ...summary, applies };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function commitOf(
  { repositories }: UploadParts,
  repository: Repository,
  named: string | undefined,
): Promise<{ gitDir: string; commit: string }> {
  const { gitDir } = await tipOf(repositories, repository);
  if (named !== undefined) return { gitDir, commit: (await resolveTip(gitDir, repository.name, named)).commit };
  if (repository.commit !== null) return { gitDir, commit: repository.commit };
  throw new ServiceError(
    'not_indexed',
    `${repository.name} has no index yet, so the commit of the SCIP index is unknown.`,
    {
      fix: 'Name the commit that the index was made from, or wait until the repository is indexed.',
    },
  );
}

/** A folder as paths in git begin with it. */
function rootOf(text: string): string {
  const root = text.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  if (!root.split('/').includes('..')) return root === '.' ? '' : root;
  throw new ServiceError('bad_argument', `The root "${text.slice(0, 100)}" is outside the repository.`, {
    fix: 'Name a folder of the repository, such as packages/app.',
  });
}
