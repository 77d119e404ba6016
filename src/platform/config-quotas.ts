import { byteSize, wholeNumber } from './config-schemas.ts';

/** Settings of what a product may use for which nobody chose a limit, so that one team takes nothing from another. */
export const QUOTA_VARIABLES = {
  productRequestsPerMinute: {
    name: 'SVC_PRODUCT_REQUESTS_PER_MINUTE',
    schema: wholeNumber(1, 10_000_000),
    allowed: 'a whole number from 1 to 10000000',
    meaning: 'Requests a minute that all API keys of one product may make together, in each process that serves.',
  },
  productDailyRuns: {
    name: 'SVC_PRODUCT_DAILY_RUNS',
    schema: wholeNumber(1, 1_000_000),
    allowed: 'a whole number from 1 to 1000000',
    meaning: 'Runs of agents that one product may begin in a day (UTC).',
  },
  productStorageBytes: {
    name: 'SVC_PRODUCT_STORAGE',
    schema: byteSize(1_000_000),
    allowed: 'a size from 1MB on, such as 20GB',
    meaning:
      'Uploads and indexes that one product may store. Beyond it further uploads and repositories are refused; those that are there go on.',
  },
};
