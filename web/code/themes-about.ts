/** The themes whose place, such as `shop:src/mail`, is a path or a folder above it, the nearest folder first. */
export function themesAbout<Theme extends { place: string | null; signals: number }>(
  themes: readonly Theme[],
  { repo, path }: { repo: string; path: string },
): Theme[] {
  const whole = `${repo}:${path}`;
  const about = themes.filter(
    ({ place }) => place !== null && (place === whole || place === `${repo}:` || whole.startsWith(`${place}/`)),
  );
  const depth = ({ place }: Theme): number => place?.length ?? 0;
  return about.toSorted((a, b) => depth(b) - depth(a) || b.signals - a.signals);
}
