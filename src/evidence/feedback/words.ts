import type { GroupField } from '../../signals/counts/counts.ts';

/**
 * The words by which questions about signals are read, English first, then some French, Dutch, German and Spanish ones. All that is
 * concluded from them is which query is made, and the query is shown with its answer.
 */

/** Words that decide the kind of query of a question, where nothing of the data does. */
export const KINDS = {
  examples: /\b(?:show|examples?|quotes?|exemples?|voorbeelden|beispiele|ejemplos)\b/,
  since: /\b(?:since when|depuis quand|sinds wanneer|seit wann|desde cuándo|when (?:did|was|were)|how long)\b/,
  share:
    /\b(?:share|percent(?:age)?|proportion|fraction|ratio|what part|quelle part|pourcentage|aandeel|anteil|porcentaje)\b|%/,
  mean: /\b(?:average|mean|moyenne|gemiddelde?|durchschnitt(?:lich\w*)?|promedio|how (?:un)?(?:satisfied|happy)|wie (?:un)?zufrieden|hoe tevreden)\b/,
  trend:
    /\b(?:ris(?:e|en|es|ing)|rose|fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?|increas\w+|decreas\w+|declin\w+|grow(?:n|s|ing)?|grew|trend\w*|improv\w+|better|worse|over time|(?:go(?:es|ing|ne)?|went|up or) (?:up|down)(?: or (?:up|down))?|evolv\w+|develop(?:ed|ing)|gestiegen|steig\w+|gesunken|sink\w+|augment\w+|baiss\w+|toegenomen|afgenomen|stijg\w+|daal\w+|sub(?:ido|en?)|baja\w*)\b/,
  fresh: /\b(?:new|emerging|appeared|nouveau|nieuws?|neu(?:es)?|nuevo)\b/,
  more: /\b(?:more|fewer|less|mehr|weniger|moins|meer|minder)\b/,
  compare: /\b(?:compare[ds]?|versus|vs|than|comparer|vergelijk|vergleiche?)\b/,
  amount: /\bhow much\b/,
  count:
    /\b(?:how (?:many|often)|numbers? of|amount of|count|combien|nombre|hoeveel|aantal|wie ?viele?|wie oft|anzahl|cuánt[ao]s|número)\b/,
  which:
    /^\W*(?:(?:in|of|for|on|by|from|with) )?(?:which|what|who|whom|wat|wie|wer|was|quel(?:le)?s?|qui|welke?|welche[rsnm]?|qué|quién(?:es)?)\b/,
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
    are: /\b(?:unhappy|dissatisfied|angry|disappointed|negativ\w*|négati\w+|mécontente?s?|ontevreden|unzufriedene?n?|insatisfechos?)\b/,
    do: /\b(?:complain\w*|critici[sz]\w*|dislike|hate|klagen|klachten?|se plaignent|plaintes?|réclamations?|beschwer\w+|quejas?|reclamos?|worried)\b/,
  },
  positive: {
    are: /\b(?:happy|satisfied|positiv\w*|positi\w+|content[es]?|tevreden|zufriedene?n?|satisfechos?)\b/,
    do: /\b(?:like|love|prais\w+|enjoy|appreciate|aiment|loben|waarderen)\b/,
  },
} as const;

/** A noun behind the word that asks which one is meant: `operating system` in "which operating system do they use". */
export const NOUN_OF_WHICH =
  /^\W*(?:(?:in|of|for|on|by|from|with) )?(?:which|what|quel(?:le)?s?|welke?|welche[rsnm]?|qué)\s+((?:(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|kind|sort|made|makes|sont|est|ont|sind|ist|haben|hat|zijn|hebben)\b)\p{L}[\p{L}-]*\s+){1,3})/iu;
/** Before a field that signals lack. */
export const WITHOUT = String.raw`\b(?:no|without|lacks?|lacking|missing|ohne|kein\w*|sans|aucune?|zonder|geen|sin)\s+(?:an?\s+|any\s+)?`;
/** That plans do not fit the code any more, and that work is finished. */
export const STALE =
  /\b(?:stale|outdated|out of date|up to date|no longer|obsol\w+|drift\w*|broken|veraltet\w*|überholt\w*|verouderd\w*|périmé\w*|desfasad\w*)\b/i;
export const FINISHED =
  /\b(?:done|finish(?:ed)?|completed?|ship(?:ped)?|deliver(?:ed)?|releas(?:ed?)|buil[dt]|fertig|erledigt|terminé\w*|livré\w*|klaar|afgerond|hecho)\b/i;

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
  ['theme', /\b(?:themes?|topics?|subjects?|things|features?|themen|thèmes?|sujets?|onderwerpen|temas?)\b/],
  ['tone', /\b(?:tone|sentiment)\b/],
  ['intent', /\b(?:intents?)\b/],
  [
    'customer',
    /^\W*(?:who|whom|wer|qui|quién(?:es)?)\b|(?<=^\W*(?:which|what|welche|quels|welke) )(?:customers?|users?|clients?|accounts?|people|companies|kunden|klanten)\b/,
  ],
  [
    'rating',
    /\b(?:ratings?|scores?|satisfaction|happiness|zufriedenheit|bewertung(?:en)?|tevredenheid|satisfacción)\b/,
  ],
];

/** Words for signals, their senders, what those do, and what is counted of them: no subject of a question. */
export const FRAME =
  /^(?:what|which|who|whose|whom|why|where|when|cannot|can't|reviews?|signals?|messages?|feedbacks?|tickets?|customers?|users?|people|persons?|anyone|anybody|clients?|klanten|kunden|utilisateurs?|gebruikers|nutzer|usuarios|mention\w*|say\w*|said|talk\w*|writ\w+|wrote|speak\w*|report\w*|tell\w*|ask\w*|rates?|rating|star(?:t|ts|ted)|beg[aiu]n\w*|happen\w*|hit|affected|concerned|experienc\w*|receiv\w*|bring\w*|rais\w*|anything|third|half|number|avis|commentaires?|bewertungen|rezensionen|rückmeldungen|meldungen|nachrichten|beoordelingen|reseñas|opiniones|hoch|gibt|parlent|écrivent|schrijven|schreiben|praten|spreken|vinden|disent|hablan|number|numbers|how|many|much|often|combien|hoeveel|wie|wieviele?|viele|cuántos|cuántas|come|came|coming|brought|bring|get|got|give|gave|give[ns]|have|has|had|there|about|still|common|frequent|main|top|things?|stars?|rating|ratings|rated|score|count|counted|total|overall|distribut\w*|goed|gut|bien|speaking|ones?|two|three|four|five|ten|zwei|drei|vier|fünf|deux|trois|quatre|cinq|twee|drie|vijf|dos|tres|cuatro|cinco|between|during|from|until|since|after|before|first|last|week|today|while|write|our|ours|fix|first|problems?|issues?)$/iu;

/** Articles, prepositions and questions of other languages than English. */
export const FUNCTION_WORDS = new Set(
  (
    'le la les l un une des du de d au aux en et ou que qui quoi quel quelle quels quelles est sont ont dans sur pour par avec nos notre ' +
    'vos votre ce ces cette se ne pas plus il elle ils elles nous vous je ' +
    'het een der den dem die das van voor met op over aan bij naar uit en of dat dit deze die wat wie waar welke zijn heeft hebben is ' +
    'ons onze jullie niet geen ' +
    'und oder ein eine einen einem einer eines ist sind war hat haben im in am an auf aus bei mit nach von vom vor für über unter um ' +
    'was wer wo wann warum welche welcher nicht kein keine unser unsere uns ' +
    'el los las del al y o e un una unos unas que qué quién cuál es son en por para con sobre nuestro nuestra no'
  ).split(' '),
);
