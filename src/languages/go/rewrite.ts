/** Pattern of a type in the brackets of `new`, up to the closing one. */
const TYPE =
  /\s*(?:[*&]*[\w.]+(?:\[[^(){}\n]*\])?|\*[^(){}\n]*|(?:\[|map\[)[^(){}\n]*|(?:<-)?chan\b[^\n]*|(?:func|struct|interface)\b[^\n]*)\s*\)/y;

/**
 * A text of the same length in which `new` of a value (Go 1.26) is a call like any other: the grammar takes only a type in
 * its brackets. Names are read from the text as it was.
 */
export function rewriteGo(text: string): string {
  return text.replaceAll(/(?<![.\w])new\(/g, (call, at: number) => {
    TYPE.lastIndex = at + call.length;
    return TYPE.test(text) ? call : 'neW(';
  });
}
