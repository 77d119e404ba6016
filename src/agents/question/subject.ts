/** Words that only make a question one about a product: texts are not searched for them. */
const FRAME =
  /\b(?:what|which|who|how many|how much|do|does|did|is|are|was|were|have|has|our|we|us|customers?|users?|people|clients?|say|says|said|saying|think|want|wants|ask(?:ed|ing)?(?: for)?|complain(?:s|ed|ing)?|need|about|the|a|an|any|most|there|known|report(?:s|ed|ing)?|mention(?:s|ed|ing)?|plan(?:s|ned)?|decisions?|decided|competitors?)\b/gi;

/** Ways to ask what people outside say, which nothing but their signals can answer. */
const VOICES =
  /\b(?:customers?|users?|clients?|people)\b[^?.]*\b(?:say(?:s|ing)?|said|wants?|ask(?:s|ed|ing)?|complain\w*|needs?|request\w*|think|report\w*|(?:dis)?like|hate|mention\w*|(?:un)?happy)\b|\b(?:feedback|complaints?|feature requests?|pain points?)\b/i;

/** The words of a question that say what it is about; all of them when none is left. */
export function subjectOf(words: string): string {
  const rest = withoutFrame(words);
  return (rest === '' ? words : rest).slice(0, 1000);
}

/** Whether a question says what it is about; one that does not asks for all there is. */
export function hasSubject(words: string): boolean {
  return withoutFrame(words) !== '';
}

/** Whether a question asks what customers say. */
export function asksCustomers(words: string): boolean {
  return VOICES.test(words);
}

function withoutFrame(words: string): string {
  return words
    .replace(FRAME, ' ')
    .replaceAll(/[?!.]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
