import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    // One process runs many files, so that they share its database.
    isolate: false,
    maxWorkers: 2,
    // Tests wait for indexes; on a busy machine those that step back would wait for ever.
    env: { SVC_BACKGROUND_PRIORITY: '0' },
    // The first test of a process opens the database.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/tests.json' }]],
  },
});
