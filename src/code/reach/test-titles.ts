/** Lines above a use that are read to find the test around it. */
const MOST_LINES = 1_500;

/** A test, or a group of tests, that is given its title. */
interface Block {
  title: string;
  /** From 1. */
  line: number;
}

/** The blocks with a title around a line, the outermost first, told by the indentation. `blocks` fits the functions that are given titles. */
export function blocksAround(lines: readonly string[], line: number, blocks: RegExp): Block[] {
  const around: Block[] = [];
  let indent = Number.POSITIVE_INFINITY;
  const last = Math.max(0, line - MOST_LINES);
  for (let at = line - 1; at >= last && indent > 0; at -= 1) {
    const text = lines[at] ?? '';
    const depth = text.search(/\S/);
    if (depth === -1 || depth >= indent) continue;
    indent = depth;
    const title = titleAt(lines, at, blocks);
    if (title !== undefined) around.unshift({ title, line: at + 1 });
  }
  return around;
}

/** `it('sends', …`, `test.each(rows)("sends %s", …`, `it "sends" do`; the title may stand on the line below. */
function titleAt(lines: readonly string[], at: number, blocks: RegExp): string | undefined {
  const text = lines[at] ?? '';
  const called = /^\s*(?:await\s+)?(\w+)(?:\.\w+)*\s*(?:\(|(?=["'`]))/.exec(text);
  const isBlock = called !== null && blocks.test(called[1] ?? '');
  // The rows of a table stand between the function and its title.
  const isBehindTable = /^\s*(?:\]\s*\)|`\s*\)?)\s*\(/.test(text);
  if (!isBlock && !isBehindTable) return undefined;
  const tail = isBlock ? text.slice(called[0].length) : text.replace(/^[^(]*\(/, '');
  const behindTable = /^[^"'`]*\)\s*\(\s*(["'`].*)$/.exec(tail)?.[1];
  const titled = /^\s*$/.test(tail) ? (lines[at + 1] ?? '') : (behindTable ?? tail);
  return /^\s*(["'`])((?:\\.|(?!\1).)*)\1/.exec(titled)?.[2];
}
