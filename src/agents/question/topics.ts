/** What a question about structure may be about. */
const TOPICS = ['path', 'cycles', 'hotspots', 'coupling', 'size', 'layers', 'reason'] as const;
export type Topic = (typeof TOPICS)[number];

const PATTERNS: Record<Topic, RegExp> = {
  path: /\b(?:depends?|dependency|dependencies|imports?|reach(?:es)?|path|uses?|know) (?:.* )?(?:on|from|to|between|about)\b|\b(?:does|do)\b.*\b(?:depend|import|use|know|call)\b|\bindependent (?:of|from)\b/i,
  cycles: /\b(?:cycles?|cyclic|circular|circles?|tangled?)\b/i,
  hotspots:
    /\b(?:hot ?spots?|risk(?:y|iest)?|churn|chang(?:es?|ed) (?:most|often|a lot)|most (?:often )?chang|fragile|bugs?)\b/i,
  coupling: /\b(?:coupl(?:ed|ing)|change together|co-?chang(?:e|es|ed))\b/i,
  size: /\b(?:god|large(?:st)?|big(?:gest)?|long(?:est)?|complex(?:ity|est)?|duplicat\w*|smells?|debt)\b/i,
  layers:
    /\b(?:layers?|layered|boundar(?:y|ies)|modules?|packages?|structure[ds]?|organi[sz]ed|overview|architecture|violations?|entry points?|components?|(?:main|the) parts)\b/i,
  reason: /\bwhy\b|\bdecision|\bdecided\b|\brationale\b/i,
};

/** The topics of a question, in the order of the list. */
export function topicsOf(words: string): Topic[] {
  const topics = TOPICS.filter((topic) => PATTERNS[topic].test(words));
  // Whether one package depends on another is no question about all packages.
  return topics.includes('path') ? topics.filter((topic) => topic !== 'layers') : topics;
}

/** Whether a question asks what depends on a thing, not what that depends on. */
export function asksForDependents(words: string): boolean {
  return /\b(?:what|who|which (?:other )?(?:files?|modules?|packages?|parts?|classes|code)|everything)(?: (?:else|all))? (?:depends?|uses?|imports?)\b/i.test(
    words,
  );
}

/** Whether a question asks for the parts of the code. */
export function asksForParts(words: string): boolean {
  return PATTERNS.layers.test(words);
}
