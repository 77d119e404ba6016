/** Packages, folders and scripts of a repository, for other slices. */
export { purposeOf } from './folders.ts';
export { isManifest, readManifest } from './manifests.ts';
export { namesScripts, scriptsOf } from './store-entries.ts';
