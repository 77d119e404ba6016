import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { indexCode } from '../code-index/code-index.ts';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { openShard, type ShardDatabase } from '../indexes/shards/shards.ts';
import { withExtractors } from './extractors.ts';
import { testFolder, testRepository } from './git.ts';

/** Commits these files, indexes them as the service does, and gives the open shard and its file to `work`. About half a second. */
export async function withIndexed<T>(
  files: Record<string, string>,
  work: (db: ShardDatabase, file: string) => T | Promise<T>,
): Promise<T> {
  return withCommits([files], async ([file = '']) => {
    const db = openShard(file, CODE_FORMAT);
    try {
      return await work(db, file);
    } finally {
      db.close();
    }
  });
}

/** Commits one change after the other and gives the shard of each to `work`. About half a second for each. */
export async function withCommits<T>(
  changes: readonly Record<string, string | undefined>[],
  work: (files: string[]) => T | Promise<T>,
): Promise<T> {
  const repository = testRepository();
  const folder = testFolder();
  try {
    const shards: string[] = [];
    for (const [at, files] of changes.entries()) {
      const task = {
        gitDir: repository.git('rev-parse', '--absolute-git-dir'),
        commit: repository.commit({ files }),
        repository: 'test',
        factsCache: join(folder, 'facts'),
        targetFile: join(folder, `shard-${at}`),
      };
      const signal = new AbortController().signal;
      await withExtractors((extractors) => indexCode(task, { signal, extractors, onProgress: () => undefined }));
      shards.push(task.targetFile);
    }
    return await work(shards);
  } finally {
    repository.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
