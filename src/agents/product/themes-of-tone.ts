import type { ThemeRow } from '../gather/signals.ts';

/** How what is asked for sounds; undefined where any will do. */
export type Tone = 'negative' | 'positive' | undefined;

/** What only praises or blames says nothing of what is liked. */
const EXCLAMATION =
  /\b(?:apps?|very|so|good|great|nice|best|better|cool|wow|love|loved|like|amazing|awesome|excellent|superb?|perfect|fantastic|wonderful|bad|worst|worse|terrible|horrible|hate|ok|okay)\b/gi;
/** Share of the signals of a theme that must sound as asked. */
const LEAST_OF_TONE = 0.3;

/** Themes with most signals of a tone first, or with most signals at all. One that mostly sounds otherwise is none of the tone. */
export function themesOfTone(all: readonly ThemeRow[], tone: Tone): ThemeRow[] {
  const themes = all.filter(({ theme }) => /\p{L}/u.test(theme.replaceAll(EXCLAMATION, ' ')));
  if (tone === undefined) return [...themes];
  const other = tone === 'negative' ? 'positive' : 'negative';
  const sounding = themes.filter((theme) => theme[tone].signals > 0 && theme[tone].signals >= theme[other].signals);
  const of = sounding.filter((theme) => theme[tone].signals >= LEAST_OF_TONE * theme.signals);
  return (of.length > 0 ? of : sounding).toSorted((a, b) => b[tone].signals - a[tone].signals);
}
