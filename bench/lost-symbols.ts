import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openObjects } from '../src/platform/git/git-objects.ts';
import { languageOfPath } from '../src/languages/languages.ts';
import { indexOf } from './oracles/our-index.ts';
import { type Source, sourceAt } from './source.ts';

const USAGE = `node bench/lost-symbols.ts [--show <count>] <git repository> ...

Tells by language which share of the functions and types that a plain scan of the text finds the index lacks. The scan
looks for declarations by keyword, at the start of a line, in text without comments and strings, so it is a lower bound:
Java, C# and C have only their types looked for, whose functions no keyword announces.`;

const TYPES_OF_C =
  /^(?:[ \t]*template[ \t]*<[^;{]*>\s*)?[ \t]*(?:class|struct|enum(?:[ \t]+class)?)[ \t]+(?<name>[A-Za-z_]\w*)(?=[ \t\n]*[:{])/gm;

/** What comes before the name of a declaration, by language. */
const SCANS: Record<string, RegExp> = {
  Kotlin:
    /^[ \t]*(?:(?:public|private|internal|protected|open|override|abstract|final|suspend|inline|operator|infix|tailrec|sealed|data|enum|annotation|value|inner|actual|expect|fun)[ \t]+)*(?:class|interface|object|fun(?:[ \t]+<[^>\n]*>)?)[ \t]+(?:[\w<>?, *]+\.)?(?<name>[A-Za-z_]\w*)(?=[ \t]*[(<:{\n])/gm,
  Java: /^[ \t]*(?:(?:public|private|protected|static|final|abstract|sealed|strictfp)[ \t]+)*(?:class|interface|enum|record)[ \t]+(?<name>\w+)/gm,
  'C#': /^[ \t]*(?:(?:public|private|protected|internal|static|sealed|abstract|partial|readonly|ref|unsafe)[ \t]+)*(?:class|interface|enum|struct|record)[ \t]+(?<name>\w+)/gm,
  Go: /^(?:func(?:[ \t]*\([^()\n]*\))?[ \t]+|type[ \t]+)(?<name>[A-Za-z]\w*)/gm,
  Python: /^(?:[ \t]{4})?(?:class|(?:async[ \t]+)?def)[ \t]+(?<name>\w+)/gm,
  TypeScript:
    /^(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:class|interface|enum|(?:async[ \t]+)?function\*?)[ \t]+(?<name>[A-Za-z_$][\w$]*)/gm,
  Rust: /^(?:[ \t]{4})?(?:pub(?:\([^)]*\))?[ \t]+)?(?:(?:const|async|unsafe)[ \t]+)*(?:fn|struct|enum|trait)[ \t]+(?<name>\w+)/gm,
  Swift:
    /^[ \t]*(?:@\w+[ \t]+)*(?:(?:public|private|internal|fileprivate|open|final|static|override|mutating|indirect|nonisolated|required)[ \t]+)*(?:class|struct|enum|protocol|actor|func)[ \t]+(?!func\b|var\b|let\b)(?<name>[A-Za-z_]\w*)/gm,
  Scala:
    /^[ \t]*(?:(?:private|protected|final|implicit|override|abstract|sealed|lazy|case|inline)(?:\[\w+\])?[ \t]+)*(?:class|object|trait|def)[ \t]+(?<name>[A-Za-z_]\w*)/gm,
  PHP: /^[ \t]*(?:(?:public|private|protected|static|final|abstract|readonly)[ \t]+)*(?:class|interface|trait|enum|function)[ \t]+&?(?<name>[A-Za-z_]\w*)/gm,
  Ruby: /^[ \t]*(?:class|module|def)[ \t]+(?:self\.|[A-Z]\w*::)?(?<name>[A-Za-z_]\w*)/gm,
  C: TYPES_OF_C,
  'C++': TYPES_OF_C,
};
/** Comments and strings: of languages whose comments begin with a hash, and of the others. */
const HASH = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|^=begin[\s\S]*?^=end/gm;
const SLASH =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"""[\s\S]*?"""|`[^`]*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'|r#+"[\s\S]*?"#+/g;
const HASHES = new Set(['Python', 'Ruby']);
/** A scan may see the name on another line than the index: behind a line break. */
const LINES_APART = 2;

const blank = (token: string): string => token.replaceAll(/[^\n]/g, ' ');

interface Tally {
  found: number;
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
for (const path of positionals) await run(sourceAt(path));

async function run(source: Source): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-lost-'));
  try {
    const { symbols } = await indexOf(source, folder, false);
    const lines = new Map<string, number[]>();
    for (const { path, qualified, line } of symbols) {
      const key = `${path}#${qualified.slice(qualified.lastIndexOf('/') + 1)}`;
      lines.set(key, [...(lines.get(key) ?? []), line]);
    }
    const isKnown = (path: string, name: string, line: number): boolean =>
      lines.get(`${path}#${name}`)?.some((known) => Math.abs(known - line) <= LINES_APART) === true;
    report(source, await scanAll(source, isKnown));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function scanAll(
  { gitDir, commit }: Source,
  isKnown: (path: string, name: string, line: number) => boolean,
): Promise<Map<string, Tally>> {
  await using objects = await openObjects(gitDir);
  const { files } = await objects.listTree(commit);
  const read = files.filter(({ path, sizeBytes }) => sizeBytes > 0 && languageOfPath(path).name in SCANS);
  const tallies = new Map<string, Tally>();
  const contents = objects.readBlobs(read.map(({ blob }) => blob));
  for (const { path } of read) {
    const next = await contents.next();
    if (next.done === true || next.value.bytes === undefined) continue;
    const language = languageOfPath(path).name;
    const tally = tallies.get(language) ?? { found: 0, lost: [] };
    tallies.set(language, tally);
    for (const { name, line } of scan(language, new TextDecoder().decode(next.value.bytes))) {
      tally.found += 1;
      if (!isKnown(path, name, line)) tally.lost.push(`${path}:${line} ${name}`);
    }
  }
  return tallies;
}

/** Declarations that a text shows without a parser. */
function* scan(language: string, text: string): Generator<{ name: string; line: number }> {
  const code = text.replaceAll(HASHES.has(language) ? HASH : SLASH, blank);
  const pattern = SCANS[language];
  if (pattern === undefined) return;
  for (const match of code.matchAll(pattern)) {
    const name = match.groups?.['name'] ?? '';
    const at = match.index + match[0].lastIndexOf(name);
    yield { name, line: code.slice(0, at).split('\n').length };
  }
}

function report({ name, commit }: Source, tallies: ReadonlyMap<string, Tally>): void {
  console.log(`## ${name} ${commit.slice(0, 12)}`);
  for (const [language, { found, lost }] of tallies) {
    console.log(`${language}: ${lost.length} of ${found} lost, ${((100 * lost.length) / found).toFixed(2)} %`);
    for (const one of lost.slice(0, Number(values.show))) console.log(`  ${one}`);
  }
}
