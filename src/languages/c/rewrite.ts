const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** `int f(a, b) int a; char *b; {`: the names of the parameters, and their declarations before the body. */
const OLD_PARAMETERS = /(?<=[\w*][ \t\n]*\b[A-Za-z_]\w*[ \t]*\()([\w\s,]*)\)((?:\s*[A-Za-z_][^;{}()=]*;)+)(?=\s*\{)/g;

/** Lines of C++ modules: `export module a;`, `import b;`, and `export` before a declaration. */
const MODULE_LINES = /^[ \t]*(?:export[ \t]+)?(?:module\b[^\n;(={]*|import[ \t]+[\w.:<>"/]+[ \t]*);/gm;
const EXPORTS = /^[ \t]*export(?=[ \t]+(?!template\b)[A-Za-z_])/gm;

/** Declarations of old C and of C++ modules as plain ones, in as many characters. */
export function withPlainDeclarations(text: string): string {
  return text
    .replaceAll(
      OLD_PARAMETERS,
      (_, names: string, declarations: string) => `${blank(names)} ${declarations.slice(0, -1).replaceAll(';', ',')})`,
    )
    .replaceAll(MODULE_LINES, blank)
    .replaceAll(EXPORTS, blank);
}
