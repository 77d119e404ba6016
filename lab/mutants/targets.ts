/** Code that decides an order or a verdict, and the tests that have to notice when it decides wrongly. */
export interface Target {
  name: string;
  /** From the root of the repository. */
  files: readonly string[];
  tests: readonly string[];
}

export const TARGETS: readonly Target[] = [
  {
    name: 'ranking of code',
    files: [
      'src/code/ranking/rank-score.ts',
      'src/code/ranking/rank-features.ts',
      'src/code-index/format/rank-words.ts',
      'src/code/symbols/search-names.ts',
    ],
    tests: [
      'src/code/ranking/rank.test.ts',
      'src/code/ranking/rank-score.test.ts',
      'src/code/ranking/rank-features.test.ts',
      'src/code-index/format/rank-words.test.ts',
      'src/code/queries/store.test.ts',
    ],
  },
  {
    name: 'people of a history',
    files: ['src/commits/queries/people.ts', 'src/commits/mine/history-writer.ts'],
    tests: [
      'src/commits/queries/people.test.ts',
      'src/commits/classify/trailers.test.ts',
      'src/commits/mine/mine.test.ts',
    ],
  },
  {
    name: 'changes of competitors',
    files: [
      'src/competitors/detect/noise.ts',
      'src/competitors/detect/look.ts',
      'src/competitors/detect/compare.ts',
      'src/competitors/detect/judge.ts',
      'src/competitors/detect/prices.ts',
      'src/competitors/page/page-kind.ts',
    ],
    tests: [
      'src/competitors/detect/look.test.ts',
      'src/competitors/detect/judge.test.ts',
      'src/competitors/detect/prices.test.ts',
      'src/competitors/page/read-page.test.ts',
    ],
  },
  {
    name: 'grades of references',
    files: ['src/code/usages/store-usages.ts', 'src/code/dependencies/store-impact.ts'],
    tests: ['src/code/queries/store.test.ts', 'src/code/answers/impact.test.ts', 'src/code/code-tool.test.ts'],
  },
  {
    name: 'dead code',
    files: [
      'src/code/dead-code/store-verdicts.ts',
      'src/code/dead-code/store-symbols.ts',
      'src/code/dead-code/conventions.ts',
      'src/code/dead-code/private-symbols.ts',
      'src/languages/go/language.ts',
      'src/languages/java/language.ts',
      'src/languages/python/language.ts',
      'src/languages/rust/language.ts',
      'src/languages/typescript/language.ts',
    ],
    tests: [
      'src/code/dead-code/store-dead-code.test.ts',
      'src/code/dead-code/private-symbols.test.ts',
      'src/languages/rust/dead-code.test.ts',
    ],
  },
  {
    name: 'smells',
    files: ['src/code/smells/store-smells.ts', 'src/code/smells/duplicates.ts', 'src/code/smells/import-cycles.ts'],
    tests: ['src/code/smells/store-smells.test.ts'],
  },
  {
    name: 'files that change together',
    files: ['src/commits/queries/coupling.ts'],
    tests: ['src/commits/queries/ranking.test.ts', 'src/commits/queries/coupling.test.ts'],
  },
  { name: 'hotspots', files: ['src/commits/queries/hotspots.ts'], tests: ['src/commits/queries/ranking.test.ts'] },
  {
    name: 'types of commits',
    files: [
      'src/commits/classify/classify.ts',
      'src/commits/classify/classify-header.ts',
      'src/commits/classify/classify-paths.ts',
      'src/commits/classify/classify-features.ts',
    ],
    tests: [
      'src/commits/classify/classify.test.ts',
      'src/commits/classify/classify-features.test.ts',
      'src/commits/queries/ranking.test.ts',
    ],
  },
  {
    name: 'anchors of plans',
    files: ['src/anchors/compare-anchors.ts', 'src/anchors/staleness.ts', 'src/anchors/resolve-anchors.ts'],
    tests: [
      'src/anchors/staleness.test.ts',
      'src/anchors/compare-anchors.test.ts',
      'src/anchors/explained-commits.test.ts',
      'src/anchors/resolve-anchors.test.ts',
      'src/plans/plans.test.ts',
    ],
  },
  {
    name: 'one ranking over everything',
    files: ['src/search/fuse.ts', 'src/search/stale.ts'],
    tests: ['src/search/fuse.test.ts', 'src/search/stale.test.ts', 'src/search/search-tool.test.ts'],
  },
  {
    name: 'search of knowledge',
    files: [
      'src/knowledge/postings.ts',
      'src/knowledge/query-scores.ts',
      'src/knowledge/best-hits.ts',
      'src/knowledge/query-filter.ts',
      'src/knowledge/product-index.ts',
    ],
    tests: ['src/knowledge/product-index.test.ts', 'src/knowledge/knowledge.test.ts'],
  },
  {
    name: 'themes of signals',
    files: [
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
    tests: [
      'src/signals/verdicts.test.ts',
      'src/signals/polarity.test.ts',
      'src/signals/signals.test.ts',
      'src/signals/match-themes.test.ts',
      'src/signals/grouping/find-emerging.test.ts',
      'src/signals/grouping/grouping.test.ts',
      'src/signals/grouping/label-groups.test.ts',
    ],
  },
  {
    name: 'similar decisions',
    files: ['src/decisions/similar.ts', 'src/decisions/contradiction.ts'],
    tests: ['src/decisions/similar.test.ts'],
  },
  {
    name: 'keys',
    files: ['src/keys/api-key.ts', 'src/keys/rate-limit.ts', 'src/keys/verifier.ts'],
    tests: [
      'src/keys/api-key.test.ts',
      'src/keys/rate-limit.test.ts',
      'src/keys/verifier.test.ts',
      'src/keys/keys.test.ts',
    ],
  },
  {
    name: 'products apart',
    files: ['src/decisions/store.ts', 'src/signals/store.ts', 'src/knowledge/store.ts'],
    tests: ['src/decisions/decisions.test.ts', 'src/signals/signals.test.ts', 'src/knowledge/knowledge.test.ts'],
  },
  {
    name: 'evidence briefs',
    files: ['src/evidence/confidence.ts', 'src/evidence/passages.ts', 'src/answers/cited-text.ts'],
    tests: [
      'src/evidence/confidence.test.ts',
      'src/evidence/passages.test.ts',
      'src/answers/ask-tools.test.ts',
      'src/answers/write-with-model.test.ts',
    ],
  },
  {
    name: 'findings of research',
    files: ['src/answers/research/compare-quotes.ts', 'src/answers/research/conclude.ts'],
    tests: [
      'src/answers/research/compare-quotes.test.ts',
      'src/answers/research/conclude.test.ts',
      'src/answers/research/research.test.ts',
    ],
  },
  {
    name: 'analysis of bugs',
    files: [
      'src/answers/bugs/conclude.ts',
      'src/answers/bugs/evidence.ts',
      'src/answers/bugs/similar-fixes.ts',
      'src/answers/bugs/suspect-commits.ts',
    ],
    tests: [
      'src/answers/bugs/conclude.test.ts',
      'src/answers/bugs/evidence.test.ts',
      'src/answers/bugs/similar-fixes.test.ts',
      'src/answers/bugs/suspect-commits.test.ts',
    ],
  },
  {
    name: 'reading of bug reports',
    files: ['src/localise/read-report.ts', 'src/localise/read-frames.ts'],
    tests: ['src/localise/read-report.test.ts', 'src/localise/read-frames.test.ts'],
  },
  {
    name: 'runs and their turns',
    files: ['src/answers/runs/runs.ts', 'src/answers/runs/fair-turns.ts'],
    tests: [
      'src/answers/runs/fair-turns.test.ts',
      'src/answers/runs/runs-clock.test.ts',
      'src/answers/runs/runs.test.ts',
      'src/answers/runs/lost-processes.test.ts',
    ],
  },
];
