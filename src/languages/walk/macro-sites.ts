/** Comments and literals, in which brackets mean nothing, and lines of the preprocessor. */
const OPAQUE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|^[ \t]*#(?:[^\n\\]|\\[^\n]|\\\r?\n)*/gm;
const DEFINED = /^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)/gm;
const CAPITALS = /^[A-Z][A-Z0-9_]{2,}$/;
const WORD = /[A-Za-z_]\w*/y;
const SPACE = /\s*/y;

/** Pattern of a type as the only argument of a macro. */
const TYPE =
  /^\s*(?:(?:const|volatile|struct|union|enum|unsigned|signed|long|short)\s+)*[A-Za-z_][\w:]*(?:\s*<[\w:,\s*&]*>)?(?:\s+const)?[\s*&]*$/;
/** One name behind a macro, and how its declaration goes on: the macro stands where its type would. */
const DECLARED =
  /[*&\s]*(?!(?:class|struct|union|enum|namespace|template|typedef|using|static|extern)\b)(?<word>[A-Za-z_~][\w:]*)\s*[(;=,[{]/y;
/** Start of a declaration that has its own type: what precedes it is none. */
const TYPED =
  /(?:int|char|short|long|unsigned|signed|float|double|void|bool|const|static|struct|union|enum|class|virtual|explicit|template)\b/y;
/** Words that stand alone before what belongs to them. */
const KEYWORDS =
  /^(?:else|do|try|struct|union|enum|class|typedef|static|inline|const|unsigned|signed|extern|virtual|explicit|volatile|register|template|typename|return|public|private|protected|default|case|goto|int|char|short|long|float|double|void|bool|auto)$/;
/** Start of a statement or a declaration. */
const BEGINS = /[A-Za-z_~}#[]|::|$/y;
/** A label, a case or a section of a class. */
const LABEL = /^\s*(?:case\b[^?]{1,80}|(?!(?:class|struct|union|enum|namespace)\b)[A-Za-z_]\w*(?:\s+\w+)?)\s*$/;
/** A section of a class with a word of a framework behind its access (`public slots:`), or in its place (`signals:`). */
const SECTION =
  /(?<=\b(?:public|protected|private)[ \t]+)[A-Za-z_]\w*(?=[ \t]*:(?!:))|(?<=^[ \t]*)(?:signals|Q_SIGNALS)[ \t]*:(?!:)/gm;

type Around = 'declarations' | 'members' | 'statements' | 'values';

interface Site {
  start: number;
  /** Start and end of the arguments with their parentheses; both `end` when there are none. */
  open: number;
  end: number;
  around: Around;
}

interface Repairs {
  isMacro: (name: string) => boolean;
  write: (start: number, part: string) => void;
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/**
 * A text in which macros that stand alone do not stand in the way of a grammar, as long as before: one in the place of a
 * type becomes the type that it is given (`API(int) f();`), one that ends without a semicolon becomes a statement inside
 * of a function and nothing between declarations or members.
 *
 * Macros are what the text defines as such, and names in capitals.
 */
export function withoutMacroSites(text: string): string {
  const code = text.replaceAll(OPAQUE, blank);
  const macros = new Set([...text.matchAll(DEFINED)].map(([, name = '']) => name));
  const isMacro = (name: string): boolean => macros.has(name) || CAPITALS.test(name);
  const written = text.split('');
  const write = (start: number, part: string): void => {
    for (let index = 0; index < part.length; index += 1) written[start + index] = part[index] ?? ' ';
  };
  for (const site of findSites(code, isMacro)) repair(code, site, { isMacro, write });
  for (const { 0: word, index } of code.matchAll(SECTION)) if (word !== 'class') write(index, blank(word));
  return written.join('');
}

function repair(code: string, { start, open, end, around }: Site, { isMacro, write }: Repairs): void {
  const next = skipSpace(code, end);
  if (!matchesAt(BEGINS, code, next)) return;
  const hasArguments = open < end;
  if (around === 'statements') {
    // The character behind it is a space or a line break, which nobody misses.
    if (next > end) write(end, ';');
    return;
  }
  const given = code.slice(open + 1, end - 1);
  DECLARED.lastIndex = end;
  const declared = DECLARED.exec(code)?.groups?.['word'];
  if (declared === undefined || isMacro(declared)) write(start, blank(code.slice(start, end)));
  else if (hasArguments && TYPE.test(given)) {
    write(start, blank(code.slice(start, open + 1)));
    write(end - 1, ' ');
  } else if (hasArguments) write(start, `int${blank(code.slice(start + 3, end))}`);
}

/** The macros that begin a declaration, a member or a statement, and end without a semicolon. */
function* findSites(code: string, isMacro: (name: string) => boolean): Iterable<Site> {
  const around: Around[] = ['declarations'];
  let isStart = true;
  let depth = 0;
  let head = 0;
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at] ?? '';
    if (/\s/.test(character)) continue;
    WORD.lastIndex = at;
    const [name] = WORD.exec(code) ?? [];
    if (name !== undefined) {
      const site: Site | undefined =
        isStart && depth === 0
          ? readSite(code, at, { name, inside: around.at(-1) ?? 'declarations', isMacro })
          : undefined;
      if (site !== undefined) yield site;
      isStart = site !== undefined;
      at = (site?.end ?? at + name.length) - 1;
      continue;
    }
    if (character === '{') {
      around.push(depth > 0 ? 'values' : bodyOf(code.slice(head, at), around.at(-1)));
      depth = 0;
    } else if (character === '}') {
      if (around.length > 1) around.pop();
      depth = 0;
    } else if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth = Math.max(0, depth - 1);
    isStart =
      depth === 0 &&
      (/[;{}]/.test(character) || (character === ':' && code[at + 1] !== ':' && LABEL.test(code.slice(head, at))));
    if (isStart) head = at + 1;
  }
}

/** The macro that a name at the start of something is, with its arguments; undefined for any other name. */
function readSite(
  code: string,
  start: number,
  { name, inside, isMacro }: { name: string; inside: Around; isMacro: (name: string) => boolean },
): Site | undefined {
  const end = start + name.length;
  const next = skipSpace(code, end);
  if (code[next] === '(')
    return isMacro(name) ? { start, open: next, end: closing(code, next), around: inside } : undefined;
  if (inside === 'values' || !/[\r\n]/.test(code.slice(end, next))) return undefined;
  // Alone on its line it is one by its name, or because what follows needs no type before it.
  const follows = inside === 'statements' ? BEGINS : TYPED;
  const isAlone =
    (isMacro(name) && inside !== 'statements') || (!KEYWORDS.test(name) && matchesAt(follows, code, next));
  return isAlone ? { start, open: end, end, around: inside } : undefined;
}

function matchesAt(pattern: RegExp, code: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(code);
}

/** Returns the kind of text in the braces behind a head. */
function bodyOf(head: string, outer: Around = 'declarations'): Around {
  if (outer === 'values' || /=\s*$|\benum\b[^()]*$/.test(head)) return 'values';
  if (/\b(?:struct|class|union)\b[^()=]*$/.test(head)) return 'members';
  if (/\bnamespace\b|\bextern\b[^()]*$/.test(head)) return 'declarations';
  return 'statements';
}

function skipSpace(code: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(code);
  return SPACE.lastIndex;
}

/** The end of what a bracket opens, or of the text. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    else if (code[at] === ')' && (depth -= 1) === 0) return at + 1;
  }
  return code.length;
}
