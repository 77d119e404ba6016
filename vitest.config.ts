import { defineConfig } from 'vitest/config';
import { HANG_LIMIT_MS } from './src/testing/limits.ts';
import { LongestFirst } from './src/testing/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    // One process runs many files, so that they share its database.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Tests wait for indexes; on a busy machine those that step back would wait for ever.
    env: { SVC_BACKGROUND_PRIORITY: '0' },
    testTimeout: HANG_LIMIT_MS,
    hookTimeout: HANG_LIMIT_MS,
    expect: { poll: { timeout: HANG_LIMIT_MS } },
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/tests.json' }]],
  },
});
