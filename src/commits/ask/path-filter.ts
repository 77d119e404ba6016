import { forEachMatch } from '../../code/code.ts';

/** Whether a path is the file, lies in the folder, or fits the glob that a client names; without one every path does. */
export function isPathOf(asked: string | undefined): (path: string) => boolean {
  const wanted = (asked ?? '')
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (wanted === '' || wanted === '.') return () => true;
  return (path) => {
    if (path === wanted || path.startsWith(`${wanted}/`)) return true;
    if (!/[*?[{]/.test(wanted)) return false;
    let fits = false;
    forEachMatch(path.replaceAll('\n', ' '), wanted, () => (fits = true));
    return fits;
  };
}
