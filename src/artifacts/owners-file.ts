import { dayOfSeconds } from '../kernel/time.ts';
import type { z } from '@hono/zod-openapi';
import { HISTORY_QUERIES } from '../commits/commits.ts';
import type { ArtifactRequest, Graph } from '../graph/graph.ts';
import { IndexSources } from '../indexes/indexes.ts';
import { rowText } from '../kernel/row-text.ts';
import { tagOf } from '../platform/conditional.ts';
import type { OwnersFile } from './artifact-bodies.ts';

/** People that are listed for one file. */
const MOST_OWNERS = 3;

/** The tag of `ownership.json`: the history of a commit does not change. */
export function ownersTag({ repository: { provenance } }: ArtifactRequest): string {
  return tagOf(JSON.stringify(['ownership', provenance.repo, provenance.commit]));
}

/** `ownership.json`: who works on each file of a repository, by commits. */
export async function ownersText(indexes: Graph['indexes'], request: ArtifactRequest): Promise<string> {
  const { caller, repository, signal } = request;
  const history = new IndexSources(indexes, HISTORY_QUERIES, { caller, signal, repositories: [repository] });
  const files = await history.ask(repository, ['fileOwners', { most: MOST_OWNERS }]);
  const document: z.output<typeof OwnersFile> = {
    repo: repository.provenance.repo,
    files: files.map(({ path, busFactor, owners }) => ({
      path,
      bus_factor: busFactor,
      owners: owners.map(({ author, commits, decayedPercent, lastAt }) => ({
        author,
        commits,
        commits_decayed_pct: decayedPercent,
        last: dayOfSeconds(lastAt),
      })),
    })),
  };
  return rowText(document);
}
