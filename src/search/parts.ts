import type { Catalogs } from '../code/catalog/catalog.ts';
import type { QuestionVectors } from '../text/encoder/question-vectors.ts';
import type { Documents } from '../documents/documents.ts';
import type { Indexes } from '../indexes/indexes.ts';
import type { KnowledgeIndex } from '../knowledge/knowledge.ts';
import type { Plans } from '../plans/plans.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Signals } from '../signals/signals.ts';

/** The parts that the search over everything works with. */
export interface SearchParts {
  indexes: Indexes & { questionVectors?: QuestionVectors; catalogs?: Catalogs };
  knowledge: KnowledgeIndex;
  plans: Plans;
  documents: Documents;
  signals: Signals;
  /** Names of the competitors that a product watches. */
  competitorNames: (tenant: Tenant) => Promise<string[]>;
  /** Is told what failed in a corpus without being meant to: the other corpora answer all the same. */
  onFault: (error: unknown) => void;
}
