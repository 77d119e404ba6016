/** Names with a sign before them, as social networks and trackers write them; no package such as @types/node. */
const ADDRESSEES = /^[\s.]*(?:@[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*[,:]?(?:\s+|$))+/u;

/**
 * Returns a message without those whom it addresses: `@acme where is it` is about where it is. Texts of several companies would
 * be compared by them. A message that says nothing else stays.
 */
export function withoutAddressees(text: string): string {
  const own = text.replace(ADDRESSEES, '');
  return own.trim() === '' ? text : own;
}
