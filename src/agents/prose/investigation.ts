import type { Ledger } from '../ledger/ledger.ts';
import type { Composed } from './prose.ts';

/** What an agent found out, before its sources are checked. */
export interface Investigation {
  composed: Composed;
  /** An answer that no place shows, such as that there is none: it stands in front. */
  lead?: string;
  ledger: Ledger;
  /** 0..1, computed from how well the index fits the question. */
  confidence: number;
  /** Whether the index does not seem to contain what is asked for. */
  isRefused: boolean;
}
