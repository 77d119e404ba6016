import { ABBREVIATED } from '../../kernel/abbreviations.ts';

/** `Class/method` as people write it: `Class.method`; a file by its path. */
export function displayName({ symbol, path }: { symbol: string; path: string }): string {
  return symbol === '' ? path : symbol.replace(/\([^)]*\)$/, '').replaceAll('/', '.');
}

/** Verbs that documentation begins with, in the form in which it commands. */
const VERBS = new Set(
  (
    'add apply assert attach bind build call cancel check clean clear close collect compare compile compute configure connect ' +
    'construct consume convert copy count create decode define delete determine disable dispatch display emit enable encode ' +
    'ensure evaluate execute expand export extract fetch fill filter find flush format generate get give handle hold ignore ' +
    'implement import indicate initialize insert install invoke iterate join keep list load locate log look make mark match ' +
    'merge modify move normalize notify open output parse perform prepare print process produce provide push put query raise read ' +
    'record register release reload remove render replace report represent request reset resolve restore retrieve return rewrite ' +
    'run save schedule scan search select send serialize serve set show sign skip sort split start stop store strip switch take ' +
    'tell terminate test track transform translate trigger try turn unregister update use validate verify visit wait walk wrap write yield'
  ).split(' '),
);
/** Verbs that are as often nouns, and what follows such a noun where it begins a sentence: `exceeds` of `Request line exceeds …`. */
const NOUNS = new Set(
  'call check display export filter import match output process query record release report request result save search set start stop test track update visit'.split(
    ' ',
  ),
);
const HAS_VERB =
  /^\s+(?!(?:a|an|the|this|its|every|each|all|any|for|from|to|of)\b)\w+\s+(?:is|are|was|has|can|will|must|should|exceeds|fails|contains|returns|does|needs|requires)\b/;
const LONGEST = 180;

/**
 * What the first sentence of documentation says of its symbol, to follow its name: `returns the open session`, `is a signed
 * cookie`. Undefined for a sentence of another form, which can only be quoted, and for none. `name` is what the symbol is called.
 */
export function saysOf(doc: string, name = ''): string | undefined {
  const sentence = firstSentence(doc);
  const own = name === '' || !sentence.startsWith(`${name} `) ? undefined : sentence.slice(name.length + 1);
  // Documentation of Go begins with the name of what it is about.
  if (own !== undefined)
    return sentence.length <= LONGEST && /^(?:is|are|was|has|can|will|must|[a-z]+s)\b/.test(own) ? own : undefined;
  if (sentence === '' || sentence.length > LONGEST) return undefined;
  const [, first = '', rest = ''] = /^(\p{L}+)([\s\S]*)$/u.exec(sentence) ?? [];
  const word = first.toLowerCase();
  if (/^(?:this|it)$/.test(word)) {
    const said =
      /^\s+(?:(?:function|method|class|module|decorator|function|hook|helper|property|option)\s+)?((?:is|are|was|can|will|must|should|does|has|\w+s)\b[\s\S]*)$/.exec(
        rest,
      );
    return said?.[1];
  }
  if (/^(?:a|an|the)$/.test(word)) return isClause(rest) ? undefined : `is ${word}${rest}`;
  if (/^(?:called|used|invoked|raised|emitted|deprecated)$/.test(word)) return `is ${word}${rest}`;
  // `Request line exceeds the limit` is a sentence of its own.
  if (VERBS.has(word) && NOUNS.has(word) && HAS_VERB.test(rest)) return undefined;
  if (VERBS.has(word)) return `${thirdPerson(word)}${rest}`;
  const isVerb =
    /^\s+(?:a|an|the|this|its|every|each|whether|who|what|how|all|any)\b/.test(rest) &&
    !/^(?:all|any|as|at|both|by|can|could|does|for|from|if|in|like|may|must|of|on|only|or|same|should|when|where|whether|will|with|without|would)$/.test(
      word,
    ) &&
    !/(?:[a-z]{2}ed|[a-z]{3}ing|given|taken|written)$/.test(word);
  if (isVerb && word.length > 2) return `${/[^s]s$/.test(word) ? word : thirdPerson(word)}${rest}`;
  const base = word.endsWith('s') ? [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`] : [];
  return base.some((form) => VERBS.has(form)) ? `${word}${rest}` : undefined;
}

/** Whether a text that began as a name goes on as a sentence of its own: `flask object implements …`. */
function isClause(rest: string): boolean {
  const [head = ''] = rest.split(/\b(?:that|which|who|whose|where|when|to|for|of|by|with|used|if)\b|[,:;(]/);
  return /\b(?:is|are|was|has|have|can|will|must|should|implements|represents|contains|returns|does|may)\b/.test(head);
}

/** Documentation that stands elsewhere, is still to be written, or says what the kind of its symbol says. */
const SAYS_NOTHING = /^\s*(?:\{@inheritDoc\}|@inheritdoc\b|TODO\b[^\n]*|Default constructor\.?\s*$)/i;

const SENTENCE_END = new RegExp(String.raw`(?<=\p{L}{2}|[)\x60'"])(?<!${ABBREVIATED})[.!](?:\s|$)`, 'u');

/** The first sentence of documentation on one line, without its full stop and markup of references. */
export function firstSentence(doc: string): string {
  const line = doc
    // The line break behind the quotation marks of Python.
    .replace(/^\s*\\\s*\n/, '')
    .replace(/^\s*@see\s+\S+\s*/, '')
    // Tags that describe parameters are no sentence about the symbol.
    .replace(/^\s*(?:@(?:param|returns?|throws|type|arg)\b|:(?:param|returns?|raises|type)\b)[\s\S]*/, '')
    .replace(SAYS_NOTHING, '')
    .split(/\n\s*\n/)[0]
    ?.replaceAll(/\s+/g, ' ')
    .replaceAll(/:[a-z:]+:`~?([^`<]+?)(?:\s*<[^>]*>)?`/g, '`$1`')
    .replaceAll(/``([^`]+)``/g, '`$1`')
    .replaceAll(/\{@(?:link|code) ([^}]+)\}/g, '`$1`')
    .trim();
  const [first = ''] = (line ?? '').split(SENTENCE_END);
  return first.replace(/[.:]+$/, '').trim();
}

function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

const LONGEST_SIGNATURE = 90;

/** A signature on one line, without the bracket or colon that opens the body, and short. */
export function shortSignature(signature: string): string {
  const line = signature
    .replaceAll(/\s+/g, ' ')
    .replace(/\s*[{:]$/, '')
    .trim();
  return line.length > LONGEST_SIGNATURE ? `${line.slice(0, LONGEST_SIGNATURE)}…` : line;
}
