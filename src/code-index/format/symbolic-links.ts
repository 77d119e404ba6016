/** Start of the reason of a symbolic link; its target follows, as git has it. */
export const LINK = 'a symbolic link to ';

/** The target of a file that is a symbolic link, by the reason why its text is not in the index; undefined for other files. */
export function linkTarget(reason: string | null | undefined): string | undefined {
  return reason?.startsWith(LINK) === true ? reason.slice(LINK.length) : undefined;
}
