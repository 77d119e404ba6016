import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begins with the journeys, which take minutes each, so that no process is left alone with one at the end. Ends with the
 * tests of the web application: a process that ran others is replaced for them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is no array
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => turn(a) - turn(b));
  }
}

function turn({ moduleId, project }: TestSpecification): number {
  if (moduleId.includes('/test/journeys/')) return 0;
  return project.name === 'web' ? 2 : 1;
}
