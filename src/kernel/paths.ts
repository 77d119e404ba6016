/** The folder of a file, or of what is named like one; '' at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder of a file with a slash at its end, as paths in it begin; '' at the root. */
export function folderPrefix(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The last part of a path without its ending. */
export function fileStem(path: string): string {
  return baseName(path).replace(/\.\w+$/, '');
}

/** The path that a relative one means in a folder, whose path ends with a slash. */
export function joinSpecifier(folder: string, specifier: string): string {
  const parts = folder.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
