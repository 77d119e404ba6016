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
const KINDS: readonly (readonly [PathKind, RegExp])[] = [
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
    kindsOfPaths.set(path, (kind = KINDS.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'source'));
  }
  return kind;
}
