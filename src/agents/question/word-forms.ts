import { stem, WORD } from '../../kernel/terms.ts';

/** Verbs whose forms no ending tells, each with them: the first one is what code is called after. */
const VERBS =
  'begin began begun, bind bound, break broke broken, build built, catch caught, choose chose chosen, feed fed, freeze froze frozen, ' +
  'give gave given, hide hid hidden, hold held, keep kept, lead led, lose lost losing loss, make made, overwrite overwritten, pay paid, ' +
  'run ran, send sent, shrink shrunk, sleep slept, spend spent, steal stolen, take took taken, tell told, throw threw thrown, ' +
  'understand understood, wake woke woken, write wrote written';

/** Words for one thing, each with how code and its history write it too. */
const SAME =
  'excel xlsx xls, security vulnerability vulnerabilities vulnerable cve xss, environment env, database db, authentication auth, ' +
  'asynchronous async, temporary temp tmp, certificate cert, encoding charset, color colour, behavior behaviour, gray grey, ' +
  'kubernetes k8s, priority prioritise prioritize prioritised prioritized, javascript js, typescript ts, ' +
  'directory dir, parameter param, configuration config, argument arg, message msg, repository repo';

const GROUPS = SAME.split(', ').map((group) => group.split(' '));
const OTHERS = new Map(
  GROUPS.flatMap((group) => group.map((word) => [stem(word), group.filter((other) => stem(other) !== stem(word))])),
);

const FORMS = VERBS.split(', ').map((verb) => verb.split(' '));
const ROOTS = new Map(
  [...FORMS, ...GROUPS].flatMap(([base = '', ...forms]) => forms.map((form) => [stem(form), stem(base)])),
);
const BASES = new Map(FORMS.flatMap(([base = '', ...forms]) => forms.map((form) => [form, base])));

/** A term with irregular verbs in one form, and words for one thing as one: sent and send are one, so are Excel and xlsx. */
export function rootOf(term: string): string {
  return ROOTS.get(term) ?? term;
}

/** Verbs of two words, which code writes as one: `times out`, `shut down`, `log in`. */
const TWO_WORDS = /\b(?:([a-z]{3,}?)(?:s|ed)?\s+(out|down|up|off|back)|(log|sign|check|plug|opt)s?\s+(in))\b/gi;

/**
 * Words to search for, with the verbs that they are forms of and other words for the same: `mails sent` → mails sent send, `times out`
 * → times out timeout, `Excel` → Excel xlsx xls.
 */
export function withVerbs(words: string): string {
  const bases = (words.match(WORD) ?? []).flatMap((word) => BASES.get(word.toLowerCase()) ?? []);
  const joined = [...words.matchAll(TWO_WORDS)].map(([, verb, particle, other, last]) =>
    `${verb ?? other}${particle ?? last}`.toLowerCase(),
  );
  const others = (words.match(WORD) ?? []).flatMap((word) => OTHERS.get(stem(word.toLowerCase())) ?? []);
  return [words, ...new Set([...bases, ...joined, ...others])].join(' ');
}
