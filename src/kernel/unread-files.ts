/** Files that are not in an index whole: how many, and the first of them with the reason. */
export interface UnreadFiles {
  total: number;
  files: { path: string; reason: string }[];
}

/** Files that an empty answer names because they are not in the index whole. */
export const MOST_UNREAD = 5;

/** Names the files of some indexes that are not in them whole, the first five with the reason; nothing for none. */
export function unreadNotes(answers: readonly UnreadFiles[]): string[] {
  const total = answers.reduce((sum, answer) => sum + answer.total, 0);
  if (total === 0) return [];
  const named = answers
    .flatMap(({ files }) => files)
    .slice(0, MOST_UNREAD)
    .map((file) => `${file.path} (${file.reason})`);
  const more = total - named.length;
  return [`not read in full: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
