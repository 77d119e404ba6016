import { baseName } from '../../kernel/paths.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { openObjects, type TreeFile } from '../../platform/git/git-objects.ts';
import { removePlan } from './change-plan.ts';
import { lookupsOf } from '../../anchors/lookups/lookups.ts';
import type { Plans } from './context.ts';
import { LONGEST_PLAN } from '../text/plan-limit.ts';
import { retryUnresolved } from '../../anchors/anchors.ts';
import { freeSlug, savePlan } from './save-plan.ts';
import { slugOf } from '../../kernel/slug.ts';
import { selectPlans, selectRepositoryPlans } from '../store/store.ts';
import { selectAnchors } from '../../anchors/store/store.ts';
import { collectCandidates } from '../../anchors/mentions/mentions.ts';
import { decodeAnyText } from '../../text/decode.ts';

/** Paths of the plans of a repository. A README there is about the folder. */
const PLAN_FILE = /^(?:docs\/|doc\/)?plans\/(?:.+\/)?(?!README\.)[^/]+\.(?:md|markdown)$/i;
/** Most plans that are taken from one repository. */
const MOST_PLANS = 500;

/** Result of reading the plans of a repository. */
interface TakenPlans {
  saved: number;
  removed: number;
  /** Files that cannot be read as plans, with the reason. */
  failed: { path: string; reason: string }[];
}

/**
 * Takes over the plans that a repository keeps in `plans/` or `docs/plans/`, as its index has it: new and changed files
 * are saved, plans whose file is gone are removed. A file that is not a plan is told and left out. Then what any plan of
 * the product names and nothing had is looked for again. Safe twice.
 */
export async function takePlans(
  plans: Plans,
  tenant: Tenant,
  { repositoryId, signal }: { repositoryId: string; signal: AbortSignal },
): Promise<TakenPlans> {
  const repository = (await plans.indexed(tenant, repositoryId)).find(({ id }) => id === repositoryId);
  const gitDir = await repository?.gitDir?.();
  if (repository === undefined || gitDir === undefined) return { saved: 0, removed: 0, failed: [] };
  const taken: TakenPlans = { saved: 0, removed: 0, failed: [] };
  const existing = await selectRepositoryPlans(plans.db, tenant, repositoryId);
  const present = new Set<string>();
  for await (const { path, text } of planFiles(repository, gitDir, signal)) {
    signal.throwIfAborted();
    present.add(path);
    const before = existing.find((row) => row.path === path);
    try {
      const slug = before?.slug ?? (await newSlug(plans, tenant, { path, text }));
      const file = { repositoryId, path, slug };
      const { outcome } = await savePlan(plans, tenant, { text, actor: 'system', file });
      if (outcome !== 'unchanged') taken.saved += 1;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      taken.failed.push({ path, reason: error.message });
    }
  }
  for (const row of existing) {
    if (row.path === null || present.has(row.path)) continue;
    await removePlan(plans, tenant, { slug: row.slug, actor: 'system' });
    taken.removed += 1;
  }
  await retryAll(plans, tenant, signal);
  return taken;
}

async function* planFiles(
  { provenance }: IndexedRepository,
  gitDir: string,
  signal: AbortSignal,
): AsyncGenerator<{ path: string; text: string }> {
  await using objects = await openObjects(gitDir);
  const { files } = await objects.listTree(provenance.commit, signal);
  for (const { path, blob } of files.filter(isTaken).slice(0, MOST_PLANS))
    for await (const { bytes } of objects.readBlobs([blob], signal))
      if (bytes !== undefined) yield { path, text: decodeAnyText(bytes, { path }) };
}

async function newSlug(plans: Plans, tenant: Tenant, { path, text }: { path: string; text: string }): Promise<string> {
  const file = baseName(path).replace(/\.[^.]+$/, '');
  const { fields } = await plans.texts.plan(text);
  const slug = slugOf(fields.slug ?? file);
  return freeSlug(plans.db, tenant, slug === '' ? 'plan' : slug);
}

async function retryAll(plans: Plans, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const rows = await selectPlans(plans.db, tenant);
  const all = await selectAnchors(plans.db, tenant, { holder: 'plan', ids: rows.map(({ id }) => id) });
  for (const [id, anchors] of Map.groupBy(all, (anchor) => anchor.id)) {
    signal.throwIfAborted();
    const row = rows.find((planRow) => planRow.id === id);
    if (row === undefined || anchors.every(({ target }) => target !== undefined)) continue;
    const lookups = await lookupsOf(plans, tenant, row.repositoryId);
    const { mentions } = await plans.texts.plan(row.text);
    await retryUnresolved(plans, tenant, { anchors, names: collectCandidates(mentions), lookups });
  }
}

function isTaken({ path, sizeBytes }: TreeFile): boolean {
  return PLAN_FILE.test(path) && sizeBytes >= 0 && sizeBytes <= LONGEST_PLAN;
}
