import { type Extractors, NotExtracted } from '../../src/languages/extract/extract.ts';
import { isTestPath } from '../../src/kernel/path-kinds.ts';
import { languageOfPath } from '../../src/languages/languages.ts';
import { DefinitionKind, type FileFacts } from '../../src/languages/facts/facts.ts';
import { openObjects } from '../../src/platform/git/git-objects.ts';
import { termsOf } from '../../src/text/terms.ts';

/** A function and what its documentation says of it, without its own name. Lines are 1-based. */
export interface Documented {
  path: string;
  name: string;
  owner: string;
  start: number;
  end: number;
  /** Its source without any documentation. */
  text: string;
  /** The first sentence, and the first two. */
  sentence: string;
  sentences: string;
}

/** A file with its documentation blanked, line for line. */
interface BlankedFile {
  path: string;
  text: string;
  documented: Documented[];
}

const LARGEST_BYTES = 400_000;
const SOURCE = /\.(?:ts|tsx|js|jsx|mjs|cjs|py|go|java|rs)$/;
const FOREIGN = /(?:^|\/)(?:vendor|_vendor|node_modules|third_party|dist|build|generated|gen)\//;
/** Sentences about something other than what the function does. */
const OFF_TOPIC = /https?:|TODO|FIXME|deprecated|see also|copyright|license|inherit/i;
const FUNCTIONS = new Set<number>([DefinitionKind.function, DefinitionKind.method]);

/** The sources of a commit, one after the other. Those that no parser reads are left out. */
export async function* blankedFiles(
  gitDir: string,
  commit: string,
  extractors: Extractors,
): AsyncGenerator<BlankedFile> {
  await using objects = await openObjects(gitDir);
  const { files } = await objects.listTree(commit);
  const present = files.filter(
    ({ path, sizeBytes }) => sizeBytes >= 0 && sizeBytes < LARGEST_BYTES && SOURCE.test(path) && !FOREIGN.test(path),
  );
  const contents = objects.readBlobs(present.map(({ blob }) => blob));
  for (const { path } of present) {
    const next = await contents.next();
    if (next.done === true || next.value.bytes === undefined) continue;
    const file = await blankFile(extractors, path, next.value.bytes.toString());
    if (file !== undefined) yield file;
  }
}

async function blankFile(extractors: Extractors, path: string, text: string): Promise<BlankedFile | undefined> {
  const { parser } = languageOfPath(path);
  if (parser === undefined || parser === 'declaration') return undefined;
  try {
    const facts = await extractors.extract(parser, text);
    const blanked = withoutDocumentation(text, facts, parser === 'python');
    return { path, text: blanked, documented: isTestPath(path) ? [] : documentedIn({ path, text, blanked, facts }) };
  } catch (error) {
    if (error instanceof NotExtracted) return undefined;
    throw error;
  }
}

function documentedIn(file: { path: string; text: string; blanked: string; facts: FileFacts }): Documented[] {
  const { definitions, strings, lines } = file.facts;
  const documented: Documented[] = [];
  for (let row = 0; row < definitions.count; row += 1) {
    if (!FUNCTIONS.has(definitions.kind(row)) || definitions.docStart(row) < 0) continue;
    const name = strings[definitions.name(row)] ?? '';
    const sentences = sentencesOf(file.text.slice(definitions.docStart(row), definitions.docEnd(row))).map((sentence) =>
      withoutName(sentence, name),
    );
    if (sentences[0] === undefined || OFF_TOPIC.test(sentences.join(' '))) continue;
    const owner = definitions.owner(row);
    documented.push({
      path: file.path,
      name,
      owner: owner < 0 ? '' : (strings[definitions.name(owner)] ?? ''),
      start: lineAt(lines, definitions.start(row)),
      end: lineAt(lines, definitions.end(row) - 1),
      text: file.blanked.slice(definitions.start(row), definitions.end(row)),
      sentence: sentences[0],
      sentences: sentences.slice(0, 2).join(' '),
    });
  }
  return documented;
}

/** The sentences of the first paragraph, without the marks of comments and their tags. */
function sentencesOf(documentation: string): string[] {
  const plain = documentation
    .replaceAll(/^[ \t]*(?:\/\*\*?|\*\/?|\/\/[/!]?|#|[rRuUbB]{0,2}(?:"""|'''|"|'))[ \t]?/gm, '')
    .replaceAll(/\*\/|"""|'''/g, '')
    .replaceAll(/<[^>]+>|\{@\w+\s+([^}]*)\}/g, ' $1 ')
    .trim();
  const paragraph = (plain.split(/\n\s*\n|\n\s*@/, 1)[0] ?? '').replaceAll(/\s+/g, ' ');
  return paragraph.split(/(?<=[.!?])\s+(?=[A-Z])/);
}

function withoutName(sentence: string, name: string): string {
  const own = name.replaceAll(/[^\w]/g, '\\$&');
  return sentence
    .replaceAll(new RegExp(`(^|[^\\w])\`?${own}(?:\\(\\))?\`?(?=[^\\w]|$)`, 'g'), '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:the|this) (?:function|method)\s+/i, '');
}

/** Spaces in place of documentation, so that places stay. A Python body keeps an expression. */
function withoutDocumentation(text: string, { definitions }: FileFacts, isPython: boolean): string {
  const units = text.split('');
  for (let row = 0; row < definitions.count; row += 1) {
    const [start, end] = [definitions.docStart(row), definitions.docEnd(row)];
    if (start < 0) continue;
    for (let at = start; at < end; at++) if (units[at] !== '\n') units[at] = ' ';
    if (isPython) units[start] = '0';
  }
  return units.join('');
}

/** The terms of a name or a path in words. */
export function termsOfPath(path: string): string[] {
  return termsOf(path.replace(/\.[A-Za-z]+$/, '').replaceAll('/', ' '));
}

function lineAt(lines: Int32Array, offset: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
