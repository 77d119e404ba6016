/** Words of a question that may narrow it to a part of the repository. */
interface ScopeWords {
  /** As they stand in the question. */
  phrase: string;
  /** Each of them, the last first: what a thing is comes behind what kind it is of. */
  words: readonly string[];
  /** Whether they can hardly mean anything else: `inside of the scheduler`, `the scheduler package`. */
  isCertain: boolean;
  /** Whether the question says that they are a package, a folder or the like. */
  isOfKind: boolean;
}

const WORD = String.raw`[\w@][\w@./-]*[\w@]`;
const ARTICLE = String.raw`(?:the |our |your |its |a |an |each |all |every )?`;
const KIND = String.raw`(?:package|folder|directory|crate|workspace|subsystem|slice|layer|subpackage|subfolder)`;

/** `the lib/weather folder`, `the package mobx-react`. */
const NAMED = new RegExp(
  String.raw`\b(?:the|our|your|its)\s+(?<before>${WORD})\s+${KIND}\b|\b(?:the|our|your|its)\s+${KIND}\s+(?!that\b|which\b|is\b|has\b|uses?\b|depend|of\b|with\b|and\b|or\b|to\b|in\b|on\b|can\b|be\b|change)(?:called |named )?(?<after>${WORD})`,
  'gi',
);
/** `syntaxes and themes in assets`. */
const BOTH = new RegExp(
  String.raw`\b(?<first>${WORD})\s+(?:and|or)\s+${ARTICLE}(?<second>${WORD})\s+(?:in|of|inside|within|under)\s+${ARTICLE}(?<parent>${WORD})`,
  'gi',
);
/** What stands behind a word of place, up to what ends it. */
const INSIDE = new RegExp(
  String.raw`\b(?<place>inside(?: of)?|within|under|in|of|for|across|throughout|with|about|maintains?|maintaining|owns?|owning|knows?)\s+${ARTICLE}(?<phrase>${WORD}(?:\s+(?!and\b|or\b|chang|have\b|has\b|had\b|imports?\b|uses?\b|used\b|depend|know|be\b|can\b|should\b|if\b|most\b|usually\b|often\b|together\b|for\b|with\b|without\b|on\b|as\b|at\b|that\b|which\b|when\b|is\b|are\b|do\b|does\b|to\b|of\b|in\b|the\b|from\b|by\b)${WORD}){0,2})`,
  'gi',
);
/** A path, or a name of several parts as packages have them. */
const COMPOUND = /(?<![\w@./-])@?[\w.]+(?:[/-][\w.@]+)+/g;

/** Words of place behind which only a part of the repository stands. */
const PLACES = /^(?:inside|within|under|in)\b/i;
/** What names no part: the repository itself, what is asked of it, and spans of time. */
const GENERAL =
  /^(?:code|codebase|codebases|repo|repos|repository|project|projects|product|source|sources|src code|files?|modules?|packages?|folders?|director(?:y|ies)|crates?|components?|class(?:es)?|functions?|methods?|types?|parts?|areas?|places?|lines?|layers?|imports?|dependenc(?:y|ies)|cycles?|circles?|loops?|changes?|commits?|history|time|years?|months?|weeks?|days?|last|past|recent|latest|next|first|second|one|two|three|each|other|others|them|it|this|that|these|those|here|there|general|total|order|practice|fact|common|particular|terms?|detail|details|short|way|whom?|which|what|who|where|how|system|application|app|service|program|whole|entire|structure|architecture|design|tests?|bugs?|fixes|everything|anything|nothing|something|most|more|less|many|use|used|case|sync|together|release|version|circle|danger|charge|question|kind|sort|same|main|root|single|own|parent|sibling|public|top|upper|lower|middle|right|wrong|rest|end|top|bottom|outside|long(?:est)?|large(?:st)?|big(?:gest)?|highest|lowest|average|me|us|you)$/i;

/** The parts of a repository that a question may be about, the surest first, each once. */
export function scopeWordsOf(question: string): ScopeWords[] {
  const found: ScopeWords[] = [];
  const add = (phrase: string, isCertain: boolean, isOfKind = false): void => {
    const words = phrase
      .split(/\s+/)
      .map((word) => word.replaceAll(/^[./]+|[./?!,;:]+$/g, ''))
      .filter((word) => word.length > 1 && !/^\d+$/.test(word) && !GENERAL.test(word));
    // A word of time or of order in front says that no part is meant.
    const isOfTime = /^(?:last|past|recent|next|first|general|short|total|order|\d)/i.test(phrase);
    if (words.length === 0 || isOfTime || found.some((one) => one.words.at(0) === words.at(-1))) return;
    found.push({ phrase, words: words.toReversed(), isCertain, isOfKind });
  };
  for (const { groups = {} } of question.matchAll(BOTH))
    for (const name of [groups['parent'], groups['first'], groups['second']]) add(name ?? '', false);
  for (const { groups = {} } of question.matchAll(NAMED)) add(groups['before'] ?? groups['after'] ?? '', true, true);
  for (const [path] of question.matchAll(COMPOUND)) add(path, false);
  for (const { groups = {} } of question.matchAll(INSIDE))
    add(groups['phrase'] ?? '', PLACES.test(groups['place'] ?? ''));
  return found;
}
