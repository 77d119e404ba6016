/**
 * True if a commit can have a file or folder at this path: at others, as at `..`, git ends with an error instead of finding
 * nothing.
 */
export function isTreePath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
