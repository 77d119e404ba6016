import type { Tenant } from '../kernel/tenant.ts';
import { findCodeFolder } from './code-folder.ts';
import type { Signals } from './context.ts';
import { selectUnplacedThemes, updatePlace } from './store-themes.ts';

/**
 * Looks for the part of the code that each theme is about, by the signal that speaks for it, where it was not looked for
 * yet. Its cost grows with the number of new themes, not of signals: some 30 ms each and repository.
 *
 * @throws the signal's reason when it stops.
 */
export async function placeThemes(
  { db, readers, indexed }: Signals,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const themes = await selectUnplacedThemes(db, tenant);
  if (themes.length === 0) return;
  const repositories = await indexed(tenant);
  if (repositories.length === 0) return;
  for (const { id, text } of themes) {
    signal.throwIfAborted();
    const folder = await findCodeFolder(readers, repositories, { text, signal });
    await updatePlace(db, tenant, { id, place: folder?.place ?? '' });
  }
}
