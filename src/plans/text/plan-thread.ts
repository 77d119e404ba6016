import { workerData } from 'node:worker_threads';
import { serveTasks } from '../../platform/thread-tasks.ts';
import type { Mention } from '../../anchors/mentions/mentions.ts';
import { mentionsOfText, type PlanText, readPlan } from './plan-text.ts';

/** A text to be read: a plan whole, or what another text names in the code. */
export interface TextTask {
  kind: 'plan' | 'mentions';
  text: string;
}

type TextReply = PlanText | Mention[];

serveTasks(
  workerData as { data: undefined; stop: Int32Array },
  () =>
    ({ kind, text }: TextTask): TextReply =>
      kind === 'plan' ? readPlan(text) : mentionsOfText(text),
);
