import { forEachMatch } from '../../code/code.ts';

/**
 * Returns a predicate for paths that are the file, lie in the folder, or fit the glob that a client names; without one every
 * path passes.
 */
export function isPathOf(filterPath: string | undefined): (path: string) => boolean {
  const pattern = (filterPath ?? '')
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (pattern === '' || pattern === '.') return () => true;
  return (path) => {
    if (path === pattern || path.startsWith(`${pattern}/`)) return true;
    if (!/[*?[{]/.test(pattern)) return false;
    let fits = false;
    forEachMatch(path.replaceAll('\n', ' '), pattern, () => (fits = true));
    return fits;
  };
}
