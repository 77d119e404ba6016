import type { Tenant } from '../kernel/tenant.ts';
import { vectorsOf } from '../knowledge/vectors/vectors.ts';
import type { Signals } from './context.ts';

/** Texts of signals with their vectors, as far as these are not pending. */
export async function withVectors<Text extends { text: string }>(
  { db, encoder }: Pick<Signals, 'db' | 'encoder'>,
  tenant: Tenant,
  texts: readonly Text[],
): Promise<(Text & { vector: Int8Array | undefined })[]> {
  const all = texts.map(({ text }) => text);
  const vectors = await vectorsOf({ db, encoder }, tenant, all, 'signals');
  return texts.map((text, at) => ({ ...text, vector: vectors[at] }));
}
