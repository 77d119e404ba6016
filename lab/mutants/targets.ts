import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Code that decides an order or a verdict, and the tests that have to notice when it decides wrongly. */
export interface Target {
  name: string;
  /** From the root of the repository. */
  files: readonly string[];
  tests: readonly string[];
}

const ROOT = join(import.meta.dirname, '../..');

/** Returns the test beside a file, where it has one. */
function testsBeside(file: string): string[] {
  const test = file.replace(/\.ts$/, '.test.ts');
  return existsSync(join(ROOT, test)) ? [test] : [];
}

/** The tests beside the files notice it too. */
function target(name: string, files: readonly string[], otherTests: readonly string[] = []): Target {
  return { name, files, tests: [...files.flatMap(testsBeside), ...otherTests] };
}

export const TARGETS: readonly Target[] = [
  target(
    'ranking of code',
    [
      'src/code/ranking/rank-score.ts',
      'src/code/ranking/rank-features.ts',
      'src/code-index/format/rank-words.ts',
      'src/code/symbols/search-names.ts',
    ],
    ['src/code/ranking/rank.test.ts', 'src/code/queries/store.test.ts'],
  ),
  target(
    'people of a history',
    ['src/commits/queries/people.ts', 'src/commits/mine/history-writer.ts'],
    ['src/commits/classify/trailers.test.ts', 'src/commits/mine/mine.test.ts'],
  ),
  target(
    'changes of competitors',
    [
      'src/competitors/detect/noise.ts',
      'src/competitors/detect/look.ts',
      'src/competitors/detect/compare.ts',
      'src/competitors/detect/judge.ts',
      'src/competitors/detect/prices.ts',
      'src/competitors/page/page-kind.ts',
    ],
    ['src/competitors/page/read-page.test.ts'],
  ),
  target(
    'grades of references',
    ['src/code/usages/store-usages.ts', 'src/code/dependencies/store-impact.ts'],
    ['src/code/queries/store.test.ts', 'src/code/answers/impact.test.ts', 'src/code/code-tool.test.ts'],
  ),
  target(
    'dead code',
    [
      'src/code/dead-code/store-verdicts.ts',
      'src/code/dead-code/store-symbols.ts',
      'src/code/dead-code/conventions.ts',
      'src/code/dead-code/private-symbols.ts',
    ],
    ['store-dead-code', 'doubts', 'platform'].map((part) => `src/code/dead-code/${part}.test.ts`),
  ),
  target(
    'what languages say of tests, dead code and names',
    ['go', 'java', 'python', 'rust', 'typescript'].map((language) => `src/languages/${language}/language.ts`),
    [
      'src/languages/dead-code-rules.test.ts',
      'src/languages/test-commands.test.ts',
      'src/code/dead-code/store-dead-code.test.ts',
      'src/code/dead-code/doubts.test.ts',
      'src/code/reach/store-tests.test.ts',
      'src/languages/rust/dead-code.test.ts',
      'src/languages/python/loaded-modules.test.ts',
      ...['builds', 'java', 'python', 'rust', 'tables', 'trees', 'typescript'].map(
        (part) => `src/code-index/resolve/resolve-${part}.test.ts`,
      ),
    ],
  ),
  target('smells', [
    'src/code/smells/store-smells.ts',
    'src/code/smells/duplicates.ts',
    'src/code/smells/import-cycles.ts',
  ]),
  target('files that change together', ['src/commits/queries/coupling.ts'], ['src/commits/queries/ranking.test.ts']),
  target('hotspots', ['src/commits/queries/hotspots.ts'], ['src/commits/queries/ranking.test.ts']),
  target(
    'types of commits',
    [
      'src/commits/classify/classify.ts',
      'src/commits/classify/classify-header.ts',
      'src/kernel/path-kinds.ts',
      'src/commits/classify/classify-features.ts',
    ],
    ['src/commits/queries/ranking.test.ts'],
  ),
  target(
    'anchors of plans',
    ['src/anchors/compare-anchors.ts', 'src/anchors/staleness.ts', 'src/anchors/resolve-anchors.ts'],
    ['src/anchors/causes.test.ts', 'src/anchors/explained-commits.test.ts', 'src/plans/plans.test.ts'],
  ),
  target(
    'one ranking over everything',
    ['src/search/fuse.ts', 'src/search/stale.ts'],
    ['src/search/search-tool.test.ts'],
  ),
  target(
    'search of knowledge',
    [
      'src/knowledge/postings.ts',
      'src/knowledge/query-scores.ts',
      'src/knowledge/best-hits.ts',
      'src/knowledge/query-filter.ts',
      'src/knowledge/product-index.ts',
    ],
    ['src/knowledge/knowledge.test.ts'],
  ),
  target(
    'themes of signals',
    [
      'src/signals/polarity.ts',
      'src/signals/trend.ts',
      'src/signals/match-themes.ts',
      'src/signals/grouping/average-link.ts',
      'src/signals/grouping/compared-text.ts',
      'src/signals/grouping/find-emerging.ts',
      'src/signals/grouping/group-texts.ts',
      'src/signals/grouping/label-groups.ts',
      'src/signals/grouping/weigh-texts.ts',
    ],
    ['src/signals/verdicts.test.ts', 'src/signals/signals.test.ts', 'src/signals/grouping/grouping.test.ts'],
  ),
  target('similar decisions', ['src/decisions/similar.ts', 'src/decisions/contradiction.ts']),
  target('keys', ['src/keys/api-key.ts', 'src/keys/rate-limit.ts', 'src/keys/verifier.ts'], ['src/keys/keys.test.ts']),
  target(
    'products apart',
    ['src/decisions/store.ts', 'src/signals/store.ts', 'src/knowledge/store.ts'],
    ['src/decisions/decisions.test.ts', 'src/signals/signals.test.ts', 'src/knowledge/knowledge.test.ts'],
  ),
  target(
    'evidence briefs',
    ['src/evidence/confidence.ts', 'src/evidence/passages.ts', 'src/answers/cited-text.ts'],
    ['src/answers/ask-tools.test.ts', 'src/answers/write-with-model.test.ts'],
  ),
  target(
    'findings of research',
    ['src/answers/research/compare-quotes.ts', 'src/answers/research/conclude.ts'],
    ['src/answers/research/research.test.ts'],
  ),
  target('analysis of bugs', [
    'src/answers/bugs/conclude.ts',
    'src/answers/bugs/evidence.ts',
    'src/answers/bugs/similar-fixes.ts',
    'src/answers/bugs/suspect-commits.ts',
  ]),
  target('reading of bug reports', ['src/localise/read-report.ts', 'src/localise/read-frames.ts']),
  target(
    'runs and their turns',
    ['src/answers/runs/runs.ts', 'src/platform/fair-turns.ts'],
    ['src/answers/runs/runs-clock.test.ts', 'src/answers/runs/lost-processes.test.ts'],
  ),
];
