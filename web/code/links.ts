import { linkOptions } from '@tanstack/react-router';

/** A file or folder of an indexed repository. */
export interface CodePlace {
  /** Name or id of the repository. */
  repo: string;
  path: string;
}

/** Where a file is shown: who owns it. */
export function fileLink({ repo, path }: CodePlace) {
  return linkOptions({ to: '/history', search: { repo, view: 'owners', path } });
}

/** Where a folder is shown: what changes in it. */
export function folderLink({ repo, path }: CodePlace) {
  return linkOptions({ to: '/history', search: { repo, path } });
}
