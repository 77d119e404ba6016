import { parseArgs } from 'node:util';
import { readPastFacts } from '../src/code-index/extract/read-facts.ts';
import { loadSymbols, positionOf } from '../src/code-index/program/symbols.ts';
import type { FileFacts } from '../src/languages/facts/facts.ts';
import { lineOf } from '../src/languages/facts/lines.ts';
import { type FileLanguage, languageOf, languageOfPath } from '../src/languages/languages.ts';
import { openObjects } from '../src/platform/git/git-objects.ts';
import { blank, withoutCommentsAndStrings } from './plain-code.ts';
import { type Source, sourceAt } from './source.ts';

const USAGE = `node lab/lost-symbols.ts [--show <count>] <git repository> ...

Tells by language which share of the functions and types that a plain scan of the text finds the index lacks, and of
all the repositories together. The files are parsed as for an index, and their symbols chosen as for one. The scan looks for how declarations begin, at the start of a line, in text without comments and strings. Of Java, C#, TypeScript
and JavaScript, whose methods no keyword announces, it finds those with a modifier; of C and C++ functions with a body
that begin at the start of a line.`;

/** Words that stand before a parenthesis and name nothing. */
const NO_NAME = String.raw`(?!(?:if|for|foreach|while|switch|return|sizeof|catch|using|lock|else|do|new|throw|case)\b)`;
const SPACE = String.raw`[ \t]`;

const MODIFIERS_OF_JAVA =
  'public|private|protected|static|final|abstract|sealed|non-sealed|strictfp|synchronized|native|default';
const MODIFIERS_OF_CSHARP =
  'public|private|protected|internal|static|sealed|abstract|partial|readonly|ref|unsafe|virtual|override|async|extern|file';
const MODIFIERS_OF_CLASS = 'public|private|protected|static|override|async|readonly|abstract|get|set';

const TYPES_OF_C = pattern(
  String.raw`^(?:${SPACE}*template${SPACE}*<[^;{]*>\s*)?${SPACE}*(?:class|struct|union|enum(?:${SPACE}+(?:class|struct))?)${SPACE}+(?:\w+::)*(?<name>[A-Za-z_]\w*)(?=(?:${SPACE}+final)?[ \t\n]*(?:\{|:(?!:)[^;{}]*\{))`,
);
/** At the start of a line: type, name, parameters, and the body or the end of a prototype. */
const FUNCTIONS_OF_C = pattern(
  String.raw`^(?!(?:typedef|struct|union|enum|class|namespace|else|do|case|extern${SPACE}*")\b)[A-Za-z_][\w \t*]*?[ \t*\n]${NO_NAME}(?<name>[A-Za-z_]\w*)${SPACE}*\([^;{}()#]*\)\s*(?<end>[{;])`,
);
const FUNCTIONS_OF_CPP = pattern(
  String.raw`^(?!(?:typedef|struct|union|enum|class|namespace|else|do|case|using|return)\b)[A-Za-z_][\w \t*&:<>,]*?[ \t*&\n](?:\w+::)*${NO_NAME}(?<name>[A-Za-z_]\w*)${SPACE}*\([^;{}()#]*\)(?:\s*(?:const|noexcept|override|final|&&?))*\s*(?<end>[{;])`,
);
const SCRIPT = [
  pattern(
    String.raw`^(?:export${SPACE}+)?(?:default${SPACE}+)?(?:declare${SPACE}+)?(?:abstract${SPACE}+)?(?:class|interface|(?:const${SPACE}+)?enum|(?:async${SPACE}+)?function\*?)${SPACE}+(?!extends\b|implements\b)(?<name>[A-Za-z_$][\w$]*)(?=\s*[<({]|\s+(?:extends|implements)\b)`,
  ),
  pattern(
    String.raw`^(?:export${SPACE}+)?(?:const|let|var)${SPACE}+(?<name>[A-Za-z_$][\w$]*)${SPACE}*=${SPACE}*(?:async${SPACE}+)?(?:function\b|\([^()\n]*\)${SPACE}*=>)`,
  ),
  pattern(
    String.raw`^(?: {2}| {4}|\t)(?=[^\n(]*\b(?:public|private|protected|static)${SPACE})(?:(?:${MODIFIERS_OF_CLASS})${SPACE}+)+\*?(?<name>[A-Za-z_$][\w$]*)${SPACE}*(?:<[^>\n]*>)?\(`,
  ),
];

/** Patterns that begin a declaration, by language, with the name of what is declared. */
const SCANS: Record<string, readonly RegExp[]> = {
  Kotlin: [
    /^[ \t]*(?:(?:public|private|internal|protected|open|override|abstract|final|suspend|inline|operator|infix|tailrec|sealed|data|enum|annotation|value|inner|actual|expect|fun)[ \t]+)*(?:class|interface|object|fun(?:[ \t]+<[^>\n]*>)?)[ \t]+(?:[\w<>?, *]+\.)?(?<name>[A-Za-z_]\w*)(?=[ \t]*[(<:{\n])/dgm,
  ],
  Java: [
    pattern(
      String.raw`^${SPACE}*(?:(?:${MODIFIERS_OF_JAVA})${SPACE}+)*(?:class|interface|@interface|enum|record)${SPACE}+(?<name>\w+)(?=\s*[<({]|\s+(?:extends|implements|permits)\b)`,
    ),
    pattern(
      String.raw`^${SPACE}+(?:(?:${MODIFIERS_OF_JAVA})${SPACE}+)+(?:<[^\n(]+>${SPACE}+)?(?:[\w.<>\[\]?, ]+${SPACE}+)?${NO_NAME}(?<name>\w+)${SPACE}*\((?=[^;{}=]*[;{])`,
    ),
  ],
  'C#': [
    pattern(
      String.raw`^${SPACE}*(?:(?:${MODIFIERS_OF_CSHARP})${SPACE}+)*(?:class|interface|enum|struct|record(?:${SPACE}+(?:struct|class))?)${SPACE}+(?!struct\b|class\b)(?<name>\w+)(?=\s*[<({:;]|\s*$)`,
    ),
    pattern(
      String.raw`^${SPACE}+(?:(?:${MODIFIERS_OF_CSHARP})${SPACE}+)+(?:[\w.<>\[\]?, ]+${SPACE}+)?${NO_NAME}(?<name>\w+)(?:<[\w, ]+>)?${SPACE}*\((?=[^;{}=]*\)(?:[^;{}]*\{|${SPACE}*;|\s*=>|\s*where\b|\s*:))`,
    ),
  ],
  Go: [/^(?:func(?:[ \t]*\([^()\n]*\))?[ \t]+|type[ \t]+)(?!_\b)(?<name>[A-Za-z_]\w*)/dgm],
  Python: [/^(?:[ \t]{4})?(?:class|(?:async[ \t]+)?def)[ \t]+(?<name>\w+)/dgm],
  TypeScript: SCRIPT,
  JavaScript: SCRIPT,
  Rust: [
    /^(?:[ \t]{4})?(?:pub(?:\([^)]*\))?[ \t]+)?(?:(?:const|async|unsafe|extern(?:[ \t]+"\w*")?)[ \t]+)*(?:fn|struct|enum|trait|union)[ \t]+(?<name>\w+)(?=[ \t\n]*[<({;:\n]|[ \t]+where\b)/dgm,
  ],
  Swift: [
    /^[ \t]*(?:@\w+[ \t]+)*(?:(?:public|private|internal|fileprivate|open|final|static|override|mutating|indirect|nonisolated|required)[ \t]+)*(?:class|struct|enum|protocol|actor|func)[ \t]+(?!func\b|var\b|let\b)(?<name>[A-Za-z_]\w*)(?=[ \t\n]*[<({:]|[ \t]+where\b)/dgm,
  ],
  Scala: [
    /^[ \t]*(?:(?:private|protected|final|implicit|override|abstract|sealed|lazy|case|inline)(?:\[\w+\])?[ \t]+)*(?:class|object|trait|def)[ \t]+(?<name>[A-Za-z_]\w*)/dgm,
  ],
  PHP: [
    /^[ \t]*(?:(?:public|private|protected|static|final|abstract|readonly)[ \t]+)*(?:class|interface|trait|enum|function)[ \t]+&?(?!extends\b|implements\b)(?<name>[A-Za-z_]\w*)(?=[ \t\n]*[({:]|[ \t\n]+(?:extends|implements)\b)/dgm,
  ],
  Ruby: [
    /^[ \t]*(?:class|module)[ \t]+(?:[A-Z]\w*::)*(?<name>[A-Z]\w*)/dgm,
    /^[ \t]*(?:(?:private|protected|private_class_method|module_function)[ \t]+)?def[ \t]+(?:self\.|[A-Z]\w*\.)?(?<name>[A-Za-z_]\w*[?!]?)=?(?=[ \t]*[(;\n=]|[ \t]+[a-z*&])/dgm,
  ],
  Shell: [/^(?:function[ \t]+)?(?<name>[A-Za-z_][\w-]*)[ \t]*\([ \t]*\)[ \t]*\n?[ \t]*[{(]/dgm],
  C: [TYPES_OF_C, FUNCTIONS_OF_C],
  'C++': [TYPES_OF_C, FUNCTIONS_OF_CPP],
};
/** A definition of the preprocessor over several lines: what it declares is declared where it is used. */
const MACRO = /^[ \t]*#[ \t]*define\b(?:[^\n]*\\\r?\n)+[^\n]*$/gm;
/** A scan may see the name on another line than the index: behind a line break. */
const LINES_APART = 2;
/** Most files whose texts are held at a time. */
const FILES_AT_A_TIME = 500;
/** For that many files, however busy the machine is. */
const MOST_MS = 600_000;

interface Tally {
  total: number;
  lost: string[];
}

const { values, positionals } = parseArgs({
  options: { show: { type: 'string', default: '0' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.log(USAGE);
  process.exitCode = 1;
}
const sums = new Map<string, Tally>();
for (const path of positionals) await run(sourceAt(path));
if (positionals.length > 1) report('all', sums, 0);

async function run({ gitDir, commit, name }: Source): Promise<void> {
  await using objects = await openObjects(gitDir);
  const { files } = await objects.listTree(commit);
  const read = files.filter(({ path, sizeBytes }) => sizeBytes > 0 && languageOfPath(path).name in SCANS);
  const tallies = new Map<string, Tally>();
  const unread: string[] = [];
  for (let from = 0; from < read.length; from += FILES_AT_A_TIME) {
    const texts: { path: string; text: string }[] = [];
    const part = read.slice(from, from + FILES_AT_A_TIME);
    const contents = objects.readBlobs(part.map(({ blob }) => blob));
    for (const { path } of part) {
      const next = await contents.next();
      if (next.done === true || next.value.bytes === undefined) continue;
      texts.push({ path, text: new TextDecoder().decode(next.value.bytes) });
    }
    const indexedLines = await readPastFacts(
      texts,
      (facts, { path }) => symbolLines(path, facts),
      AbortSignal.timeout(MOST_MS),
    );
    for (const [at, { path, text }] of texts.entries()) {
      const lines = indexedLines[at];
      if (lines === undefined) unread.push(path);
      else tally(tallies, { path, text, indexedLines: lines });
    }
  }
  report(`${name} ${commit.slice(0, 12)}`, tallies);
  // Files that are not parsed lack all their symbols, which the gaps of an index say: they are no loss of a reader.
  if (unread.length > 0) console.log(`not read: ${unread.length} files, ${unread.slice(0, 5).join(', ')}`);
  for (const [language, { total, lost }] of tallies) {
    const sum = sums.get(language) ?? { total: 0, lost: [] };
    sums.set(language, { total: sum.total + total, lost: [...sum.lost, ...lost] });
  }
}

/** The lines of the symbols that the index would have of a file, by their names. */
function symbolLines(path: string, facts: FileFacts): Map<string, number[]> {
  const {
    program,
    table: { symbolOf },
  } = loadSymbols([{ path, facts }]);
  const [unit] = program.units;
  const lines = new Map<string, number[]>();
  if (unit === undefined) return lines;
  for (let local = 0; local < unit.count; local += 1) {
    if ((symbolOf[local] ?? -1) < 0) continue;
    const name = program.names.text(unit.definitionNames[local] ?? 0);
    lines.set(name, [...(lines.get(name) ?? []), lineOf(facts.lines, positionOf(unit, local)) + 1]);
  }
  return lines;
}

interface ScannedFile {
  path: string;
  text: string;
  indexedLines: ReadonlyMap<string, readonly number[]>;
}

function tally(tallies: Map<string, Tally>, { path, text, indexedLines }: ScannedFile): void {
  const language = languageOfPath(path);
  const counted = tallies.get(language.name) ?? { total: 0, lost: [] };
  tallies.set(language.name, counted);
  for (const { name, lines } of scan(language, text)) {
    counted.total += 1;
    const isIndexed = lines.some((line) =>
      indexedLines.get(name)?.some((other) => Math.abs(other - line) <= LINES_APART),
    );
    if (!isIndexed) counted.lost.push(`${path}:${lines[0]} ${name}`);
  }
}

/** A declaration that a text shows without a parser, and the lines with its name. */
interface Declaration {
  name: string;
  lines: number[];
  /** Not one that is a prototype only. */
  isDefined: boolean;
}

/**
 * Lists the declarations in a text. Where overloads are one symbol, declarations of one name in one block are one: signatures,
 * a property and its setter, a prototype and its function, the same function for several systems.
 */
function scan({ name: language, parser }: FileLanguage, text: string): Declaration[] {
  const bare = withoutCommentsAndStrings(language, text);
  const code = language === 'C' || language === 'C++' ? bare.replaceAll(MACRO, blank) : bare;
  const blocks = blocksOf(code);
  const hasOverloads = parser !== undefined && languageOf(parser).hasOverloads === true;
  const declarations = new Map<string, Declaration>();
  for (const declaration of SCANS[language] ?? [])
    for (const { groups, indices } of code.matchAll(declaration)) {
      const name = groups?.['name'] ?? '';
      const [at] = indices?.groups?.['name'] ?? [0];
      const line = code.slice(0, at).split('\n').length;
      const key = `${name}#${hasOverloads ? `line ${line}` : blocks[line - 1]}`;
      const earlier = declarations.get(key);
      const isDefined = groups?.['end'] !== ';';
      if (earlier === undefined) declarations.set(key, { name, lines: [line], isDefined });
      else {
        earlier.lines.push(line);
        earlier.isDefined ||= isDefined;
      }
    }
  return [...declarations.values()].filter((declaration) => declaration.isDefined);
}

/** For each line the last one before it that is indented less: lines of one block have the same. */
function blocksOf(code: string): number[] {
  const around: { line: number; depth: number }[] = [];
  return code.split('\n').map((text, line) => {
    const depth = text.length - text.trimStart().length;
    // Directives and labels stand at the start of a line, whatever is around them.
    if (text.trim() === '' || /^\s*#|^\s*\w+:\s*$/.test(text)) return around.at(-1)?.line ?? -1;
    while ((around.at(-1)?.depth ?? -1) >= depth) around.pop();
    const block = around.at(-1)?.line ?? -1;
    around.push({ line, depth });
    return block;
  });
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'dgm');
}

function report(title: string, tallies: ReadonlyMap<string, Tally>, shown = Number(values.show)): void {
  console.log(`## ${title}`);
  for (const [language, { total, lost }] of tallies) {
    if (total === 0) continue;
    console.log(`${language}: ${lost.length} of ${total} lost, ${((100 * lost.length) / total).toFixed(2)} %`);
    for (const line of lost.slice(0, shown)) console.log(`  ${line}`);
  }
}
