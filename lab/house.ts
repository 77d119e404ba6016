/**
 * Prints how large the house is: lines and files by part, small and long files, words of documentation; then how many files make
 * each concept, which should be one, and which (`--files`).
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONCEPTS, findCopiedShapes, findMakers } from './concepts.ts';

const ROOT = join(import.meta.dirname, '..');
const SMALL_LINES = 30;
const LONG_LINES = 320;
const IS_TEST = /\.test\.tsx?$|^src\/testing\//;
/** Pages that `scripts/reference.ts` writes from the declarations. */
const GENERATED = /^docs\/(?:clients\/.*|(?:tools|commands|settings|errors|rest)\.md)$/;
/** Pages with a number of their own, and plans, which the service reads as data. */
const COUNTED_APART = /^docs\/(?:decisions|plans)\//;
/** A word has a letter or a digit; the bars and rules of tables are none. */
const WORD = /\S*[\p{L}\p{N}]\S*/gu;
/** The part of a page that `scripts/reference.ts` writes. */
const GENERATED_PART = /<!-- generated -->.*<!-- \/generated -->/s;

interface SourceFile {
  path: string;
  lines: number;
}

function filesOf(pattern: string): SourceFile[] {
  return globSync(pattern, { cwd: ROOT })
    .toSorted()
    .map((path) => ({ path, lines: readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1 }));
}

const linesOf = (files: readonly SourceFile[]): number => files.reduce((sum, { lines }) => sum + lines, 0);

function wordsOf(pattern: string, isCounted: (path: string) => boolean = () => true): number {
  const texts = globSync(pattern, { cwd: ROOT }).filter(isCounted);
  return texts.reduce(
    (sum, path) => sum + (readFileSync(join(ROOT, path), 'utf8').replace(GENERATED_PART, '').match(WORD)?.length ?? 0),
    0,
  );
}

const source = filesOf('src/**/*.ts');
const product = source.filter(({ path }) => !IS_TEST.test(path));
const tests = [...source.filter(({ path }) => IS_TEST.test(path)), ...filesOf('test/**/*.ts')];
const web = filesOf('web/**/*.{ts,tsx}').filter(({ path }) => !IS_TEST.test(path));
const lab = filesOf('lab/**/*.ts').filter(({ path }) => !IS_TEST.test(path));

console.table({
  'lines of src without tests': linesOf(product),
  'lines of web without tests': linesOf(web),
  'lines of lab': linesOf(lab),
  'lines of tests': linesOf(tests),
  'files in src without tests': product.length,
  [`of them under ${SMALL_LINES} lines`]: product.filter(({ lines }) => lines < SMALL_LINES).length,
  [`of them over ${LONG_LINES} lines`]: product.filter(({ lines }) => lines > LONG_LINES).length,
  'words of README and docs by hand':
    wordsOf('{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md') +
    wordsOf('docs/**/*.md', (path) => !GENERATED.test(path) && !COUNTED_APART.test(path)),
  'words of decisions': wordsOf('docs/decisions/*.md'),
  'words of generated reference': wordsOf('docs/**/*.md', (path) => GENERATED.test(path)),
});

/** Files that the recipe of an action names. */
function filesOfNewAction(): number {
  const [, recipe = ''] =
    /\*\*A tool action\.\*\*(.*?)A new tool:/s.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')) ?? [];
  return new Set(recipe.match(/`src\/[^`]+\.ts`/g)).size;
}

const makers = [...findMakers()].map(([concept, files]) => ({
  concept,
  files,
  counted: CONCEPTS[concept]?.counted ?? '',
}));
const copied = findCopiedShapes();
console.table([
  // Files, unless it says otherwise.
  ...makers.map(({ concept, files, counted }) => ({ concept, makers: files.length, counted })),
  {
    concept: 'rows',
    makers: copied.length,
    counted: 'objects that copy most fields of a schema of their slice by hand',
  },
  { concept: 'a new tool action', makers: filesOfNewAction(), counted: 'files that its recipe names' },
]);
if (process.argv.includes('--files'))
  for (const { concept, files } of [...makers, { concept: 'rows', files: copied }])
    console.log(`${concept}:\n  ${files.join('\n  ')}`);
