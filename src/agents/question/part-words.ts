import { identifierParts, stem } from '../../kernel/terms.ts';
import { withVerbs } from './word-forms.ts';

/** What people say, each with what folders and files are called for it. */
const CALLED: readonly (readonly [RegExp, string])[] = [
  [/\bcommand[ -]lines?\b|\bcommand\b/i, 'cli cmd command commands'],
  [
    /\b(?:user|graphical) interface\b|\bfront[ -]?end\b|\bweb (?:pages?|interface|site|app)\b/i,
    'ui gui web frontend pages views www',
  ],
  [/\bback[ -]?end\b/i, 'backend server'],
  [/\bdatabase\b|\bpersistence\b/i, 'db database store storage sql persistence'],
  [/\bstorage\b|\bstores?\b/i, 'store storage'],
  [
    /\b(?:translations?|internationali[sz]ation|locali[sz]ation)\b/i,
    'i18n l10n locale locales translation translations',
  ],
  [/\bsettings?\b|\bconfiguration\b/i, 'config conf settings configuration'],
  [/\bclustering\b/i, 'cluster'],
  [/\bdevelopment\b/i, 'dev development'],
  [/\bdocumentation\b/i, 'docs doc documentation'],
  [/\be-?mails?\b/i, 'email mail smtp'],
  [/\bbindings?\b/i, 'bindings binding'],
];
/** Letters of a beginning that stands for a word: `conf`, `auth`. Shorter ones begin too many. */
const LEAST_BEGINNING = 4;
/** Letters of a word that is the beginning or the end of a longer one: `dbcore`, `graphcache`. */
const LEAST_WITHIN = { start: 2, end: 4 } as const;
const MOST_AROUND = 9;

/** How a word of a question may be written in the name of a part. */
export interface PartWord {
  word: string;
  /** Stems of the word, of what it is a form of, and of other words for the same. */
  stems: readonly string[];
}

/** The words of a phrase with how names of parts write them. What people say in two words belongs to both. */
export function partWordsOf(text: string, words: readonly string[]): PartWord[] {
  const called = CALLED.flatMap(([said, names]) => {
    const [match] = said.exec(text) ?? [];
    return match === undefined ? [] : [{ said: match.toLowerCase().split(/[ -]/), names: names.split(' ') }];
  });
  return words.map((word) => {
    const others = called.filter(({ said }) => said.includes(word)).flatMap(({ names }) => names);
    const own = identifierParts(word.replaceAll(/[^\w]/g, ' '));
    const forms = [...own, ...withVerbs(word).toLowerCase().split(' '), ...others, numeronymOf(word)];
    return { word, stems: [...new Set(forms.filter((form) => form !== '').map(stem))] };
  });
}

/** `internationalisation` → i18n, as names of parts write it. */
function numeronymOf(word: string): string {
  return word.length < 8 ? '' : `${word.charAt(0)}${word.length - 2}${word.slice(-1)}`;
}

/** How well a part of a name stands for a word, 0..1: the word itself or another for it, its beginning, or a longer word around it. */
export function likenessOf({ word, stems }: PartWord, token: string): number {
  const own = stem(token);
  if (stems.includes(own)) return 1;
  if (token.length >= LEAST_BEGINNING && word.startsWith(token)) return 0.8;
  const isWithin = stems.some(
    (one) =>
      (one.length >= LEAST_WITHIN.start && token.length <= one.length + MOST_AROUND && token.startsWith(one)) ||
      (one.length >= LEAST_WITHIN.end && own.endsWith(one)),
  );
  return isWithin ? 0.7 : 0;
}
