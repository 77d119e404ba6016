/** Behind marks of a path or name with three letters behind them at least, and between the words of a name in camel case. */
const BREAKS = /(?<=[\w)][./_:>-]+)(?=\w{3})|(?<=\p{Ll})(?=\p{Lu})/u;

/** The parts of a name or path between which a line may break where there is little room. */
export function breakableParts(code: string): string[] {
  return code.split(BREAKS);
}

/** Code without the space that all of its lines begin with. */
export function withoutIndent(code: string): string {
  const lines = code.split('\n');
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const depth = Math.min(...depths);
  return Number.isFinite(depth) ? lines.map((line) => line.slice(depth)).join('\n') : code;
}
