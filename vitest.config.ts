import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { HANG_LIMIT_MS } from './src/testing/limits.ts';
import { LongestFirst } from './src/testing/longest-first.ts';

export default defineConfig({
  test: {
    // One process runs many files, so that they share its database.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    env: {
      // Tests wait for indexes; on a busy machine those that step back would wait for ever.
      SVC_BACKGROUND_PRIORITY: '0',
      // Where the launcher of `svc` keeps what was compiled: the processes and threads of tests start from it too.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile'),
    },
    testTimeout: HANG_LIMIT_MS,
    hookTimeout: HANG_LIMIT_MS,
    expect: { poll: { timeout: HANG_LIMIT_MS } },
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/tests.json' }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'lab/**/*.test.ts'],
          globalSetup: ['src/testing/global-setup.ts'],
          // Node.js reads these sources as it does in service, for a tenth less of the processor than Vite's module runner.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      // Its parts are written in JSX, which Vite translates.
      { extends: true, test: { name: 'web', include: ['web/**/*.test.ts'] } },
    ],
  },
});
