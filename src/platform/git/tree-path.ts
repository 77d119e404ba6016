/** Whether a commit can have a file or folder at this path: git ends with an error at others, as at `..`, in place of finding nothing. */
export function isTreePath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
