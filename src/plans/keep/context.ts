import type { Anchors } from '../../anchors/lookups/lookups.ts';
import type { PlanTexts } from '../text/plan-texts.ts';

/** Dependencies of every function of this slice. `texts` has to be closed. */
export interface Plans extends Anchors {
  /** Reads what people write. */
  texts: PlanTexts;
  now: () => Date;
}
