import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import type { Client } from './client.ts';

/** Central symbols that are tried before a repository counts as one without usages. */
const MOST_TRIED = 5;

const MapAnswer = z.object({
  rows: z.array(z.object({ part: z.string(), qualified: z.string().optional(), symbol: z.string().optional() })),
});
const UsagesAnswer = z.object({ total: z.number() });

/** A call of `code-tool` that has an answer with rows. */
export interface FirstQuestion {
  action: 'usages';
  symbol: string;
  repo: string;
}

/**
 * Finds a question that the service can answer by now: which code uses a central symbol of these repositories. Undefined where
 * no central symbol is used anywhere, or no index can be read.
 */
export async function findFirstQuestion(
  client: Client,
  repositories: readonly string[],
): Promise<FirstQuestion | undefined> {
  for (const repo of repositories) {
    const map = MapAnswer.safeParse(await ask(client, { action: 'map', repo }));
    const central = (map.data?.rows ?? []).filter(({ part }) => part === 'symbols').slice(0, MOST_TRIED);
    for (const { qualified, symbol } of central) {
      // A name is what people type; where several symbols have it, only the handle says which one.
      for (const named of [qualified, symbol]) {
        if (named === undefined) continue;
        const question = { action: 'usages', symbol: named, repo } as const;
        const usages = UsagesAnswer.safeParse(await ask(client, question));
        if (usages.success && usages.data.total > 0) return question;
      }
    }
  }
  return undefined;
}

/** The answer of `code-tool`; undefined where it refuses. */
async function ask(client: Client, question: object): Promise<unknown> {
  try {
    return await client.send<unknown>('POST', '/v1/tools/code-tool', question);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
