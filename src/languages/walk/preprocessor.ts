/** A line that a preprocessor reads, with the lines that it goes on in. */
const DIRECTIVE = /^[ \t]*#[ \t]*(\w+)/;

/**
 * A text without the lines of its preprocessor and without all but the first branch of each condition. What is left out
 * becomes spaces, so that everything stays where it is. Definitions (`#define`) stay.
 */
export function withoutBranches(text: string): string {
  const lines = text.split('\n');
  /** Of each condition around: whether its first branch is over. */
  const over: boolean[] = [];
  let isContinued = false;
  const kept = lines.map((line) => {
    const word = DIRECTIVE.exec(line)?.[1];
    const isDirective = word !== undefined && word !== 'define' && word !== 'include';
    const isHidden = over.includes(true);
    if (word?.startsWith('if') === true) over.push(false);
    else if (word?.startsWith('el') === true && over.length > 0) over[over.length - 1] = true;
    else if (word === 'endif') over.pop();
    const isGone = isDirective || isContinued || isHidden;
    isContinued = (isDirective || isContinued) && line.trimEnd().endsWith('\\');
    return isGone ? line.replaceAll(/[^\r]/g, ' ') : line;
  });
  return kept.join('\n');
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** Without macros that export: `class API Name {`, of which the grammar takes the macro for the name, and `API int f();`. */
export function withoutExportMacros(text: string): string {
  const lines = text.replaceAll(/^[A-Z][A-Z0-9_]*(?:EXPORT|API|EXTERN|PUBLIC|INLINE)(?=[ \t]+[A-Za-z_])/gm, blank);
  return lines.replaceAll(
    /\b((?:class|struct|union)\s+)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{])/g,
    (_, keyword: string, macro: string) => keyword + blank(macro),
  );
}

/** Without macros that annotate what stands before them: `int a GUARDED_BY(b);`, `void f() LOCKS(a);`. */
export function withoutAnnotations(text: string): string {
  return text
    .replaceAll(/(?<=\)[ \t\n]{0,40})[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?(?=\s*[;{])/g, blank)
    .replaceAll(/(?<=\w[ \t]{1,8})[A-Z][A-Z0-9_]{2,}\([^()\n]*\)(?=\s*[;=])/g, blank);
}
