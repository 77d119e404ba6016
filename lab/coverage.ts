import { parseArgs } from 'node:util';
import { readPastFacts } from '../src/code-index/extract/read-facts.ts';
import { NAME_GRADES } from '../src/code-index/format/shard-input.ts';
import type { ProgramFile } from '../src/code-index/program/program.ts';
import {
  type FileLinks,
  isResolutionConfig,
  type Resolution,
  resolveProgram,
} from '../src/code-index/resolve/resolve.ts';
import { DefinitionKind, type FileFacts } from '../src/languages/facts/facts.ts';
import { lineOf } from '../src/languages/facts/lines.ts';
import {
  groupOf,
  listVisibleGroups,
  languageOf,
  languageOfPath,
  type LanguageGroup,
} from '../src/languages/languages.ts';
import { openObjects } from '../src/platform/git/git-objects.ts';
import { withoutCommentsAndStrings } from './plain-code.ts';
import { sequence } from './sample.ts';
import { sourceAt } from './source.ts';

const USAGE = `node lab/coverage.ts [--names 60] [--seed 1] [--show <count>] <git repository> ...

Prints for each repository how the occurrences of some of its names are accounted for. The names are drawn from those of
its symbols by a seed. Occurrences are words of the code without comments and strings, found without a parser. Each is one of:

  resolved   the declaration of a symbol, or a use that leads to one
  by name    a use that could not be resolved, listed by its name alone
  elsewhere  bound to something that is no symbol of the repository: a local variable, a parameter, a library
  in text    not understood, and reported so by \`usages\`
  silent     in none of these: an occurrence that no answer shows

\`--show\` prints that many of those in text and silent.`;

/** Shorter names are mostly variables of a loop. */
const SHORTEST_NAME = 3;
const MOST_MS = 600_000;
const WORD = /[\p{L}_$@][\p{L}\p{N}_$]*[?!]?/gu;
/** Words of the languages, which members may bear as names. */
const RESERVED = new Set(
  'and as begin break case catch class continue def default delete do else end enum export extends false for from function if import in init is new not null object of open operator or return self static super switch this throw true try type typeof undefined union use var void while with yield'.split(
    ' ',
  ),
);
const SORTS = ['resolved', 'by name', 'elsewhere', 'in text', 'silent'] as const;

type Sort = (typeof SORTS)[number];

interface CodeFile {
  path: string;
  text: string;
  language: string;
  group: LanguageGroup;
}

const { values, positionals } = parseArgs({
  options: {
    names: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.log(USAGE);
  process.exitCode = 1;
} else {
  console.log(`| repository | language | names | occurrences | ${SORTS.join(' | ')} | accounted for |`);
  console.log(`|${'---|'.repeat(SORTS.length + 5)}`);
}
for (const path of positionals) await report(path);

async function report(path: string): Promise<void> {
  const { name, commit } = sourceAt(path);
  const { code, configs } = await readRepository(path);
  const facts = await readPastFacts(code, (read) => read, AbortSignal.timeout(MOST_MS));
  const files = code.map((file, at): ProgramFile => ({ path: file.path, ...(facts[at] && { facts: facts[at] }) }));
  const resolution = await resolveProgram({ files, configs });
  const namesByGroup = drawNames(code, resolution);
  const counts = new Map<Sort, number>(SORTS.map((sort) => [sort, 0]));
  const examples: string[] = [];
  for (const [at, file] of code.entries()) {
    const names = namesByGroup.get(file.group) ?? new Set();
    const sorts = sortPositions(file, facts[at], { links: resolution.uses[at], names });
    for (const [start, sort] of sorts) {
      counts.set(sort, (counts.get(sort) ?? 0) + 1);
      if (sort === 'in text' || sort === 'silent') examples.push(showExample(file, start, sort));
    }
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const missing = (counts.get('in text') ?? 0) + (counts.get('silent') ?? 0);
  const share = total === 0 ? '' : `${((100 * (total - missing)) / total).toFixed(2)} %`;
  const cells = [`${name} ${commit.slice(0, 8)}`, languageShown(code), values.names, total, ...counts.values(), share];
  console.log(`| ${cells.join(' | ')} |`);
  for (const example of examples.slice(0, Number(values.show))) console.log(`  ${example}`);
}

/** The code of a commit, and what says what its modules are. */
async function readRepository(path: string): Promise<{ code: CodeFile[]; configs: Map<string, string> }> {
  const { gitDir, commit } = sourceAt(path);
  await using objects = await openObjects(gitDir);
  const { files } = await objects.listTree(commit);
  const read = files.filter((file) => file.sizeBytes > 0 && (isCode(file.path) || isResolutionConfig(file.path)));
  const contents = objects.readBlobs(read.map(({ blob }) => blob));
  const code: CodeFile[] = [];
  const configs = new Map<string, string>();
  for (const file of read) {
    const next = await contents.next();
    if (next.done === true || next.value.bytes === undefined) continue;
    const text = new TextDecoder().decode(next.value.bytes);
    if (isResolutionConfig(file.path)) configs.set(file.path, text);
    const { name: language, parser } = languageOfPath(file.path);
    const group = groupOf(parser);
    if (isCode(file.path) && group !== undefined) code.push({ path: file.path, text, language, group });
  }
  return { code: code.toSorted((a, b) => (a.path < b.path ? -1 : 1)), configs };
}

function isCode(path: string): boolean {
  const { parser } = languageOfPath(path);
  if (parser === undefined || parser === 'sql') return false;
  const { isProse, isComponent } = languageOf(parser);
  return isProse !== true && isComponent !== true;
}

/** Names of symbols, drawn by the seed, for each family of languages: those that its files may see. */
function drawNames(code: readonly CodeFile[], resolution: Resolution): Map<LanguageGroup, Set<string>> {
  const groupsOfName = new Map<string, Set<LanguageGroup>>();
  for (const [at, { text, group }] of code.entries())
    for (const { name } of resolution.symbols(at, text)) {
      if (name.length < SHORTEST_NAME || RESERVED.has(name)) continue;
      const groups = groupsOfName.get(name) ?? new Set();
      for (const visible of listVisibleGroups(group)) groups.add(visible);
      groupsOfName.set(name, groups);
    }
  const all = [...groupsOfName.keys()].toSorted();
  const next = sequence(Number(values.seed));
  const drawn = new Set<string>();
  while (drawn.size < Math.min(Number(values.names), all.length)) drawn.add(all[Math.floor(next() * all.length)] ?? '');
  const byGroup = new Map<LanguageGroup, Set<string>>();
  for (const name of drawn)
    for (const group of groupsOfName.get(name) ?? []) byGroup.set(group, (byGroup.get(group) ?? new Set()).add(name));
  return byGroup;
}

/** Sorts each occurrence of the names in a file, by its offset, by how it is accounted for. */
function sortPositions(
  file: CodeFile,
  facts: FileFacts | undefined,
  on: { links: FileLinks | undefined; names: ReadonlySet<string> },
): Map<number, Sort> {
  const sorts = new Map<number, Sort>();
  for (const { 0: word, index } of withoutCommentsAndStrings(file.language, file.text).matchAll(WORD)) {
    const name = on.names.has(word) ? word : word.replace(/[?!]$/, '');
    if (on.names.has(name)) sorts.set(index, 'silent');
  }
  if (facts === undefined || on.links === undefined) return sorts;
  const mark = (start: number, sort: Sort): void => {
    for (const at of [start, start + 1]) if (sorts.has(at)) sorts.set(at, sort);
  };
  const { occurrences, nameOnly } = on.links;
  const offset = (line = 1, column = 0): number => (facts.lines[line - 1] ?? 0) + column;
  for (const start of visitedStarts(facts)) mark(start, 'elsewhere');
  for (let row = 0; row < nameOnly.name.length; row += 1)
    mark(
      offset(nameOnly.line[row], nameOnly.column[row]),
      nameOnly.grade[row] === NAME_GRADES.text ? 'in text' : 'by name',
    );
  for (let row = 0; row < occurrences.target.length; row += 1)
    mark(offset(occurrences.line[row], occurrences.column[row]), 'resolved');
  for (let row = 0; row < facts.definitions.count; row += 1)
    if (facts.definitions.kind(row) < DefinitionKind.parameter) mark(facts.definitions.nameStart(row), 'resolved');
  return sorts;
}

/** Offsets of the names in the rows of a file's facts. */
function* visitedStarts({ definitions, references, members, keys }: FileFacts): Generator<number> {
  for (let row = 0; row < definitions.count; row += 1) yield definitions.nameStart(row);
  for (let row = 0; row < references.count; row += 1) yield references.start(row);
  for (let row = 0; row < members.count; row += 1) yield members.start(row);
  for (let row = 0; row < keys.count; row += 1) yield keys.start(row);
}

function showExample({ path, text }: CodeFile, start: number, sort: Sort): string {
  const lines = Int32Array.from([0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]);
  const line = lineOf(lines, start);
  const [word] = /^[\p{L}\p{N}_$@]+/u.exec(text.slice(start)) ?? [''];
  return `${sort}: ${word} ${path}:${line + 1}: ${text.slice(lines[line], text.indexOf('\n', start)).trim().slice(0, 120)}`;
}

/** The language that most of the code is in. */
function languageShown(code: readonly CodeFile[]): string {
  const bytes = new Map<string, number>();
  for (const { language, text } of code) bytes.set(language, (bytes.get(language) ?? 0) + text.length);
  return [...bytes].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}
