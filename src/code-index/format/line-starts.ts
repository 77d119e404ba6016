/** Offset of the start of each line. Lines end with `\n`; an end of line at the end of the text starts no line. */
export function lineStarts(text: string): Int32Array {
  const starts: number[] = text === '' ? [] : [0];
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return Int32Array.from(starts);
}
