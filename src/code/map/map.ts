/** What other slices ask about the packages, folders and scripts of a repository. */
export { purposeOf } from './folders.ts';
export { isManifest, readManifest } from './manifests.ts';
export { namesScripts, scriptsOf } from './scripts.ts';
