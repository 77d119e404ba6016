/** A text of at most so many characters, the last of which stands for what is left out. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The first characters of a text, and an ellipsis when there are more. */
export function excerpt(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

/** A number with so many digits behind the point: more say nothing, and differ from machine to machine. */
export function roundTo(digits: number, value: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** A text on one line, with one space where there were more. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
