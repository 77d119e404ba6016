import type { Anchors } from '../anchors/lookups/lookups.ts';
import type { Mention } from '../anchors/mentions/mentions.ts';

/** What decisions of all products work with. */
export interface Decisions extends Anchors {
  /** Reads what a Markdown text names in the code. */
  texts: { mentions: (text: string) => Promise<Mention[]> };
  now: () => Date;
}
