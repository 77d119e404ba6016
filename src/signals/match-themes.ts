import { compareTexts } from '../kernel/text-order.ts';

/** A theme that groups can become. */
interface KnownTheme {
  id: string;
  /** A person has named it, or joined others with it: what was together in it stays together. */
  isPersonal: boolean;
}

/** Share of a group's signals that must come from a theme of a person for the group to go there. */
const PERSONAL_SHARE = 0.5;
/** Share of the smaller one, group or theme, that both must have in common to be the same. */
const SAME_SHARE = 1 / 3;

/**
 * Returns the theme of each group of signals: the one that most of its signals were in before, so that themes keep their ids
 * and names. Each theme becomes one group, the most similar first; several groups may go to a theme that a person has formed.
 * Undefined for a group that is a theme of its own now.
 *
 * @param before the theme that each signal was in.
 */
export function matchThemes(
  groups: readonly (readonly string[])[],
  before: ReadonlyMap<string, string>,
  themes: readonly KnownTheme[],
): (string | undefined)[] {
  const themesById = new Map(themes.map((theme) => [theme.id, theme]));
  const sizes = new Map<string, number>();
  for (const theme of before.values()) sizes.set(theme, (sizes.get(theme) ?? 0) + 1);
  const shared = groups.flatMap((members, group) => {
    const votes = Map.groupBy(
      members.flatMap((id) => before.get(id) ?? []),
      (theme) => theme,
    );
    const voters = [...votes.values()].reduce((sum, { length }) => sum + length, 0);
    return Array.from(votes, ([theme, { length: count }]) => ({ group, theme, count, voters, size: members.length }));
  });
  const matched: (string | undefined)[] = groups.map(() => undefined);
  const taken = new Set<string>();
  const ranked = shared.toSorted((a, b) => b.count - a.count || a.group - b.group || compareTexts(a.theme, b.theme));
  for (const { group, theme, count, voters, size } of ranked) {
    const isPersonal = themesById.get(theme)?.isPersonal;
    if (isPersonal === undefined || matched[group] !== undefined) continue;
    const isSame = isPersonal
      ? count >= PERSONAL_SHARE * voters
      : !taken.has(theme) && count >= SAME_SHARE * Math.min(size, sizes.get(theme) ?? 0);
    if (!isSame) continue;
    matched[group] = theme;
    taken.add(theme);
  }
  return matched;
}
