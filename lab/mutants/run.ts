import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { type Mutant, withMutant } from './mutate.ts';

/** Task of the process that tries mutants: one after another, in a copy of the sources. */
export interface Work {
  root: string;
  tests: readonly string[];
  mutants: readonly (Mutant & { file: string })[];
}

/** Message of that process: that the tests pass unchanged, then for each mutant whether a test failed. */
export type MutantReport = { green: boolean } | { index: number; caught: boolean };

// The first argument is the Work as JSON; see index.ts.
const { root, tests, mutants } = JSON.parse(process.argv[2] ?? '') as Work;
// Whoever started it may be ended.
process.on('disconnect', () => process.exit());
const tell = (report: MutantReport): void => void process.send?.(report);
const vitest = await createVitest('test', {
  root,
  config: join(root, 'vitest.config.ts'),
  watch: false,
  // Nothing is printed: results are sent to the parent.
  reporters: [{}],
  maxWorkers: 1,
  bail: 1,
});
const { testModules } = await vitest.start(tests.map((test) => join(root, test)));
tell({ green: testModules.length > 0 && testModules.every((file) => file.ok()) });
const specifications = testModules.flatMap(({ moduleId }) => vitest.getModuleSpecifications(moduleId));
for (const [index, mutant] of mutants.entries()) {
  const file = join(root, mutant.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, withMutant(text, mutant));
  vitest.invalidateFile(file);
  const run = await vitest.runTestSpecifications(specifications);
  writeFileSync(file, text);
  vitest.invalidateFile(file);
  tell({ index, caught: run.unhandledErrors.length > 0 || run.testModules.some((module) => !module.ok()) });
}
await vitest.close();
process.disconnect?.();
