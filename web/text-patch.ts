/** Lines around a change that are shown with it. */
const CONTEXT = 3;
/** The longest stretches that are compared line by line: more would keep the page busy, and is shown as replaced. */
const MOST_COMPARED = 4_000_000;

/** A line as a patch has it: in both texts, in the one before, in the one after. */
interface PatchLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Returns the changes from one text to another as a unified patch with three lines of context; '' when there are none. */
export function textPatch(before: string, after: string): string {
  const lines = patchLines(linesOf(before), linesOf(after));
  const isShown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  const parts: string[] = [];
  let [old, now] = [1, 1];
  for (const [at, { sign, text }] of lines.entries()) {
    if (isShown[at] === true) {
      if (isShown[at - 1] !== true) parts.push(`@@ -${old} +${now} @@`);
      parts.push(`${sign}${text}`);
    }
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
  }
  return parts.join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Begins and ends that are the same are most of a text: only what is between them is compared. */
function patchLines(before: readonly string[], after: readonly string[]): PatchLine[] {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first += 1;
  let last = 0;
  const room = Math.min(before.length, after.length) - first;
  while (last < room && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  return [
    ...signLines(' ', before.slice(0, first)),
    ...compareLines(before.slice(first, before.length - last), after.slice(first, after.length - last)),
    ...signLines(' ', before.slice(before.length - last)),
  ];
}

function signLines(sign: PatchLine['sign'], lines: readonly string[]): PatchLine[] {
  return lines.map((text) => ({ sign, text }));
}

/** By the longest common sequence; removed lines come before added ones. */
function compareLines(before: readonly string[], after: readonly string[]): PatchLine[] {
  if (before.length * after.length > MOST_COMPARED) return [...signLines('-', before), ...signLines('+', after)];
  const common = commonLengths(before, after);
  const lines: PatchLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [old, now] = [before[i] ?? '', after[j] ?? ''];
    if (old === now) {
      lines.push({ sign: ' ', text: old });
      [i, j] = [i + 1, j + 1];
    } else if (common(i + 1, j) >= common(i, j + 1)) {
      lines.push({ sign: '-', text: old });
      i += 1;
    } else {
      lines.push({ sign: '+', text: now });
      j += 1;
    }
  }
  return [...lines, ...signLines('-', before.slice(i)), ...signLines('+', after.slice(j))];
}

/** Returns the number of lines that the texts have in common in the same order, each from a line on. */
function commonLengths(before: readonly string[], after: readonly string[]): (i: number, j: number) => number {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const common = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        before[i] === after[j] ? 1 + common(i + 1, j + 1) : Math.max(common(i + 1, j), common(i, j + 1));
  return common;
}
