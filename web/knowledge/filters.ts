import { textParameters } from '../search-parameters.ts';

/** Filters in the addresses of the lists. */
export const repositoryFilter = textParameters(['query', 'status']);
export const documentFilter = textParameters(['query', 'status', 'kind']);
/** `link` is something that the decision is about, such as a theme. */
export const newDecision = textParameters(['supersedes', 'link']);
export const signalFilter = textParameters([
  'query',
  'source',
  'customer',
  'theme',
  'segment',
  'intent',
  'polarity',
  'since',
  'least_value',
  'sort',
]);
export const customerFilter = textParameters(['query']);
export const themeFilter = textParameters(['query', 'sort']);
/** First and last day of the trend. */
export const themePeriod = textParameters(['since', 'until']);
/** `code`: the state of the code that a plan or a decision names. */
export const planFilter = textParameters(['query', 'status', 'code', 'sort']);
export const decisionFilter = textParameters(['query', 'status', 'tag', 'code']);
/** `since` and `until` are days; `actor` may be several ids with commas between. */
export const auditFilter = textParameters(['query', 'actor', 'action', 'since', 'until']);
export const keyFilter = textParameters(['query', 'state']);
export const runFilter = textParameters(['kind', 'state']);
/** The tab of a page that has several. */
export const pageView = textParameters(['view']);
