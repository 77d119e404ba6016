import { folderLevels } from '../overview/folder-levels.ts';
import type { ServiceLink } from './queries.ts';

/** Names of repositories from those that ask down to those that only answer; of a circle, the links of the fewest requests do not count. */
export function serviceLevels(links: readonly ServiceLink[]): string[][] {
  const names = [...new Set(links.flatMap(({ from, to }) => [from, to]))];
  const asking = names.map((path) => ({
    path,
    files: links.filter(({ to }) => to === path).reduce((sum, { requests }) => sum + requests, 0),
    uses: links.filter(({ from }) => from === path).map(({ to, requests }) => ({ path: to, files: requests })),
  }));
  return folderLevels(asking).map((level) => level.map(({ path }) => path));
}
