import { asks } from './kinds.ts';
import { OWNER } from './question.ts';
import { sidesOf } from './sides.ts';

/** What a question about structure may be about. */
const TOPICS = ['path', 'cycles', 'hotspots', 'coupling', 'owner', 'size', 'entries', 'layers', 'reason'] as const;
export type Topic = (typeof TOPICS)[number];

/** What may be too large. */
const SIZED = String.raw`(?:files?|functions?|methods?|class(?:es)?|modules?|packages?|crates?|components?|types?|code)\b`;
/** How large it is; how long something takes is another question. */
const LARGE = String.raw`(?<!\bhow )\b(?:large(?:st)?|big(?:gest)?|long(?:est)?)\b`;

/** What a question about a topic says; what the table of kinds has is not repeated. */
const PATTERNS: Record<Exclude<Topic, 'layers' | 'entries'>, RegExp> = {
  path: /\b(?:depends?|dependency|dependencies|imports?|reach(?:es)?|path|uses?|know) (?:.* )?(?:on|from|to|between|about)\b|\b(?:does|do)\b.*\b(?:depend|import|use|know|call)\b|\bindependent (?:of|from)\b|\b(?:apart|separated?|isolated|decoupled|free) (?:from|of)\b|\b(?:used|built|run|work) without\b|\b(?:rel(?:y|ies)|lean|leans|build|builds) on\b|\breach(?:es)? into\b/i,
  cycles: /\b(?:cycles?|cyclic|circular|circles?|tangled?)\b/i,
  hotspots:
    /\b(?:hot ?spots?|risk(?:y|iest)?|churn|chang(?:es?|ed|ing) (?:the )?(?:most|often|frequently|a lot)|most (?:often )?chang\w*|fragile|buggy|bug-prone|(?:most|many|more) (?:of the )?(?:bugs|(?:bug )?fixes)|(?:bugs|fixes) (?:come|happen|occur))\b/i,
  coupling:
    /\b(?:coupl(?:ed|ing)|chang(?:e|es|ed|ing) together|co-?chang(?:e|es|ed)|(?:what|which files?)(?: else)? changes? (?:when|with))\b|\bchang\w+ (?:along|in step) with\b|\b(?:what|which)(?: other| else)? files?\b[^?]*\bchang\w* (?:too|as well|along|when|whenever|with|if)\b/i,
  owner: new RegExp(String.raw`${OWNER.source}|\bwho\b.*\b(?:working on|(?:talk|speak|turn|go) to)\b`, 'i'),
  size: new RegExp(
    String.raw`\b(?:god|complex(?:ity|est)?|complicated|duplicat\w*|smells?|debt|most (?:of the )?(?:code|lines))\b|${LARGE}.*\b${SIZED}|\b${SIZED}.*${LARGE}`,
    'i',
  ),
  reason: /\bwhy\b|\bdecision|\bdecided\b|\brationale\b/i,
};

/** Names of parts that say what another topic is asked of: cycles between packages, the largest module. */
const PART = /\b(?:modules?|packages?|crates?|components?)\b/gi;

/** The topics of a question, in the order of the list. */
export function topicsOf(words: string): Topic[] {
  const found = TOPICS.filter((topic) => isAbout(topic, words));
  // A circle of dependencies is no way from one thing to another.
  const ways = found.includes('cycles') ? found.filter((topic) => topic !== 'path') : found;
  // Who asks what depends on entry points does not ask which there are.
  const topics = ways.includes('path') ? ways.filter((topic) => topic !== 'entries') : ways;
  const isOfParts = topics.some((topic) => topic !== 'layers' && topic !== 'reason');
  // Whether one package depends on another is no question about all packages.
  const isAboutLayers = !topics.includes('path') && (!isOfParts || asks('parts', words.replaceAll(PART, '')));
  return isAboutLayers ? topics : topics.filter((topic) => topic !== 'layers');
}

function isAbout(topic: Topic, words: string): boolean {
  if (topic === 'layers') return asks('parts', words);
  if (topic === 'entries') return asks('entries', words);
  if (topic === 'path' && (asks('dependents', words) || sidesOf(words).length > 0)) return true;
  return PATTERNS[topic].test(words);
}
