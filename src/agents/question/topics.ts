import { OWNER } from './question.ts';

/** What a question about structure may be about. */
const TOPICS = ['path', 'cycles', 'hotspots', 'coupling', 'owner', 'size', 'layers', 'reason'] as const;
export type Topic = (typeof TOPICS)[number];

/** What may be too large. */
const SIZED = String.raw`(?:files?|functions?|methods?|class(?:es)?|modules?|packages?|components?|types?|code)\b`;
/** How large it is; how long something takes is another question. */
const LARGE = String.raw`(?<!\bhow )\b(?:large(?:st)?|big(?:gest)?|long(?:est)?)\b`;

const PATTERNS: Record<Topic, RegExp> = {
  path: /\b(?:depends?|dependency|dependencies|imports?|reach(?:es)?|path|uses?|know) (?:.* )?(?:on|from|to|between|about)\b|\b(?:does|do)\b.*\b(?:depend|import|use|know|call)\b|\bindependent (?:of|from)\b|\b(?:apart|separated?|isolated|decoupled|free) (?:from|of)\b|\b(?:used|built|run|work) without\b|\brel(?:y|ies) on\b|\breach(?:es)? into\b/i,
  cycles: /\b(?:cycles?|cyclic|circular|circles?|tangled?)\b/i,
  hotspots:
    /\b(?:hot ?spots?|risk(?:y|iest)?|churn|chang(?:es?|ed|ing) (?:the )?(?:most|often|frequently|a lot)|most (?:often )?chang\w*|fragile|buggy|bug-prone|(?:most|many|more) (?:of the )?(?:bugs|fixes)|bugs (?:come|happen|occur))\b/i,
  coupling:
    /\b(?:coupl(?:ed|ing)|changed? together|co-?chang(?:e|es|ed)|(?:what|which files?)(?: else)? changes? (?:when|with))\b/i,
  owner: OWNER,
  size: new RegExp(
    String.raw`\b(?:god|complex(?:ity|est)?|complicated|duplicat\w*|smells?|debt)\b|${LARGE}.*\b${SIZED}|\b${SIZED}.*${LARGE}`,
    'i',
  ),
  layers:
    /\b(?:layers?|layered|boundar(?:y|ies)|modules?|packages?|structure[ds]?|organi[sz]ed|overview|architecture|violations?|entry points?|components?|(?:main|the|important|big) (?:parts|pieces)|building blocks|subsystems|big picture)\b|\b(?:divided|split|broken down|separated|grouped)\b[^?]*\binto\b|\bhow is\b[^?]*\b(?:laid out|put together|built up|arranged|set up|composed)\b/i,
  reason: /\bwhy\b|\bdecision|\bdecided\b|\brationale\b/i,
};

/** Names of parts that say what another topic is asked of: cycles between packages, the largest module. */
const PART = /\b(?:modules?|packages?|components?)\b/gi;

/** The topics of a question, in the order of the list. */
export function topicsOf(words: string): Topic[] {
  const found = TOPICS.filter((topic) => PATTERNS[topic].test(words) || (topic === 'path' && asksForDependents(words)));
  // A circle of dependencies is no way from one thing to another.
  const topics = found.includes('cycles') ? found.filter((topic) => topic !== 'path') : found;
  const isOfParts = topics.some((topic) => topic !== 'layers' && topic !== 'reason');
  // Whether one package depends on another is no question about all packages.
  const isAboutLayers = !topics.includes('path') && (!isOfParts || PATTERNS.layers.test(words.replaceAll(PART, '')));
  return isAboutLayers ? topics : topics.filter((topic) => topic !== 'layers');
}

/** Something that depends on a thing. `What uses does it have?` asks for another one. */
const DEPENDING =
  /\b(?:what|who|(?:any|every)thing|any(?:one|body)|which (?:other )?(?:(?:source|code) )?(?:files?|modules?|packages?|parts?|places?|components?|class(?:es)?|code|types?|functions?)(?: (?:of|in) (?:the )?[\w-]+)?)(?: (?:else|all|that))?(?: (?:is|are))? (?:depend(?:s|ing)?|uses?|using|imports?|importing|needs?|rel(?:y|ies))\b(?! (?:is|are|does|do|has|have)\b)/i;

/** What changing or losing a thing would do. */
const AFFECTED =
  /\b(?:affected|impacted|impact|blast radius)\b|\bwhat\b[^?]*\b(?:breaks?|broken)\b|\b(?:dependents|dependants|importers) of\b/i;

/** Whether a question asks what depends on a thing, not what that depends on. */
export function asksForDependents(words: string): boolean {
  return DEPENDING.test(words) || AFFECTED.test(words) || /\bwhere (?:is|are)\b[^?]*\b(?:imported|used)\b/i.test(words);
}

/** Whether a question asks for the parts of the code. */
export function asksForParts(words: string): boolean {
  return PATTERNS.layers.test(words);
}

/** Whether a question asks which files changed most often, however complex they are. */
export function asksForChanges(words: string): boolean {
  return /\bchang(?:es?|ed)\s+(?:the\s+)?(?:most|often|a lot)\b|\bmost\s+(?:often\s+)?chang/i.test(words);
}

/** Whether a question asks for files that change together although neither refers to the other. */
export function asksForUnlinked(words: string): boolean {
  return /\bhidden\b|\b(?:(?:do|does|are|is) not|(?:do|does|are|is)n[’']t|without|neither|never|no)\b[^?]*\b(?:imports?|importing|refer\w*|depend\w*|uses?|using)\b/i.test(
    words,
  );
}

/** Whether the answer to a question is yes or no. */
export function asksWhether(words: string): boolean {
  return /^\W*(?:does|do|is|are|can|has|have)\b/i.test(words);
}
