import { pathKind } from './classify-paths.ts';

/**
 * The type of a commit whose files are all of one kind that leaves no other: workflows, documentation, tests. Manifests
 * are not among them: half of the projects call their changes `build`, the other half `chore`.
 */
export function typeByPaths(files: readonly { path: string }[]): 'ci' | 'docs' | 'test' | undefined {
  const kinds = new Set(files.map((file) => pathKind(file.path)));
  const [kind] = kinds;
  if (kinds.size !== 1) return undefined;
  return kind === 'ci' || kind === 'docs' || kind === 'test' ? kind : undefined;
}
