import { linkOptions } from '@tanstack/react-router';
import { writeSourceAddress } from './address.ts';

/** A file or folder of an indexed repository. */
export interface CodePlace {
  /** Name or id of the repository. */
  repo: string;
  path: string;
}

/** Where a file is shown, as the index holds it. */
export function fileLink({ repo, path }: CodePlace) {
  return linkOptions({ to: '/r/$', params: { _splat: writeSourceAddress({ repo, ref: '', path }) } });
}

/** Where a folder is shown. */
export function folderLink(place: CodePlace) {
  return fileLink(place);
}
