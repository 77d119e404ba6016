/** Code between equal fences of backticks, as Markdown reads it. Groups: the fence, and what stands in it. */
const CODE_SPAN = /(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g;

/** Stands for code while the prose around it is read: characters that no text has, because they are taken out first. */
const [MASK_START, MASK_END] = ['\uE000', '\uE001'];
const MASKS = /[\uE000\uE001]/g;
const MASKED = /\uE000(\d+)\uE001/g;

const REMOVED = '(address removed)';

/** `https://…`, `mailto:…`, `//host/…`, `www.host`, `name@host`, `host.tld/…`: what clients turn into links. */
const ADDRESS = new RegExp(
  [
    String.raw`[a-z][a-z0-9+.-]{0,30}:/{1,3}[^\s<>"'\uE000\uE001)\]]+`,
    String.raw`\b(?:mailto|xmpp|javascript|vbscript|data|tel|sms):[^\s<>"'\uE000\uE001)\]]+`,
    String.raw`(?<![\w:/])//[\w-]+\.[^\s<>"'\uE000\uE001)\]]+`,
    String.raw`www\.[^\s<>"'\uE000\uE001)\]]+`,
    String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
    String.raw`(?<![\w./@-])(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::\d+)?[/?#][^\s<>"'\uE000\uE001)\]]+`,
  ].join('|'),
  'gi',
);
/** In code only what cannot be anything else: `a.b/c` is a path there, and `//` a comment. */
const ADDRESS_IN_CODE = /(?:https?|ftp|file|data|javascript|mailto):[^\s<>"'`)\]]+|www\.[^\s<>"'`)\]]+/gi;
const TRAILING = /[.,;:!?*_~]+$/;

/** `![alt](target "title")` and `[label](target)`; the target may be in angle brackets. */
const LINK =
  /(?<before>[\w)]?)!?\[(?<label>[^[\]]*)\]\(\s*(?<target><[^<>]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/g;
const SILENT_ELEMENT = /<(script|style|iframe|object|svg|template|noscript)\b[^>]*>.*?<\/\1\s*>/gi;
/** A type with its arguments, which only looks like a tag: `List<String>`. */
const GENERIC = /[\w.]+<[\w\s.,?&[\]]+>+/g;
const TAG = /<!--.*?(?:-->|$)|<![a-z[][^>]*>|<\?[^>]*>|<\/?[a-z][^<>]*>/gi;
const CHARACTER_REFERENCE =
  /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(colon|sol|bsol|period|commat|lt|gt|amp|lsqb|lbrack|rsqb|rbrack|lpar|rpar|excl|grave|num|nbsp|zwnj|zwj|Tab|NewLine));/gi;
const NAMED: Readonly<Record<string, string>> = {
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  commat: '@',
  lt: '<',
  gt: '>',
  amp: '&',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lpar: '(',
  rpar: ')',
  excl: '!',
  grave: '`',
  num: '#',
};
/** More rounds than anybody nests, and an end for what is made to nest. */
const MOST_ROUNDS = 8;

/**
 * A sentence of a model as text and nothing else, on one line. Images, links and raw HTML lose their markup, and addresses
 * are removed, unless the address occurs in one of the sources that the sentence cites: then it stays, as text. Whoever
 * wrote a source can make a model say anything, and a client that renders Markdown would load an image, or offer a link,
 * that carries what the model read elsewhere. Code in backticks stays as it is, but for addresses.
 */
export function modelText(text: string, sources: readonly string[]): string {
  const code: string[] = [];
  const line = text.replace(MASKS, '').replace(/\s+/g, ' ');
  // A backslash before a backtick would turn the code that follows into markup for a client.
  const masked = line.replace(/\\+(?=`)/g, '').replaceAll(CODE_SPAN, (span) => {
    code.push(span.replace(ADDRESS_IN_CODE, (address) => cited(address, sources)));
    return `${MASK_START}${code.length - 1}${MASK_END}`;
  });
  const prose = untilStable(masked, (round) => withoutMarkup(round, sources));
  const plain = asPlain(prose.replace(ADDRESS, (address) => cited(address, sources)));
  const whole = plain.replace(MASKED, (_, index: string) => code[Number(index)] ?? '');
  return whole.replaceAll(REMOVED, '').trim() === '' ? '' : whole.trim();
}

function withoutMarkup(text: string, sources: readonly string[]): string {
  return decoded(text)
    .replace(/`/g, '')
    .replace(/\\(?=[!-/:-@[-^{-~])/g, '')
    .replace(LINK, (whole, before: string, label: string, target: string) =>
      before === '' || /[/.:#]/.test(target)
        ? `${before}${linkText(label, target, sources)}`
        : `${before}[${label}] (${target})`,
    )
    .replace(SILENT_ELEMENT, '')
    .replace(GENERIC, (type) => type.replaceAll('<', '‹').replaceAll('>', '›'))
    .replace(/<([a-z][a-z0-9+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/gi, '$1')
    .replace(TAG, '');
}

/** The words of a link, with its address behind them where a cited source has it. */
function linkText(label: string, target: string, sources: readonly string[]): string {
  const address = target.replace(/^<|>$/g, '');
  const isShown = address !== '' && address !== label && sources.some((source) => occurs(address, source));
  return [label.trim(), ...(isShown ? [`(${address})`] : [])].filter((part) => part !== '').join(' ');
}

/** Takes the last means from what a client may still read as markup: an opened tag, a link, a definition, a block. */
function asPlain(text: string): string {
  return text
    .replace(/\\+(?=\uE000)/g, '')
    .replace(/\](?=[([])/g, '] ')
    .replace(/!(?=\[)/g, '! ')
    .replace(/^(?:\s|#{1,6}\s|>|\|)+/, '')
    .replace(/^\[([^\]]*)\]:\s*\S+/, '$1')
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[.,;:!?](?:\s|$))/g, '')
    .replace(/<(?=[a-z/!?])/gi, '< ');
}

/** An address when a cited source has it, as a whole. */
function cited(address: string, sources: readonly string[]): string {
  const end = TRAILING.exec(address)?.[0] ?? '';
  const bare = address.slice(0, address.length - end.length);
  return sources.some((source) => occurs(bare, source)) ? address : `${REMOVED}${end}`;
}

/** True if a text has an address, not only one that begins or ends like it. */
function occurs(address: string, text: string): boolean {
  for (let at = text.indexOf(address); at !== -1; at = text.indexOf(address, at + 1)) {
    const after = text.slice(at + address.length, at + address.length + 2);
    const isWhole = !/[\w@/.:-]/.test(text.at(at - 1) ?? '') || at === 0;
    if (isWhole && /^(?:$|[\s<>"'`)\]}|*,;!]|[.:?](?:$|[\s<>"'`)\]])|\/(?:$|[\s<>"'`)\]]))/.test(after)) return true;
  }
  return false;
}

function decoded(text: string): string {
  return text.replace(CHARACTER_REFERENCE, (_, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? ' ';
    const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    const isCharacter = point >= 0x20 && point <= 0x10_ff_ff && (point < 0xd8_00 || point > 0xdf_ff);
    return isCharacter ? String.fromCodePoint(point).replace(MASKS, '') : ' ';
  });
}

/** The text that a step does not change any more: what is taken away may leave markup behind. */
function untilStable(text: string, step: (text: string) => string): string {
  let before = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const after = step(before);
    if (after === before) return after;
    before = after;
  }
  return before;
}
