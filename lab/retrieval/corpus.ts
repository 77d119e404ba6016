import corpusFile from './corpus.json' with { type: 'json' };

/** Repositories, each at a commit, that the search was tuned on. None of them is one that it is measured on. */
export const corpus: Record<'vectors' | 'ranker', readonly { repository: string; commit: string }[]> = corpusFile;

/** Folder of the repositories, each as `<owner>+<name>/repo`. */
export function mirrorOf(environment: NodeJS.ProcessEnv): string {
  const folder = environment['RETRIEVAL_MIRROR'];
  if (folder === undefined) throw new Error('Set RETRIEVAL_MIRROR to the folder of the repositories in corpus.json.');
  return folder;
}
