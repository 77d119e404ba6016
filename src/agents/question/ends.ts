/** Where a question wants to be led from and to, in its words. */
export interface Ends {
  from: string;
  to: string;
}

/** Ways to ask for a way, the clearest first: its ends are `from` and `to`. */
const PATTERNS: readonly RegExp[] = [
  /\bfrom\s+(?<from>[^?,]+?)\s+(?:up |down |out |on |all the way )?(?:in)?to\s+(?<to>[^?,]+)/i,
  /\bhow\s+(?:do|does|did|can|is|are)\s+(?<from>[^?,]+?)\s+(?:gets?|comes?|goes?|flows?|travels?|arrives?|ends? up|finds? its way|makes? its way|passed|handed|routed|dispatched|delivered|forwarded)\s+(?:back |down |up |on |over )?(?:in|to|into|at|onto|through to)\s+(?<to>[^?,]+)/i,
  /\bhow\s+(?:do|does|did|can)\s+(?<from>[^?,]+?)\s+reach(?:es)?\s+(?<to>[^?,]+)/i,
];

/** The ends of the way that a question asks for; undefined when it asks for none. */
export function endsOf(words: string): Ends | undefined {
  for (const pattern of PATTERNS) {
    const { from = '', to = '' } = pattern.exec(words)?.groups ?? {};
    if (from.trim() !== '' && to.trim() !== '') return { from: from.trim(), to: to.trim() };
  }
  return undefined;
}
