import { FILE_DEADLINE_MS } from '../code-index/code-index.ts';
import { ExtractorPool } from '../code-index/extract/pool.ts';

/** Pools that no test uses now. They stay for the files that follow: to start a process takes longer than to parse a few files. */
const idle: ExtractorPool[] = [];

/** Runs work with a process that parses. After work that failed it may have files to read, and ends. */
export async function withExtractors<Result>(work: (extractors: ExtractorPool) => Promise<Result>): Promise<Result> {
  const pool = idle.pop() ?? new ExtractorPool({ size: 1, deadlineMs: FILE_DEADLINE_MS });
  try {
    const result = await work(pool);
    idle.push(pool);
    return result;
  } catch (error) {
    pool.close();
    throw error;
  }
}
