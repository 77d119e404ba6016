import { ensureFirstAccount } from '../../src/accounts/accounts.ts';
import type { IndexedRepository } from '../../src/indexes/indexes.ts';
import { uuidv7 } from '../../src/kernel/ids.ts';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import type { Database } from '../../src/platform/db.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { findPlan, type Plans, PlanTexts, savePlan } from '../../src/plans/plans.ts';
import type { AnchorRow } from '../../src/anchors/store/store.ts';
import { currentAnchors } from '../../src/anchors/anchors.ts';
import type { EvalInput } from './answers.ts';
import type { IndexedSnapshots } from './snapshots.ts';

/** A database for the cases of one run, opened with the first of them. */
export class PlanCases {
  readonly #texts = new PlanTexts();
  #database: Promise<Database> | undefined;
  #saved = 0;

  /** Saves the plan with the index of `from`, then reads how stale it is with the index of `to`. */
  async answer(snapshots: IndexedSnapshots, input: EvalInput): Promise<Record<string, unknown>> {
    const { db } = await (this.#database ??= openMigrated());
    const tenant = await ensureFirstAccount(db, new Date());
    const [before, after] = [
      await snapshots.of({ ...input, snapshot: input.from ?? '' }),
      await snapshots.of({ ...input, snapshot: input.to ?? '' }),
    ];
    // Anchors refer to repositories by the ids that the service gives.
    const id = uuidv7(new Date());
    const plansAt = (repository: IndexedRepository): Plans => ({
      db,
      readers: after.parts.readers,
      texts: this.#texts,
      indexed: () => Promise.resolve([{ ...repository, id }]),
      indexPast: () => Promise.reject(new Error('Both commits are indexed.')),
      now: () => new Date(),
    });
    const actor = 'system' as const;
    const slug = `case-${(this.#saved += 1)}`;
    await savePlan(plansAt(before.repository), tenant, { text: input.markdown ?? '', slug, actor });
    const plans = plansAt(after.repository);
    const row = await findPlan(plans, tenant, slug);
    const anchors = await currentAnchors(plans, tenant, { holder: 'plan', ids: [row.id] });
    return { refs: (input.refs ?? []).map((ref) => ({ ...ref, ...stateOf(ref, anchors) })) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#texts.close();
    await (await this.#database)?.close();
  }
}

function stateOf(
  { path, symbol }: NonNullable<EvalInput['refs']>[number],
  anchors: readonly AnchorRow[],
): Record<string, unknown> {
  const spelling = symbol?.replaceAll('.', '/');
  const anchor =
    spelling === undefined
      ? anchors.find(({ written }) => written === path)
      : anchors.find(
          ({ written, target }) => target?.path === path && (written === spelling || written === `${spelling}@${path}`),
        );
  const { state } = anchor ?? {};
  return state === undefined ? { status: 'unresolved' } : { status: state.status, to: state.path };
}

async function openMigrated(): Promise<Database> {
  const database = await openEmbedded();
  await migrate(database.db);
  return database;
}
