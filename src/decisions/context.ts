import type { Tenant } from '../kernel/tenant.ts';
import type { Anchors } from '../anchors/lookups/lookups.ts';
import type { Mention } from '../anchors/mentions/mentions.ts';

/** The parts that decisions of all products work with. */
export interface Decisions extends Anchors {
  /** Reads what a Markdown text names in the code. */
  texts: { mentions: (text: string) => Promise<Mention[]> };
  /** Returns how near the meaning of decisions is to a text, 0..1 by number; unrelated ones are omitted. */
  compareDecisions?: (tenant: Tenant, text: string) => Promise<ReadonlyMap<number, number>>;
  now: () => Date;
}
