/** Words that only make a question one about a product: texts are not searched for them. */
const FRAME =
  /\b(?:what|which|who|how many|how much|do|does|did|is|are|was|were|have|has|our|we|us|customers?|users?|people|clients?|say|says|said|saying|think|want|wants|ask(?:ed|ing)?(?: for)?|complain(?:s|ed|ing)?|need|about|the|a|an|any|most|there|plan(?:s|ned)?|decisions?|decided|competitors?)\b/gi;

/** The words of a question that say what it is about; all of them when none is left. */
export function subjectOf(words: string): string {
  const rest = words
    .replace(FRAME, ' ')
    .replaceAll(/[?!.]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (rest === '' ? words : rest).slice(0, 1000);
}
