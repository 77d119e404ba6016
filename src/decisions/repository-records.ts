import type { Tenant } from '../kernel/tenant.ts';
import { openObjects } from '../platform/git/git-objects.ts';
import type { Decisions } from './context.ts';
import { type RecordFile, type TakenRecords, takeRecords } from './take-records.ts';
import { decodeAnyText } from '../text/decode.ts';
import { isPathOf } from '../kernel/path-kinds.ts';

/**
 * Pattern of the paths of decision records in a repository. Templates, indexes and README files in these folders are no
 * records.
 */
const RECORD_FILE =
  /(?:^|\/)(?:adrs?|decisions?|decision[-_]records?|architect\w*[-_]decisions?(?:[-_]records?)?)\/(?:.+\/)?(?!README\.|index\.|[^/]*template)[^/]*\.(?:md|markdown)$/i;
/** A record that has a folder of its own: `adr-003/README.md`, `decisions/0012-use-x/index.md`. */
const RECORD_FOLDER =
  /(?:^|\/)(?:adr[-_ ]?\d{1,5}[^/]*|(?:adrs?|decisions?|decision[-_]records?)\/(?:.+\/)?\d{1,5}[-_][^/]*)\/(?:README|index)\.(?:md|markdown)$/i;
const MOST_RECORDS = 1_000;
const LONGEST_RECORD_BYTES = 200_000;

/** True if a repository keeps a decision record at a path. */
export function isRecordFile(path: string): boolean {
  return (RECORD_FILE.test(path) || RECORD_FOLDER.test(path)) && !isPathOf('foreignRecord', path);
}

/** Takes over the decision records of a repository as its index has them; see `takeRecords`. */
export async function takeRepositoryRecords(
  decisions: Decisions,
  tenant: Tenant,
  { repositoryId, signal }: { repositoryId: string; signal: AbortSignal },
): Promise<TakenRecords | undefined> {
  const repository = (await decisions.indexed(tenant, repositoryId)).find(({ id }) => id === repositoryId);
  const gitDir = await repository?.gitDir?.();
  if (repository === undefined || gitDir === undefined) return undefined;
  await using objects = await openObjects(gitDir);
  const { files: listed } = await objects.listTree(repository.provenance.commit, signal);
  const files: RecordFile[] = [];
  for (const { path, blob, sizeBytes } of listed) {
    if (files.length === MOST_RECORDS || !isRecordFile(path) || sizeBytes < 0 || sizeBytes > LONGEST_RECORD_BYTES)
      continue;
    for await (const { bytes } of objects.readBlobs([blob], signal))
      if (bytes !== undefined) files.push({ path, text: decodeAnyText(bytes, { path }) });
  }
  return takeRecords(decisions, tenant, { files, repositoryId, isWhole: true, actor: 'system', signal });
}
