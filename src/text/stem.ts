/** Endings of derived words: ending, what replaces it, letters that must stay before it. First fit wins. */
const ENDINGS: readonly (readonly [string, string, number])[] = [
  ['ization', 'iz', 3],
  ['isation', 'iz', 3],
  ['ational', 'at', 3],
  ['fulness', 'ful', 3],
  ['iveness', 'iv', 3],
  ['izer', 'iz', 3],
  ['iser', 'iz', 3],
  ['ation', 'at', 3],
  ['ator', 'at', 3],
  ['ition', 'it', 3],
  ['ction', 'ct', 2],
  ['ment', '', 4],
  ['able', '', 4],
  ['ible', '', 4],
  ['ness', '', 4],
  ['tion', 't', 3],
  ['sion', 's', 4],
  ['ise', 'iz', 3],
  ['ize', 'iz', 3],
  ['er', '', 4],
  ['or', '', 4],
  ['ly', '', 4],
  ['al', '', 5],
];

/** A light Porter stemmer: plurals, -ing, -ed, and common endings of derived words. `word` is in lower case. */
export function stem(word: string): string {
  if (word.length < 4 || word.length > 24) return word;
  let result = withoutEnding(withoutTense(withoutPlural(word)));
  if (result.length > 4 && result.endsWith('e')) result = result.slice(0, -1);
  if (result.length > 3 && result.endsWith('y')) result = `${result.slice(0, -1)}i`;
  return result;
}

/** Plural, past and progressive forms of a word become one; derived words stay. The classifier of commits was trained with it. */
export function inflectionStem(word: string): string {
  let stemmed = word;
  if (word.length >= 4) {
    if (word.endsWith('ies')) stemmed = `${word.slice(0, -3)}y`;
    else if (word.endsWith('s') && !/(ss|us|is)$/.test(word)) stemmed = word.slice(0, -1);
    for (const ending of ['ing', 'ed']) {
      if (stemmed.endsWith(ending) && stemmed.length - ending.length >= 3) {
        stemmed = stemmed.slice(0, -ending.length).replace(/([^aeiouls])\1$/, '$1');
        break;
      }
    }
    if (stemmed.length > 4 && stemmed.endsWith('e')) stemmed = stemmed.slice(0, -1);
  }
  return stemmed;
}

/** `categories` is `category`, `statuses` `status`; `news` and `analysis` stay. */
export function singular(word: string): string {
  if (word.length < 4 || stem(word) === word) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|us)es$/.test(word)) return word.slice(0, -2);
  return /[^isu]s$/.test(word) && word !== 'news' ? word.slice(0, -1) : word;
}

/** A word without an `s` at its end, as units of measure have it in the plural. */
export function withoutFinalS(word: string): string {
  return word.replace(/s$/, '');
}

/** A word in the forms that a plural of it may be of: `statuses` may be `statuse` or `status`. */
export function singularForms(word: string): string[] {
  return [word, word.replace(/ies$/, 'y'), withoutFinalS(word), word.replace(/es$/, '')];
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  const root = /^(.{2,})(?:ing|ed)$/.exec(word)?.[1];
  if (root === undefined || !/[aeiouy]/.test(root)) return word;
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`;
  return /([bdfgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
}

function withoutEnding(word: string): string {
  for (const [ending, replacement, least] of ENDINGS) {
    const stemLength = word.length - ending.length;
    if (stemLength >= least && word.endsWith(ending)) return word.slice(0, stemLength) + replacement;
  }
  return word;
}
