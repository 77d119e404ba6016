import { wordsOf } from '../../text/words.ts';
/** Subjects of a page, or of a change to one. */
export const CHANGE_KINDS = [
  'pricing',
  'feature',
  'docs',
  'changelog',
  'positioning',
  'jobs',
  'legal',
  'other',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * Words of an address, or of the title, that tell what a page is about, the most telling first: a page of prices in the
 * documentation is about prices.
 */
const WORDS: readonly [kind: ChangeKind, words: RegExp][] = [
  ['pricing', /^(?:pric(?:e|es|ing)|plans?|billing|subscriptions?|tariffs?|costs?|editions?|quotas?|credits?)$/],
  [
    'legal',
    /^(?:terms|tos|tou|eula|privacy|polic(?:y|ies)|legal|gdpr|ccpa|dpa|sla|imprint|impressum|cookies|subprocessors|licen[cs](?:e|es|ing)|copyright|compliance)$/,
  ],
  [
    'jobs',
    /^(?:jobs?|careers?|hiring|vacanc(?:y|ies)|openings?|positions?|benefits|perks|recruit(?:ing|ment)|internships?)$/,
  ],
  ['changelog', /^(?:changelogs?|changes|releases?|release-?notes|whats-?new|history|news)$/],
  [
    'docs',
    /^(?:docs?|documentation|guides?|references?|api|manuals?|help|learn|handbook|support|kb|faqs?|developers?|tutorials?|wiki|configuration|install(?:ation)?|getting-?started)$/,
  ],
  [
    'feature',
    /^(?:features?|products?|solutions?|integrations?|platform|tour|how-?it-?works|capabilities|use-?cases?)$/,
  ],
  ['positioning', /^(?:about(?:-?us)?|company|why|customers?|compare|vs|alternatives?|home|index)$/],
];

/** The kind of a page by its address, else by its title and first heading; a front page tells how its owner sees itself. */
export function pageKind(url: string, names: readonly string[] = []): ChangeKind {
  const path = new URL(url).pathname.toLowerCase();
  if (/^\/(?:index(?:\.\w+)?|home|[a-z]{2}(?:-[a-z]{2})?)?\/?$/.test(path)) return 'positioning';
  // Whole segments, so that `release-notes` is one word, and their parts.
  const segments = path.replace(/\.\w{1,5}$/, '').split('/');
  const byAddress = kindOfWords([...segments, ...segments.flatMap((segment) => segment.split(/[-_.~+%]+/))]);
  return byAddress ?? kindOfWords(names.flatMap((name) => wordsOf(name.toLowerCase(), 'hyphenated'))) ?? 'other';
}

function kindOfWords(words: readonly string[]): ChangeKind | undefined {
  return WORDS.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
}

/** True if the address is the front page of its site. */
export function isFrontPage(url: string): boolean {
  return /^\/(?:index(?:\.\w+)?|home)?\/?$/i.test(new URL(url).pathname);
}
