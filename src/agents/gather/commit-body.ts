import { z } from 'zod';
import type { Tools } from './tools.ts';

const Shown = z.looseObject({ body: z.string().default('') });

/** The message of a commit below its subject; '' when there is none. One call. */
export async function readBody(tools: Tools, { sha, repo }: { sha: string; repo: string }): Promise<string> {
  const args = { action: 'show', query: sha, ...(repo !== '' && { repo }) };
  const [shown] = (await tools.ask('commit-tool', args, Shown))?.rows ?? [];
  return shown?.body ?? '';
}
