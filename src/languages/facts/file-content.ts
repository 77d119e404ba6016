import { counted } from '../../kernel/counted.ts';

/** Content of a text file: data and prose are no part of a program, whatever language they are written in. */
export type FileContent = 'code' | 'data' | 'prose';

/** File that is counted by its content. */
interface ContentFile {
  content: FileContent;
  generated: boolean;
}

/** File that is counted by its language. */
export interface LanguageFile extends ContentFile {
  language: string;
  sizeBytes: number;
}

/** Numbers of files that a list of code does not rank, by reason. */
export interface OmittedFiles {
  data: number;
  generated: number;
  prose: number;
}

/** Lines below which it makes no difference whether a file is code or data: it leads no list. */
const LEAST_LINES = 20;
/**
 * From this share of literal lines on, a file with few functions is data. In seven repositories with translations, fixtures and
 * providers of sample data (1,900 files of at least 20 lines) modules of data are above it, and code is below 0.7, but for tests
 * with inline snapshots, whose functions tell them apart.
 */
const LEAST_LITERAL_SHARE = 0.8;
/** Literal lines for each function that a file of data may have: accessors of what it holds. */
const LITERAL_LINES_OF_A_FUNCTION = 100;

/** Reports whether a file of a programming language holds data: nearly all of its lines are literals and entries of collections. */
export function isDataFile({
  literalLines,
  codeLines,
  functions,
}: {
  literalLines: number;
  codeLines: number;
  functions: number;
}): boolean {
  const lines = literalLines + codeLines;
  return (
    lines >= LEAST_LINES &&
    literalLines >= lines * LEAST_LITERAL_SHARE &&
    literalLines >= functions * LITERAL_LINES_OF_A_FUNCTION
  );
}

/** Counts the files that no list of code ranks, each by one reason. */
export function countOmitted(files: Iterable<ContentFile>): OmittedFiles {
  const omitted: OmittedFiles = { data: 0, generated: 0, prose: 0 };
  for (const { content, generated } of files) {
    if (generated) omitted.generated += 1;
    else if (content !== 'code') omitted[content] += 1;
  }
  return omitted;
}

/** Describes the omitted files in words: `14 data files, 3 generated files`; '' for none. */
export function describeOmitted({ data, generated, prose }: Partial<OmittedFiles>): string {
  const parts = [
    [data, 'data file'],
    [generated, 'generated file'],
    [prose, 'document'],
  ] as const;
  return parts.flatMap(([count = 0, name]) => (count === 0 ? [] : [counted(count, name)])).join(', ');
}

/**
 * Share of each language in the bytes of the code, largest first, those with equal shares by name: of files whose language is
 * known, and that are neither generated nor data nor prose.
 */
export function languageShares(files: Iterable<LanguageFile>): Record<string, number> {
  const bytes = new Map<string, number>();
  let total = 0;
  for (const { language, sizeBytes, content, generated } of files) {
    if (language === '' || generated || content !== 'code' || sizeBytes === 0) continue;
    bytes.set(language, (bytes.get(language) ?? 0) + sizeBytes);
    total += sizeBytes;
  }
  const sorted = [...bytes].toSorted(
    ([name, size], [otherName, otherSize]) => otherSize - size || (name < otherName ? -1 : 1),
  );
  return Object.fromEntries(sorted.map(([name, size]) => [name, size / total]));
}
