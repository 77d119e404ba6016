import trained from './product-confidence.json' with { type: 'json' };

/** What tells how well what people wrote answers a question about the product, each 0..1. */
export interface ProductFit {
  /** Share of the question's words that one text has. */
  coverage: number;
  /** Share of them in the name of a theme, or in the title of a plan, a decision, a document or a competitor's change. */
  titled: number;
  /** The same share, on average of what is quoted. */
  quoted: number;
}

/** Log odds. */
export type ProductWeights = Record<keyof ProductFit | 'constant', number>;

/**
 * How likely most of what an answer about the product quotes is about what was asked, 0..1. Words alone are not enough: other
 * products have them too. The weights are learnt (`bench/feedback/train-product-confidence.ts`).
 */
export function productConfidenceOf(fit: ProductFit, weights: ProductWeights = trained): number {
  const { constant, coverage, titled, quoted } = weights;
  const sum = constant + coverage * fit.coverage + titled * fit.titled + quoted * fit.quoted;
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000;
}
