type ChangedRecord = Record<string, unknown>;

/** Records of a page; fewer mean that it is the last. */
export const CHANGE_PAGE = 100;

/** Some records, and the time of the last change among them: where reading goes on. */
interface ChangedPage {
  records: ChangedRecord[];
  cursor: string;
}

/**
 * Reads a list that is ordered by `updated_at`, oldest first, page by page. Each page begins at the change with which the one
 * before ended, so records that change meanwhile come again at the end and move nothing to a page that was read; a second page
 * is requested only of those that changed at one moment. A record that two pages have is given once.
 */
export async function* pagesByChange(
  cursor: string,
  ask: (place: { since: string; page: string }) => Promise<readonly ChangedRecord[]>,
): AsyncGenerator<ChangedPage> {
  let lastVersions = new Set<string>();
  for (let [since, page] = [cursor, 1]; ;) {
    const pageRecords = await ask({ since, page: String(page) });
    const last = changedAt(pageRecords, since);
    yield { records: pageRecords.filter((record) => !lastVersions.has(versionOf(record))), cursor: last };
    if (pageRecords.length < CHANGE_PAGE) return;
    lastVersions = new Set(pageRecords.map(versionOf));
    page = last === since ? page + 1 : 1;
    since = last;
  }
}

/** Date at which the last of the records changed; `before` when it has none. */
export function changedAt(records: readonly ChangedRecord[], before: string): string {
  const at = records.at(-1)?.['updated_at'];
  return typeof at === 'string' || typeof at === 'number' ? String(at) : before;
}

function versionOf({ id, number, iid, updated_at: at }: ChangedRecord): string {
  return JSON.stringify([id, number, iid, at]);
}
