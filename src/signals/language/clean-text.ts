import { withoutAddressees } from '../../text/addressees.ts';

/** Of a text that is read: what comes later is details. */
const READ_CHARACTERS = 4_000;
const OWN_CHARACTERS = 1_200;

/** Texts with so many lines may follow a form; of shorter ones a line that many say is what many say. */
const FORM_LINES = 3;
/** A line belongs to a form when so many texts have it, and this share of those with several lines. */
const FORM_TEXTS = 3;
const FORM_SHARE = 0.03;
/** Text before a colon, which is the name of a field when it is as short as this. */
const FIELD_NAME = /^[\p{L}\p{N} /()#&?'-]{2,40}:(?=\s|$)/u;
/** Answers to a field that say nothing but a version, a system or a name. */
const SHORT_ANSWER_WORDS = 3;

const BLOCKS = [
  /<!--[\s\S]*?(?:-->|$)/g,
  /^ {0,3}(```+|~~~+)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm,
  /<(script|style|pre|summary)\b[\s\S]*?<\/\1>/gi,
  /!\[[^\]]*\]\([^)]*\)/g,
] as const;
/** From here on it is an earlier message, or who sends it. */
const EARLIER =
  /^(?:-{2,}\s*$|_{8,}\s*$|-{3,}\s*\p{Lu}.*-{3,}\s*$|(?:On|Am|Le|El)\b.{6,120}\b(?:wrote|schrieb|écrit|escribió)\b.{0,80}:\s*$)/mu;
/** Lines of quotes, tables, rules, stack traces and logs. */
const MACHINE_LINE =
  /^\s*(?:>|\|.*\||[-=*_#]{3,}\s*$|at\s+[\w.$<>]+.*(?:\(|:\d+)|File ".*", line \d+|(?:Caused by|Traceback)\b|(?:[\w$]+\.){2,}[\w$]+(?:Exception|Error)?\b[:(]|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d)/;
const MARKUP = [
  [/\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/<[^>\n]{1,200}>/g, ' '],
  [/^\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s*)?|\d+[.)]\s+)/, ''],
  [/\*\*|__|`/g, ''],
] as const;
/** Addresses, numbers of versions, and ids: words with digits inside, or long ones of hexadecimal digits. */
const DATA =
  /\b(?:https?|ftp|file):\/\/\S+|\bwww\.\S+|\S+@\S+\.\p{L}{2,}|\bv?\d+(?:\.\d+)+\S*|\b(?=\w*\d)(?=\w*\p{L})[\w-]{6,}\b|\b[0-9a-f]{8,}\b/giu;

/** The lines of all texts that belong to forms: headings, questions and names of fields that many texts share. */
export function formLines(texts: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  let several = 0;
  for (const text of texts) {
    const lines = linesOf(text);
    if (lines.length < FORM_LINES) continue;
    several += 1;
    const keys = new Set(lines.slice(1).flatMap((line) => [keyOf(line), keyOf(fieldOf(line))]));
    for (const key of keys) if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(FORM_TEXTS, FORM_SHARE * several);
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}

/**
 * Returns the words of the person who wrote a message, without the parts that forms, machines and earlier messages put there;
 * `forms` are the lines that belong to forms. Empty when nothing remains.
 */
export function ownTextOf(text: string, forms: ReadonlySet<string>): string {
  const [first = '', ...others] = linesOf(text);
  const own = others.map((line) => withoutForm(line, forms)).filter((line) => line !== '');
  return [first, ...own].join('\n').slice(0, OWN_CHARACTERS);
}

function withoutForm(line: string, forms: ReadonlySet<string>): string {
  if (forms.has(keyOf(line))) return '';
  const field = fieldOf(line);
  if (field === '' || !forms.has(keyOf(field))) return line;
  const answer = line.slice(field.length).trim();
  return answer.split(/\s+/).length <= SHORT_ANSWER_WORDS ? '' : answer;
}

/** Lines with words in them, without markup and data. */
function linesOf(text: string): string[] {
  let whole = withoutAddressees(text.slice(0, READ_CHARACTERS)).replaceAll('\r\n', '\n');
  for (const block of BLOCKS) whole = whole.replace(block, '\n');
  const earlier = whole.search(EARLIER);
  // A message that begins like this is one all the same.
  if (earlier > 0 && /\p{L}/u.test(whole.slice(0, earlier))) whole = whole.slice(0, earlier);
  return whole
    .split('\n')
    .filter((line) => !MACHINE_LINE.test(line))
    .map((line) => {
      const plain = MARKUP.reduce((rest, [pattern, by]) => rest.replace(pattern, by), line);
      return plain.replace(DATA, ' ').replace(/\s+/g, ' ').trim();
    })
    .filter((line) => /\p{L}{2}/u.test(line) && !isCode(line));
}

/** More signs than words. */
function isCode(line: string): boolean {
  const signs = line.replace(/[\p{L}\p{N}\s.,!?'"’:()/-]/gu, '').length;
  return signs > 3 && signs > line.length / 8;
}

function fieldOf(line: string): string {
  return FIELD_NAME.exec(line)?.[0] ?? '';
}

function keyOf(line: string): string {
  return line
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}
