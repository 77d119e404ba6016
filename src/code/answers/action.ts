import type { CodeSources } from '../queries/code-queries.ts';
import type { EmbeddedQuestion } from '../ranking/question-vectors.ts';
import type { CodeToolArguments } from './code-tool-input.ts';
import type { NamedPlace, NamingWork } from '../naming/naming.ts';
import type { LineAuthors } from '../comments/line-authors.ts';
import type { SmellThresholds } from '../smells/smell-thresholds.ts';

/** One call of an action: its arguments, where the page starts, the indexes, who wrote lines. */
export interface ActionCall {
  args: CodeToolArguments;
  offset: number;
  sources: CodeSources;
  /** The vector of a question in words; empty when no embedding service is configured. */
  embed: (question: string) => Promise<EmbeddedQuestion>;
  authors: LineAuthors;
  /** From where on code smells. */
  thresholds: SmellThresholds;
  /** Plans and decisions that name one of the places. */
  naming: (places: readonly NamedPlace[]) => Promise<NamingWork[]>;
  now: Date;
  signal: AbortSignal;
}
