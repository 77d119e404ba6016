import type { GroupField } from '../../signals/counts/counts.ts';

/**
 * The words by which questions about signals are read, English first, then some French, Dutch, German and Spanish ones. All that is
 * concluded from them is which query is made, and the query is shown with its answer.
 */

/** Words that decide the kind of query of a question, where nothing of the data does. */
export const KINDS = {
  examples: /\b(?:show|examples?|quotes?|exemples?|voorbeelden|beispiele|ejemplos)\b/,
  since: /\b(?:since when|depuis quand|sinds wanneer|seit wann|desde cuándo|when did)\b/,
  share: /\b(?:share|percent(?:age)?|proportion|fraction|pourcentage|aandeel|anteil|porcentaje)\b|%/,
  mean: /\b(?:average|mean|moyenne|gemiddelde?|durchschnitt(?:liche)?|promedio|how satisfied)\b/,
  trend:
    /\b(?:ris(?:e|en|es|ing)|rose|fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?|increas\w+|decreas\w+|declin\w+|grow(?:n|s|ing)?|grew|trend\w*|improv\w+|better|worse|over time|(?:go(?:es|ne)?|went) (?:up|down)(?: or (?:up|down))?)\b/,
  fresh: /\b(?:new|emerging|appeared|nouveau|nieuws?|neu(?:es)?|nuevo)\b/,
  more: /\b(?:more|fewer|less)\b/,
  compare: /\b(?:compare[ds]?|versus|vs|than|comparer|vergelijk|vergleiche?)\b/,
  amount: /\bhow much\b/,
  count: /\b(?:how (?:many|often)|numbers? of|combien|hoeveel|wie ?viele?|anzahl|cuánt[ao]s)\b/,
  which: /^\W*(?:(?:in|of|for) )?(?:which|what|wat|was|quel(?:le)?s?|welke?|welche[rs]?|qué)\b/,
} as const;

/** That the most or the least of something is meant. */
export const SUPERLATIVES = {
  most: /\b(?:most|biggest|largest|commonest|highest|meeste?|meisten|plus)\b/,
  least: /\b(?:least|fewest|smallest|minst|wenigsten|moins)\b/,
};
/** The same of ratings. */
export const RANKS = {
  best: /\b(?:best|happiest|happier|most satisfied|more satisfied)\b/,
  worst: /\b(?:worst|unhappiest|unhappier|lowest|least satisfied|less satisfied|least happy)\b/,
};

/** Words for the tone of people, as what they are and as what they do. */
export const TONES = {
  negative: {
    are: /\b(?:unhappy|dissatisfied|angry|disappointed|negativ\w*|mécontente?s?|ontevreden|unzufriedene?n?|insatisfechos?)\b/,
    do: /\b(?:complain\w*|critici[sz]\w*|dislike|hate|klagen|klachten?|se plaignent|beschwer\w+|quejas?|worried)\b/,
  },
  positive: {
    are: /\b(?:happy|satisfied|positiv\w*|content[es]?|tevreden|zufriedene?n?|satisfechos?)\b/,
    do: /\b(?:like|love|prais\w+|enjoy|appreciate|aiment|loben|waarderen)\b/,
  },
} as const;

/** What follows the word that asks which one is meant. */
export const AFTER_WHICH = /^\W*(?:(?:in|of|for) )?(?:which|quel(?:le)?s?|welke?|welche[rs]?)\s+(.*)/isu;
/** Before a field that signals lack. */
export const WITHOUT = String.raw`\b(?:no|without)\s+(?:an?\s+|any\s+)?`;
/** That plans do not fit the code any more, and that work is finished. */
export const STALE = /\b(?:stale|broken|out of date|no longer)\b/i;
export const FINISHED = /\b(?:done|finished|shipped)\b/i;

/** Stars of a rating, with their number or without. */
export const STARS = String.raw`(?:stars?|sterne?n?|sterren|étoiles?|estrellas?|stelle)`;
/** Names of the numbers of stars, the first of them of one star. */
export const NUMBERS = [
  'a single|single|one|ein(?:em|en)?|une?|een|una?',
  'two|zwei|deux|twee|dos',
  'three|drei|trois|drie|tres',
  'four|vier|quatre|cuatro',
  'five|fünf|cinq|vijf|cinco',
] as const;

/** Words for the fields by which signals are grouped. */
export const DIMENSIONS: readonly (readonly [GroupField | 'year', RegExp])[] = [
  ['year', /\b(?:years?|année|jaar|jahr)\b/],
  ['month', /\b(?:months?|mois|maand|monat)\b/],
  ['week', /\b(?:weeks?|semaine|woche)\b/],
  ['version', /\b(?:(?:app )?versions?|releases?|versie)\b/],
  ['segment', /\b(?:segments?|plans?|tiers?|country|countries|regions?|pays|landen?|länder)\b/],
  ['language', /\b(?:languages?|langues?|talen|sprachen?)\b/],
  ['source', /\b(?:sources?|channels?)\b/],
  ['competitor', /\b(?:competitors?|rivals?|concurrents?|concurrenten)\b/],
  ['tag', /\b(?:tags?|labels?)\b/],
  ['theme', /\b(?:themes?|topics?|subjects?)\b/],
  ['tone', /\b(?:tone|sentiment)\b/],
  ['intent', /\b(?:intents?)\b/],
  ['customer', /^\W*who\b|(?<=^\W*(?:which|what) )(?:customers?|users?)\b/],
  ['rating', /\b(?:ratings?|satisfaction)\b/],
];

/** Words for signals, their senders, what those do, and what is counted of them: no subject of a question. */
export const FRAME =
  /^(?:what|which|who|whose|whom|why|where|when|cannot|can't|reviews?|signals?|messages?|feedbacks?|tickets?|customers?|users?|people|persons?|anyone|anybody|clients?|klanten|kunden|utilisateurs?|gebruikers|nutzer|usuarios|mention\w*|say\w*|said|talk\w*|writ\w+|wrote|speak\w*|report\w*|tell\w*|ask\w*|rates?|rating|star(?:t|ts|ted)|hit|receiv\w*|anything|rückmeldungen|gibt|parlent|écrivent|schrijven|schreiben|praten|spreken|vinden|disent|hablan|number|numbers|how|many|much|often|combien|hoeveel|wie|wieviele?|viele|cuántos|cuántas|come|came|coming|brought|bring|get|got|give|gave|give[ns]|have|has|had|there|about|still|common|frequent|main|top|things?|stars?|rating|ratings|rated|score|count|counted|total|overall|distribut\w*|goed|gut|bien|speaking|ones?|two|three|four|five|ten|between|during|from|until|since|after|before|first|last|week|today|while|write|our|ours|fix|problems?|issues?)$/iu;
