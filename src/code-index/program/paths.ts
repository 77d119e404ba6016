/** The folder of a path, '' for the root. */
export function dirnameOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** A path relative to a folder, with `.` and `..` resolved. What leads above the root starts with `../`. */
export function joinPath(directory: string, path: string): string {
  const parts = directory === '' ? [] : directory.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** A folder and all around it, the nearest first, '' last. */
export function* foldersUp(directory: string): Generator<string> {
  for (let at = directory; at !== ''; at = dirnameOf(at)) yield at;
  yield '';
}
