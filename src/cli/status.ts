import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { asTyped, ownCommand } from './own-command.ts';
import { ArtifactFolder, artifactPath, checkoutOf, type FolderIndex } from './artifact-folder.ts';
import type { Client } from './client.ts';
import type { CommandContext } from './command.ts';
import { syncHere } from './commands-artifacts.ts';
import { listRepositories, type RepositoryJson } from './repo.ts';
import { table } from './table.ts';

/** Output of `svc status`. */
interface Status {
  /** Address of the service; null when none answers, with the reason. */
  service: string | null;
  reason?: string;
  repository: Pick<RepositoryJson, 'name' | 'status' | 'commit' | 'behind' | 'default_branch'> | null;
  /** Texts that are not found by meaning yet; null where they are compared by words alone, or no service answers. */
  vectors: { pending: number; total: number } | null;
  folder: string;
  /** State of `.svc/`, compared with the service where it answers. */
  artifacts: 'none' | 'fresh' | 'behind' | 'damaged' | 'unknown';
  /** Time of its last change; null: never. */
  synced_at: string | null;
  commit: string | null;
  files: { path: string; bytes: number; tokens: number }[];
}

interface VectorProgress {
  model: string | null;
  pending: number;
  total: number;
}

/** Reads what is here, and compares it with the service where one answers. Changes nothing. */
export async function readStatus(
  context: Pick<CommandContext, 'cwd' | 'configDir'>,
  withClient: (act: (client: Client) => Promise<void>) => Promise<void>,
): Promise<Status> {
  const root = checkoutOf(context.cwd);
  const { index, isDamaged } = readArtifacts(root, context.configDir);
  const status: Status = {
    service: null,
    repository: null,
    vectors: null,
    folder: artifactPath(root),
    artifacts: index === undefined ? 'none' : isDamaged ? 'damaged' : 'unknown',
    synced_at: index?.synced_at ?? null,
    commit: index?.commit ?? null,
    files: (index?.files ?? []).map(({ path, bytes, tokens }) => ({ path, bytes, tokens })),
  };
  try {
    await withClient(async (client) => {
      const { behind, repo } = await syncHere(context, client, { check: true });
      status.service = client.where;
      const { model, pending, total } = await client.send<VectorProgress>('GET', '/v1/vectors');
      status.vectors = model === null ? null : { pending, total };
      if (status.artifacts === 'unknown') status.artifacts = behind ? 'behind' : 'fresh';
      const match = (await listRepositories(client)).find(({ name }) => name === repo);
      if (match === undefined) return;
      const { name, status: state, commit, behind: commits, default_branch: branch } = match;
      status.repository = { name, status: state, commit, behind: commits, default_branch: branch };
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') throw error;
    status.reason = asTyped(`${error.message} ${error.fix}`);
  }
  return status;
}

/** Reads the result of the last sync of this user. Files that came with a repository do not count. */
function readArtifacts(root: string, configDir: string): { index: FolderIndex | undefined; isDamaged: boolean } {
  using folder = ArtifactFolder.open(root);
  const index = folder?.readOwnIndex(configDir);
  return { index, isDamaged: index?.files.some((file) => folder?.isIntact(file) === false) === true };
}

const ARTIFACT_TEXTS: Record<Status['artifacts'], () => string> = {
  none: () => `nothing was synced yet: ${ownCommand('init')}`,
  fresh: () => 'up to date',
  behind: () => `behind: ${ownCommand('sync')}`,
  damaged: () => `changed or missing files: ${ownCommand('sync')}`,
  unknown: () => 'as of the last sync; nothing to compare with',
};

export function statusText(status: Status): string {
  const { service, reason, repository, vectors, folder, artifacts, synced_at, files } = status;
  const index =
    repository === null
      ? 'none that is indexed'
      : `${repository.name}@${(repository.commit ?? '').slice(0, 7)} ${repository.default_branch ?? ''} ${
          repository.status === 'ready' && repository.behind !== null
            ? repository.behind === 0
              ? 'fresh'
              : `behind ${repository.behind}`
            : repository.status
        }`;
  return [
    `service     ${visible(service ?? reason ?? '')}`,
    ...(service === null ? [] : [`repository  ${visible(index)}`]),
    ...(vectors === null || vectors.pending === 0
      ? []
      : [`vectors     pending ${vectors.pending} of ${vectors.total}`]),
    `${folder}: ${ARTIFACT_TEXTS[artifacts]()}${synced_at === null ? '' : ` (changed ${synced_at})`}`,
    ...(files.length === 0
      ? []
      : [
          table(
            ['FILE', 'TOKENS', 'BYTES'],
            files.map(({ path, tokens, bytes }) => [path, String(tokens), String(bytes)]),
          ),
        ]),
  ].join('\n');
}
