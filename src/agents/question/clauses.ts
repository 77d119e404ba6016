import { isAbbreviation } from '../../kernel/abbreviations.ts';

/** What a word does where a question may begin. */
const ASKING: ReadonlySet<string> = new Set('how what why when where which who whom whose whether'.split(' '));
const LEADING: ReadonlySet<string> = new Set(
  'since in from by for at to until under with on of through about'.split(' '),
);
const AUXILIARY: ReadonlySet<string> = new Set(
  'is are was were has have had do does did can could should would will may might must'.split(' '),
);
/** They join two clauses. */
const JOINING: ReadonlySet<string> = new Set('and or but plus then'.split(' '));
/** What a condition on the answer before says: `and if so, where`. */
const BETWEEN: ReadonlySet<string> = new Set(['so', 'not']);
/** They begin a subject, so that what asks before them is inverted behind an auxiliary, and a clause within another one without. */
const SUBJECT: ReadonlySet<string> = new Set(
  'i we you he she it they one there this that these those the a an any each every some all no nobody anybody anyone anything somebody someone something everybody everything my our your their its'.split(
    ' ',
  ),
);
/** They begin a condition where no auxiliary follows: `When a mail is lost, what happens?` */
const CONDITION: ReadonlySet<string> = new Set(
  'if when where while after before once unless because although given'.split(' '),
);
/** What is asked for without a question: `Explain how …`. */
const TELLING: ReadonlySet<string> = new Set(
  'explain list tell show describe compare find locate name give summarise summarize'.split(' '),
);
/** Behind an auxiliary they go on with its sentence: `and is never sent`. */
const NOT_SUBJECT = /^(?:not|never|only|still|also|then|always|often|be|been|being|\w{2,}ed)$/;

interface Token {
  word: string;
  from: number;
  to: number;
}

const TOKEN =
  /`[^`]*`|[\p{L}\p{N}_$@#](?:[\p{L}\p{N}_$@#'’./:-]*[\p{L}\p{N}_$@#+])?|[,;:?!()]|\.(?=\s|$)|[—–]|\s-\s|\n/gu;
const END = /^[.?!;\n]$/;
const MARK = /^(?:[,:()—–]|\s-\s)$/;

/** A clause of a question that asks something. */
interface AskingClause {
  /** In its words, with what leads to it: a condition or a statement. */
  text: string;
  /** Without that. */
  core: string;
}

/** The clauses of a question that ask something each. */
export function clausesOf(question: string): AskingClause[] {
  const tokens = [...question.matchAll(TOKEN)].map(({ 0: raw, index }) => ({
    word: raw.toLowerCase(),
    from: index,
    to: index + raw.length,
  }));
  const starts = [0];
  for (let at = 1; at < tokens.length; at += 1) {
    const since = starts.at(-1) ?? 0;
    if (begins(tokens, at, since)) starts.push(at);
  }
  const clauses = starts.map((start, index) => ({
    from: start === 0 ? 0 : (tokens[start]?.from ?? 0),
    core: start === 0 ? 0 : (tokens[start]?.from ?? 0),
    to: tokens[starts[index + 1] ?? tokens.length]?.from ?? question.length,
    asks: asksAt(tokens, start, starts[index + 1] ?? tokens.length),
  }));
  return joinLeads(clauses).map(({ from, core, to }) => ({
    text: trimClause(question.slice(from, to)),
    core: trimClause(question.slice(core, to)),
  }));
}

interface Clause {
  from: number;
  core: number;
  to: number;
  asks: boolean;
}

/** A clause that asks nothing belongs to the next one that does; behind the last one, to that. */
function joinLeads(clauses: readonly Clause[]): Clause[] {
  const joined: Clause[] = [];
  let lead: number | undefined;
  for (const clause of clauses) {
    if (!clause.asks) {
      lead ??= clause.from;
      continue;
    }
    joined.push({ ...clause, from: lead ?? clause.from });
    lead = undefined;
  }
  const [last] = joined.slice(-1);
  const end = clauses.at(-1)?.to ?? 0;
  if (last === undefined) return [{ from: 0, core: 0, to: end, asks: false }];
  last.to = end;
  return joined;
}

/** What joins a clause to the one before it is no word of it. */
const JOINT =
  /^(?:[\s,;:()—–-]|(?:and|or|but|so|plus|as well as)\b|(?:then|also)\b(?=\s+(?:how|what|why|when|where|which|who))|if (?:so|not)\b)+/i;

function trimClause(text: string): string {
  const own = text
    .replace(JOINT, '')
    .replace(/[\s,;:(—–-]+(?:(?:and|or|but|plus|as well as)[\s,]*)?$|\s+(?:and|or|but|plus|as well as)[\s,]*$/i, '')
    .trim();
  return own.includes('(') ? own : own.replace(/\)(?=[?.!]*$)/, '');
}

/** Whether a clause asks for something: by what it begins with, or by a word that asks later on in it. */
function asksAt(tokens: readonly Token[], start: number, end: number): boolean {
  const own = tokens.slice(start, end);
  const first = start === 0 ? 0 : skipBetween(tokens, start);
  const isJoined = first > start || JOINING.has(wordAt(tokens, start - 1));
  const [begin, next] = [wordAt(tokens, first), wordAt(tokens, first + 1)];
  if (own.at(-1)?.word === '?' || TELLING.has(begin)) return true;
  const isCondition = CONDITION.has(begin) && !AUXILIARY.has(next) && next !== '' && !END.test(next);
  if (isCondition && !isJoined) return false;
  return AUXILIARY.has(begin) || own.some(({ word }) => ASKING.has(word));
}

/** Whether a clause begins at a word, behind another one that began at `since`. */
function begins(tokens: readonly Token[], at: number, since: number): boolean {
  const before = wordAt(tokens, at - 1);
  if (isEnd(tokens, at - 1)) return !isEnd(tokens, at);
  const isAsWell = before === 'as' && wordAt(tokens, at - 2) === 'well';
  const isJoined = JOINING.has(before) || isAsWell || (before === ',' && JOINING.has(wordAt(tokens, at)));
  if (!isJoined && (!MARK.test(before) || before === ')')) return false;
  const first = skipBetween(tokens, at);
  const isFirm = isJoined || first > at || /^[:(—–]$|-/.test(before);
  return opens(tokens, first, { since, at, isFirm });
}

function isEnd(tokens: readonly Token[], at: number): boolean {
  const own = wordAt(tokens, at);
  return END.test(own) && !(own === '.' && isAbbreviation(wordAt(tokens, at - 1)));
}

/** Behind `and then`, `and if so,`. */
function skipBetween(tokens: readonly Token[], at: number): number {
  let next = at;
  while (JOINING.has(wordAt(tokens, next)) || wordAt(tokens, next) === 'also') next += 1;
  if (wordAt(tokens, next) === ',') next += 1;
  if (wordAt(tokens, next) !== 'if' || !BETWEEN.has(wordAt(tokens, next + 1))) return next;
  next += 2;
  return wordAt(tokens, next) === ',' ? next + 1 : next;
}

function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? '';
}

interface Opening {
  since: number;
  at: number;
  /** Whether a word joins it, or a colon, a bracket or a dash: a comma alone may stand within a clause. */
  isFirm: boolean;
}

function opens(tokens: readonly Token[], first: number, { since, at, isFirm }: Opening): boolean {
  const isLed = LEADING.has(wordAt(tokens, first)) && ASKING.has(wordAt(tokens, first + 1));
  const ask = isLed ? first + 1 : first;
  if (AUXILIARY.has(wordAt(tokens, ask))) return saysMuch(tokens.slice(since, at)) && isInverted(tokens, ask, isFirm);
  if (!ASKING.has(wordAt(tokens, ask))) return false;
  const own = tokens.slice(since, at);
  // `when and why` asks once.
  if (isAskedBefore(tokens, at, since)) return false;
  const inverted = isQuestion(tokens, ask);
  // A question within a sentence goes on: `decides which is sent and when it is dropped`.
  if (countAsking(own) > 1 && !inverted) return false;
  if (isFirm || isLed) return true;
  const same = own.find((token) => ASKING.has(token.word))?.word === wordAt(tokens, ask);
  if (wordAt(tokens, ask) === 'which' || wordAt(tokens, ask) === 'who')
    return (
      same ||
      (wordAt(tokens, ask) === 'who' && since > 0) ||
      (inverted && !AUXILIARY.has(wordAt(tokens, ask + 1))) ||
      wordAt(tokens, ask + 1) === 'of'
    );
  return /^(?:how|what|why)$/.test(wordAt(tokens, ask)) || inverted;
}

/** Whether a clause has more than what it asks by: `since which version` waits for its auxiliary. */
function saysMuch(own: readonly Token[]): boolean {
  return (
    own.filter(
      (token) =>
        !ASKING.has(token.word) && !LEADING.has(token.word) && !MARK.test(token.word) && !JOINING.has(token.word),
    ).length > 1
  );
}

/** `is it`, `do I`, `does the shop`: an auxiliary before what it is said of. */
function isInverted(tokens: readonly Token[], at: number, isFirm: boolean): boolean {
  const next = wordAt(tokens, at + 1);
  if (next === '' || NOT_SUBJECT.test(next) || MARK.test(next) || END.test(next)) return false;
  return SUBJECT.has(next) || isFirm;
}

/** Whether what asks is followed by its auxiliary, at once or behind what it asks of: `which of the files are`, `how long is`. */
function isQuestion(tokens: readonly Token[], at: number): boolean {
  for (let next = at + 1; next <= at + MOST_BETWEEN; next += 1) {
    const own = wordAt(tokens, next);
    if (AUXILIARY.has(own)) return true;
    if (own === '' || END.test(own) || MARK.test(own)) return next === at + 1 || wordAt(tokens, at) === 'which';
    if (SUBJECT.has(own) && !LEADING.has(wordAt(tokens, next - 1))) return false;
  }
  return false;
}

const MOST_BETWEEN = 5;

/** Whether the word before what joins asks, too. */
function isAskedBefore(tokens: readonly Token[], at: number, since: number): boolean {
  let before = at - 1;
  while (before > since && (JOINING.has(wordAt(tokens, before)) || MARK.test(wordAt(tokens, before)))) before -= 1;
  return ASKING.has(wordAt(tokens, before)) && before - since <= 1;
}

/** Words that ask, without relative ones: `the table, which is read`, `the order in which they start`. */
function countAsking(own: readonly Token[]): number {
  const isRelative = (at: number): boolean =>
    own[at]?.word === 'which' && (own[at - 1]?.word === ',' || (at > 1 && LEADING.has(own[at - 1]?.word ?? '')));
  return own.filter(({ word }, at) => ASKING.has(word) && !isRelative(at)).length;
}
