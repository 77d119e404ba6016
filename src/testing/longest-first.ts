import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begins with the journeys, which take minutes each, so that no process is left alone with one at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is no array
    const sorted = await super.sort(files);
    return [...sorted.filter(isJourney), ...sorted.filter((file) => !isJourney(file))];
  }
}

function isJourney({ moduleId }: TestSpecification): boolean {
  return moduleId.includes('/test/journeys/');
}
