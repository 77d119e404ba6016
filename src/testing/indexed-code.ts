import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { indexCode } from '../code-index/code-index.ts';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { openShard, type ShardDatabase } from '../indexes/shards/shards.ts';
import { testFolder, testRepository } from './git.ts';

/** Commits these files, indexes them as the service does, and gives the open shard and its file to `work`. About half a second. */
export async function withIndexed<T>(
  files: Record<string, string>,
  work: (db: ShardDatabase, file: string) => T | Promise<T>,
): Promise<T> {
  const repository = testRepository([{ files }]);
  const folder = testFolder();
  try {
    const task = {
      gitDir: repository.git('rev-parse', '--absolute-git-dir'),
      commit: repository.git('rev-parse', 'HEAD'),
      repository: 'test',
      factsCache: join(folder, 'facts'),
      targetFile: join(folder, 'shard'),
      processes: 1,
    };
    await indexCode(task, { signal: new AbortController().signal, onProgress: () => undefined });
    const db = openShard(task.targetFile, CODE_FORMAT);
    try {
      return await work(db, task.targetFile);
    } finally {
      db.close();
    }
  } finally {
    repository.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
