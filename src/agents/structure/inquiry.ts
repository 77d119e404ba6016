import type { CodePlace } from '../gather/code.ts';
import type { Scope } from '../gather/scope.ts';
import type { Tools } from '../gather/tools.ts';
import type { Citer } from '../prose/cite.ts';
import type { AskedQuestion } from '../question/question.ts';

/** One question about structure while it is answered. */
export interface Inquiry {
  tools: Tools;
  question: AskedQuestion;
  cite: Citer;
  /** Rows that a paragraph shows. */
  most: number;
  /** What the question names, the first place of each name. */
  named: readonly CodePlace[];
  /** The part of the repository that it is narrowed to; undefined for all of it. */
  scope: Scope | undefined;
  /** The path of the one thing that a topic was answered with: `which file is the biggest, and who wrote it?` */
  answer?: string;
  /** How words were read that are no name of the code. */
  readings: string[];
  /** What an answer says of words for which nothing was found. */
  unknown: string[];
  /** Whether a part was hardly more than guessed. */
  isGuessed: boolean;
  /** What is not known, or may be meant otherwise. */
  gaps: string[];
  /** What was counted and how: no doubt of the answer. */
  notes: string[];
  /** Answers that no place shows, such as that there is none. */
  absent: string[];
}
