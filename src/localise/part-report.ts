import { isOfTrace } from './read-frames.ts';
import { wordsOf } from '../text/words.ts';

/** Prose that people write in a report, and the code that they quote. */
interface ReportParts {
  prose: string;
  code: string;
}

const FENCE = /^\s*(?:```|~~~)/;
const INDENTED = /^(?: {4}|\t)/;
/** `## Steps`, `**Steps**`, `**Steps:**` */
const HEADING = /^(?:#{1,6}\s+\S.*|\*\*[^*]+\*\*:?)\s*$/;
/** A box of a template, ticked or not. */
const CHECKBOX = /^\s*[-*+]\s+\[[ xX]\]/;
/** `_No response_`: an answer that is only emphasised is the template's own. */
const PLACEHOLDER = /^\s*(?:_[^_]+_|\*[^*]+\*)\s*$/;
/** `OS: Linux`, `- **Node**: v20`: a key of few words and a short value. */
const ENTRY = /^\s*(?:[-*+]\s+)?[*_`]*[\p{L}\d][\p{L}\d ./()_-]{1,40}[*_`]*\s*[:=][*_`]*\s+\S.{0,60}$/u;
/** Fewer entries in a row may be sentences. */
const LEAST_ENTRIES = 3;
/** Lines that are no words of anybody: rules, banners, versions of packages, progress of a run. */
const NO_WORDS =
  /^\s*(?:[-=_*#~.]{4,}.*|[\w.@/[\]-]+(?: {2,}|==|@| v?)v?\d+(?:\.[\w+-]+)+(?: .*)?|.*\[ *\d+%\]|-{2,}>? ?\d+ .*|\s*\d+ {2,}.*)$/;
/** A line of a log begins with a time. */
const LOGGED = /^\s*\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d/;
/** Fewer words of people than this say too little: then the code speaks for itself. */
const LEAST_PROSE = 4;
/** An answer of fewer words is a version or the name of a system, unless it has code. */
const LEAST_ANSWER = 3;

/** A part of a report under one heading. */
interface Section {
  heading: string | undefined;
  prose: string[];
  code: string[];
}

/**
 * Parts a report into prose and code by its structure, and leaves out what a template, a tool or a log put there: traces,
 * versions, boxes, headings without an answer, and lists of keys with values.
 */
export function partReport(text: string): ReportParts {
  const sections = readSections(text).filter((section, at) => at === 0 || isAnswered(section));
  const prose = sections.flatMap(({ heading, prose: lines }) => [
    ...(heading === undefined ? [] : [heading]),
    ...withoutEntries(lines),
  ]);
  const code = sections.flatMap(({ code: lines }) => lines);
  const isEnough = countWords(prose) >= LEAST_PROSE;
  return isEnough
    ? { prose: prose.join('\n'), code: code.join('\n') }
    : { prose: [...prose, ...code].join('\n'), code: '' };
}

/** The first section is what stands before the second heading, so that the title is in it. */
function readSections(text: string): Section[] {
  let section: Section = { heading: undefined, prose: [], code: [] };
  const sections = [section];
  let isFenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isFenced = !isFenced;
    else if (!isFenced && HEADING.test(line)) sections.push((section = { heading: line, prose: [], code: [] }));
    else if (!isOfTrace(line) && !NO_WORDS.test(line) && !LOGGED.test(line))
      (isFenced || INDENTED.test(line) ? section.code : section.prose).push(line);
  }
  const [first, ...others] = sections;
  if (first === undefined || first.prose.some((line) => line.trim() !== '') || others.length === 0) return sections;
  return others;
}

function isAnswered({ prose, code }: Section): boolean {
  const answer = prose.filter((line) => !CHECKBOX.test(line) && !PLACEHOLDER.test(line));
  return code.some((line) => line.trim() !== '') || countWords(answer) >= LEAST_ANSWER;
}

/** Without boxes, and without three and more keys with values in a row. */
function withoutEntries(lines: readonly string[]): string[] {
  const written = lines.filter((line) => !CHECKBOX.test(line) && !PLACEHOLDER.test(line));
  const isListed = written.map((line) => ENTRY.test(line));
  return written.filter((_, at) => {
    if (isListed[at] !== true) return true;
    const from = isListed.lastIndexOf(false, at);
    const to = isListed.indexOf(false, at);
    return (to === -1 ? written.length : to) - from - 1 < LEAST_ENTRIES;
  });
}

function countWords(lines: readonly string[]): number {
  return wordsOf(lines.join(' '), 'letters').filter((word) => word.length > 1).length;
}
