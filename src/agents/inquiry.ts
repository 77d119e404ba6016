import type { CodePlace } from './gather/code.ts';
import type { Tools } from './gather/tools.ts';
import type { Citer } from './prose/cite.ts';
import type { AskedQuestion } from './question/question.ts';

/** One question about structure while it is answered. */
export interface Inquiry {
  tools: Tools;
  question: AskedQuestion;
  cite: Citer;
  /** Rows that a paragraph shows. */
  most: number;
  /** What the question names, the first place of each name. */
  named: readonly CodePlace[];
  gaps: string[];
  /** Answers that no place shows, such as that there is none. */
  absent: string[];
}
