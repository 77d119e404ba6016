import { createReadStream } from 'node:fs';

/** Size of a batch: it ends at this many lines, or about this many characters. */
interface LineBatch {
  lines: number;
  characters: number;
}

/** The lines of a file in batches. Only `\n` ends a line: other separators may be in a text. */
export async function* readLineBatches(path: string, most: LineBatch): AsyncGenerator<string[]> {
  let lineParts: string[] = [];
  let [lines, characters]: [string[], number] = [[], 0];
  for await (const chunk of createReadStream(path, 'utf8')) {
    const parts = String(chunk).split('\n');
    const open = parts.pop() ?? '';
    for (const part of parts) {
      const line = lineParts.length === 0 ? part : lineParts.join('') + part;
      lineParts = [];
      lines.push(line);
      characters += line.length;
      if (lines.length < most.lines && characters < most.characters) continue;
      yield lines;
      [lines, characters] = [[], 0];
    }
    if (open !== '') lineParts.push(open);
  }
  if (lineParts.length > 0) lines.push(lineParts.join(''));
  if (lines.length > 0) yield lines;
}
