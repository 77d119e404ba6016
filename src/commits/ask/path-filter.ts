import { forEachMatch } from '../../code/code.ts';

/** Whether a path is the file, lies in the folder, or fits the glob that a client names; without one every path does. */
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
