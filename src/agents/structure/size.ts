import { counted } from '../../kernel/counted.ts';
import { isTestPath } from '../../languages/languages.ts';
import { findHotspots, findSmells, headOf, readMap } from '../gather/structure.ts';
import { isVendored } from '../gather/vendored.ts';
import { listNames, type Paragraph, type Sentence } from '../prose/prose.ts';
import { sizeSentence, smellSentence } from '../prose/structure.ts';
import { asks } from '../question/kinds.ts';
import type { Inquiry } from './inquiry.ts';

const SIZES = ['god_class', 'complexity', 'large_file', 'long_function', 'duplicate'];
/** What a question about size asks for, where it says so. */
const SIZES_ASKED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bduplicat/i, ['duplicate']],
  [/\bcompl(?:ex|icated)/i, ['complexity']],
  [/\b(?:god|class(?:es)?)\b/i, ['god_class']],
  [/\blong\w*\b.*\b(?:function|method)s?\b|\b(?:function|method)s?\b.*\blong/i, ['long_function']],
  [/^(?!.*\b(?:long|complex|complicated)).*\b(?:function|method)s?\b/i, ['long_function', 'complexity']],
  [/\b(?:files?|modules?)\b/i, ['large_file']],
];
/** Which file is the biggest: there is always one, whatever is too large. */
const BIGGEST = /\b(?:biggest|largest|longest|most (?:complex|complicated)|(?:big|large)\w* and)\b[^?]*\bfiles?\b/i;
const COMPLEX = /\bcompl(?:ex|icated)/i;
const LARGE = /\b(?:big|large|long)\w*|\bmost (?:of the )?(?:code|lines)\b/i;
/** Files that are looked through for the largest. */
const MOST_FILES = 100;
const EVER = '100y';

/** What is large or complex: the files that are most so where a question asks for files, else what is beyond a threshold. */
export async function tellSize(inquiry: Inquiry): Promise<Paragraph[]> {
  const {
    tools,
    question,
    cite,
    most,
    scope,
    absent,
    notes,
    named: [place],
  } = inquiry;
  const biggest = BIGGEST.test(question.words)
    ? await tellBiggest(inquiry)
    : asks('ofPackages', question.words) && LARGE.test(question.words)
      ? await tellBiggestPackages(inquiry)
      : [];
  if (biggest.length > 0) return biggest;
  const asked = SIZES_ASKED.flatMap(([words, kinds]) => (words.test(question.words) ? kinds : []));
  const kinds = asked.length === 0 ? SIZES : [...new Set(asked)];
  const path = place?.path ?? scope?.path;
  const { repo, rows: all } = await findSmells(tools, kinds, MOST_FILES, path);
  const own = all.filter((row) => !isVendored(row.path));
  const rows = own.slice(0, most);
  noteVendored(notes, all.length - own.length);
  if (rows.length === 0)
    absent.push(
      `Nothing in ${place?.path ?? scope?.name ?? 'the repository'} is above the threshold of ${listNames(
        kinds.map((kind) => kind.replaceAll('_', ' ')),
        kinds.length,
      )}.`,
    );
  const sentences = await Promise.all(
    rows.map(async (row) => smellSentence(cite, row, await headOf(tools, repo, row.path, row.line))),
  );
  return [{ sentences: sentences.filter(({ sources }) => sources.length > 0), isList: true }];
}

/** Says how many files of others, or of a program, were left out of a list. */
export function noteVendored(notes: string[], count: number): void {
  if (count > 0) notes.push(`left out: ${counted(count, 'row')} of files that are copies of others or are generated`);
}

interface SizedFile {
  path: string;
  lines: number;
  complexity: number;
}

/** The files with most lines and with most complexity, of those outside of tests. */
async function tellBiggest(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, most, scope, notes } = inquiry;
  const { repo, rows: all } = await findHotspots(tools, { path: scope?.path, since: EVER, limit: MOST_FILES });
  const own = all.filter(({ path }) => !isVendored(path) && !isTestPath(path));
  noteVendored(notes, all.filter(({ path }) => isVendored(path)).length);
  const byLines = own.toSorted((a, b) => b.lines - a.lines);
  const byComplexity = own.toSorted((a, b) => b.complexity - a.complexity);
  const [isLarge, isComplex] = [LARGE.test(question.words), COMPLEX.test(question.words)];
  const tell = async (file: SizedFile, most_: string): Promise<Sentence[]> => {
    const head = await headOf(tools, repo, file.path, 1);
    return head === undefined ? [] : [sizeSentence(cite, file, most_, head)];
  };
  const [largest] = byLines;
  const [hardest] = byComplexity;
  if (largest === undefined || hardest === undefined) return [];
  inquiry.answer = isLarge ? largest.path : hardest.path;
  notes.push('lines are counted with comments and blank ones');
  const isBoth = isLarge && isComplex && largest === hardest;
  const lead = isBoth
    ? await tell(largest, 'both the biggest and the most complex file')
    : [
        ...(isLarge ? await tell(largest, 'the biggest file') : []),
        ...(isComplex ? await tell(hardest, 'the most complex file') : []),
      ];
  const next = (isComplex ? byComplexity : byLines).filter((file) => file !== largest && file !== hardest);
  const rest = await Promise.all(next.slice(0, most - 1).map(async (file) => tell(file, '')));
  return [{ sentences: lead }, { sentences: rest.flat(), isList: true }];
}

/** The packages by their files; none where the repository is one package. */
async function tellBiggestPackages(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, cite, most, notes } = inquiry;
  const { repo, rows } = await readMap(tools);
  const packages = rows
    .filter(({ part, path, package: name }) => part === 'packages' && path !== '.' && name !== undefined)
    .toSorted((a, b) => b.files - a.files);
  const [largest] = packages;
  if (largest === undefined || packages.length < 2) return [];
  inquiry.answer = largest.path;
  notes.push('packages are compared by their files, those of tests included');
  const sentences = await Promise.all(
    packages.slice(0, most).map(async ({ package: name = '', path, files, manifest }): Promise<Sentence> => {
      const head = await headOf(tools, repo, manifest, 1);
      const text = `${name} (${path}) has ${counted(files, 'file')}.`;
      return { text, sources: head === undefined ? [] : [cite.place(head)] };
    }),
  );
  return [{ sentences: sentences.filter(({ sources }) => sources.length > 0), isList: true }];
}
