/**
 * Paths of files that stand aside, by the question that leaves them out: code that is copied, built, shown or there to test other
 * code, and texts that are no documents of the product.
 */
const PATTERNS = {
  lock: /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.ya?ml|yarn\.lock|bun\.lockb?|deno\.lock|cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|pipfile\.lock|composer\.lock|gemfile\.lock|go\.sum|go\.work\.sum|mix\.lock|flake\.lock|packages\.lock\.json|gradle\.lockfile|podfile\.lock|pubspec\.lock)$/i,
  /** Copies of somebody else's. */
  vendored: /(^|\/)(node_modules|bower_components|vendor|third_party|thirdparty|\.yarn)\//i,
  generated:
    /(^|\/)(dist|__generated__|__snapshots__|__image_snapshots__)\/|(\.min\.(?:[cm]?js|css)|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.generated\.[a-z]+|\.snap|\.map)$/i,
  testFolder:
    /(^|\/)(__tests__|__mocks__|__fixtures__|tests?|specs?|e2e|testing|testdata|(unit|integration|functional|acceptance|smoke|e2e)[-_]?tests?|tests?[-_](unit|integration|functional|acceptance|smoke|e2e|utils|helpers|fixtures|data))\//i,
  /** Source sets of Gradle and projects of .NET: `src/androidTest/kotlin`, `Shop.Api.UnitTests`. */
  testProject:
    /(^|\/)(src\/([a-z]\w*Test|testFixtures)\/(java|kotlin|groovy|scala|resources)|[\w.]*\.[A-Z]?\w*Tests?)\//,
  testFile:
    /(^|\/)(test_[^/]*\.py|e2e_test_[^/]*\.py|conftest\.py|[^/]*[._-](tests?|specs?|e2e|cy)\.[a-z]+|[^/]*(_test\.go|_test\.py|_tests?\.rs|(Tests?|TestCase|IT)\.(java|kt)|Tests?\.(cs|swift|scala|php)|(Spec|Suite)\.scala))$/,
  /** Code that is there to be read or copied, not called. */
  shown:
    /(^|\/)(examples?|docs?(_src)?|demos?|samples?|playgrounds?|fixtures?|testdata|benchmarks?|templates?|snippets)\//i,
  /** What the list of files calls an example. */
  example: /(^|\/)(examples?|demos?|samples?|playgrounds?|snippets|docs?_src)\//i,
  /** Trees that show or measure the code and are not what runs, where a fault is looked for. */
  besideCode:
    /(?:^|\/)_?(?:docs?|documentation|website|examples?|samples?|demos?|playgrounds?|bench(?:es|marks?)?|fixtures?|t|testing|test-?suites?|tests?-[\w-]+|integration|e2e|[\w-]+-tests?)\//i,
  /** Files that build, check or release the code. */
  tooling: /(?:^|\/)\.|^(?:scripts?|tools?|build|hack|ci|extras?)\/|\.config\.[cm]?[jt]s$/,
  /** Folders whose content a library keeps for itself, by the habits of all languages. */
  internal:
    /(^|\/)(internals?|impl|private|unstable[\w-]*|cmd|vendor|third_party|benchmarks?|samples?|demos?|t|(?!latest\/)\w*test(?:suite|ing|util|data)?s?)\//i,
  /** Copied from elsewhere, or there to be read by tests and generators. */
  unchanged: /(^|\/)(fixtures?|testdata|templates?|vendor|third_party|node_modules)\//,
  /** Hidden folders, and those that ship or drive the product from outside. */
  delivery: /(?:^|\/)(?:\.[^/]+|contrib|cypress|docker|packaging)\//,
  /** Texts in one language, which some frameworks keep in code: `lang/de_DE/auth.php`, `locales/fr.ts`. Of `lang/go` that cannot be said. */
  translation:
    /(?:^|\/)(?:(?:locales?|i18n|l10n|translations)\/(?:[^/]+\/)*[a-z]{2}(?:[-_][A-Za-z]{2,4})?|(?:resources\/lang\/[a-z]{2}|lang\/[a-z]{2}[-_][A-Za-z]{2,4}))(?:\/|\.\w+$)/,
  /** Decision records of tests and of packages that came along. */
  foreignRecord:
    /(?:^|\/)(?:node_modules|vendor|third_party|__tests__|(?:[\w-]*-)?tests?|fixtures?|testdata|examples?|templates?)\//i,
  /** Folders of documentation and decision records. */
  documentation: /(?:^|\/)(?:docs?|documentation|adrs?|decisions|rfcs?)\//i,
  /** Texts that are no documentation in any folder, and plans, which are taken as plans. */
  foreignDocument:
    /(?:^|\/)(?:node_modules|vendor|third_party|fixtures?|__fixtures__|testdata|tests?|__tests__)\/|(?:^|\/)plans\/|(?:^|\/)requirements[^/]*\.txt$/i,
  /** Release notes among documentation that was taken from a repository. */
  releaseNotes: /(?:^|\/)(?:changes|changelog|history|news|releases?|release[-_]notes|whatsnew)\b[^/]*$/i,
  /** Documents that tell what happened, or about the project itself. */
  projectNotes:
    /(?:^|\/)(?:change(?:log|s)|history|news|licen[cs]e|contributing|code_of_conduct|security|authors|credits)\b/i,
  /** Files that list what other files say, what happened, or values: as text they are searched by `grep`. */
  list: /(?:^|\/)(?:CHANGE(?:S|LOG)|HISTORY|NEWS)\b[^/]*$|\.(?:svg|map|csv|tsv|jsonl|json5?lines|po|lock)$/i,
} as const;

/** Folders that builders write into, by what they write; what follows has the path of its source. */
const OUTPUT_FOLDER =
  /^(?:dist|build|lib|out|output|es|esm|cjs)\/(?:(?:types|esm|cjs|mjs|es|src|modern|legacy|browser|bun|deno)\/)?/;

/** A path in a package without the folder of output that it begins with: `dist/esm/http.js` is `http.js`. */
export function withoutOutputFolder(path: string): string {
  return path.replace(OUTPUT_FOLDER, '');
}

/** Reason why changes to a file say nothing about how code changes. */
type OmittedKind = 'lock' | 'generated' | 'vendored';

/** True if a path is of a kind. */
export function isPathOf(kind: keyof typeof PATTERNS, path: string): boolean {
  return PATTERNS[kind].test(path);
}

/** Tells a lock file, a generated file, or a copy of somebody else's, by its name and folder alone; undefined for any other. */
export function omittedKind(path: string): OmittedKind | undefined {
  return (['lock', 'vendored', 'generated'] as const).find((kind) => isPathOf(kind, path));
}

/** True if the code at a path is there to test other code. */
export function isTestPath(path: string): boolean {
  return isPathOf('testFolder', path) || isPathOf('testProject', path) || isPathOf('testFile', path);
}

/** True if the code at a path is there to be read or copied, not called. */
export function isShown(path: string): boolean {
  return isPathOf('shown', path);
}

/** The purpose of a file as far as its path tells. `source` is everything that is none of the others. */
export type PathKind =
  | 'ci'
  | 'test'
  | 'docs'
  | 'lock'
  | 'manifest'
  | 'tooling'
  | 'bench'
  | 'asset'
  | 'config'
  | 'source';

/** The first that matches counts, so that a test of a workflow is `ci` and a README of the tests is `test`. */
const PURPOSES: readonly (readonly [PathKind, RegExp])[] = [
  [
    'ci',
    /(^|\/)(\.github\/(workflows|actions)|\.circleci|\.buildkite|\.gitlab\/ci|\.ci|ci|\.azure-pipelines?|\.semaphore|\.kokoro)\/|(^|\/)(\.travis\.yml|\.gitlab-ci\.yml|appveyor\.yml|\.appveyor\.yml|azure-pipelines[^/]*\.yml|jenkinsfile|\.cirrus\.yml|codecov\.yml|\.codecov\.yml|\.drone\.yml)$|(^|\/)\.github\/(dependabot|renovate|mergify|labeler|stale)[^/]*$|(^|\/)\.mergify\.yml$/,
  ],
  [
    'lock',
    /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|deno\.lock|flake\.lock|gradle\.lockfile)$/,
  ],
  [
    'docs',
    /(^|\/)(license|licence|changelog|changes|contributing|readme|authors|security|notice|code_of_conduct)[^/]*$/,
  ],
  [
    'test',
    /(^|\/)(__tests__|__mocks__|__snapshots__|__fixtures__|tests?|testing|specs?|e2e|testdata|test-?data|fixtures?|[\w-]+-tests?|tests?-[\w-]+|runtime-tests|type-?tests|dtslint|test-dts|playgrounds?)\/|(^|\/)(test_[^/]+\.py|conftest\.py|[^/]+_tests?\.(py|go|rb|exs?|dart)|[^/]+[._-](test|spec|test-d|e2e|cy)\.[^/]+|[^/]*(test|tests|it|spec)\.(java|kt|cs|scala|swift|php)|tests?\.(rs|py|ts|js))$|\.snap$/,
  ],
  ['bench', /(^|\/)(bench(es|marks?)?|perf)\/|[._-]bench\.[^/]+$|_bench\.[^/]+$/],
  ['docs', /\.(md|mdx|rst|adoc|txt)$|(^|\/)(docs?|documentation|website|www|examples?|samples?|demos?)\//],
  [
    'manifest',
    /(^|\/)(package\.json|lerna\.json|pnpm-workspace\.yaml|cargo\.toml|go\.(mod|work)|pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|gradle\.properties|gradle-wrapper\.[^/]+|requirements[^/]*\.txt|pyproject\.toml|setup\.(py|cfg)|pipfile|gemfile|[^/]+\.gemspec|composer\.json|deno\.jsonc?|makefile|[^/]+\.mk|dockerfile[^/]*|[^/]+\.dockerfile|\.dockerignore|docker-compose[^/]*|compose\.ya?ml|justfile|taskfile\.ya?ml|magefile\.go|cmakelists\.txt|[^/]+\.cmake|build\.(rs|sbt|zig|bazel)|bazel[^/]*|workspace|tsconfig[^/]*\.json|jsconfig\.json|(webpack|rollup|vite|vitest|rolldown|tsup|tsdown|unbuild|build|esbuild|babel|swc|turbo|nx|gulpfile|gruntfile|jest|karma)(\.[\w-]+)*\.(js|mjs|cjs|ts|mts|json)|[^/]+\.nix|\.goreleaser[^/]*|\.nvmrc|\.node-version|\.npmrc|\.python-version|\.tool-versions|rust-toolchain(\.toml)?|[^/]+\.csproj|[^/]+\.sln|directory\.(build|packages)\.props|tox\.ini|noxfile\.py)$/,
  ],
  [
    'tooling',
    /(^|\/)(\.?eslint[^/]*|\.?prettier[^/]*|\.editorconfig|\.gitignore|\.gitattributes|\.npmignore|biome\.jsonc?|dprint\.json|\.?stylelint[^/]*|\.?rustfmt\.toml|\.?clippy\.toml|\.golangci[^/]*|\.?ruff\.toml|\.flake8|\.pylintrc|mypy\.ini|\.pre-commit[^/]*|lint-staged[^/]*|\.?lintstaged[^/]*|\.?commitlint[^/]*|\.?cspell[^/]*|typos\.toml|\.?markdownlint[^/]*|\.?size-limit[^/]*|\.releaserc[^/]*|release[^/]*config[^/]*|\.?release-please[^/]*|renovate\.json5?|codeowners|\.mailmap|\.all-contributorsrc|cliff\.toml|owlbot\.py|\.licenserc[^/]*)$|(^|\/)(\.husky|\.vscode|\.idea|\.changeset|\.github|\.devcontainer|scripts?|tools?|hack)\//,
  ],
  ['asset', /\.(css|scss|sass|less|styl|svg|png|jpe?g|gif|ico|webp|avif|woff2?|ttf|mp4|html)$/],
  ['config', /\.(json|jsonc|json5|ya?ml|toml|ini|env|cfg|conf|properties|xml)$|(^|\/)\.[^/]+$/],
];

/** Paths whose kind is cached: many commits change the same files, and questions look at them again. */
const CACHED_PATHS = 20_000;
const kindsOfPaths = new Map<string, PathKind>();

/** Returns the purpose of the file at a path. */
export function pathKind(path: string): PathKind {
  let kind = kindsOfPaths.get(path);
  if (kind === undefined) {
    if (kindsOfPaths.size >= CACHED_PATHS) kindsOfPaths.clear();
    const lower = path.toLowerCase();
    kindsOfPaths.set(path, (kind = PURPOSES.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'source'));
  }
  return kind;
}
