import type { LanguageRegistration } from '@shikijs/primitive';

type Grammar = () => Promise<{ default: LanguageRegistration[] }>;

/** The grammars that are offered, each loaded when a file of its language is shown. */
const GRAMMARS: Readonly<Record<string, Grammar>> = {
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  dart: () => import('@shikijs/langs/dart'),
  docker: () => import('@shikijs/langs/docker'),
  elixir: () => import('@shikijs/langs/elixir'),
  go: () => import('@shikijs/langs/go'),
  graphql: () => import('@shikijs/langs/graphql'),
  html: () => import('@shikijs/langs/html'),
  ini: () => import('@shikijs/langs/ini'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/jsonc'),
  jsx: () => import('@shikijs/langs/jsx'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  lua: () => import('@shikijs/langs/lua'),
  make: () => import('@shikijs/langs/make'),
  markdown: () => import('@shikijs/langs/markdown'),
  php: () => import('@shikijs/langs/php'),
  proto: () => import('@shikijs/langs/proto'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  scala: () => import('@shikijs/langs/scala'),
  scss: () => import('@shikijs/langs/scss'),
  shell: () => import('@shikijs/langs/shellscript'),
  sql: () => import('@shikijs/langs/sql'),
  svelte: () => import('@shikijs/langs/svelte'),
  swift: () => import('@shikijs/langs/swift'),
  terraform: () => import('@shikijs/langs/terraform'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  vue: () => import('@shikijs/langs/vue'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
};

/** Endings of file names, and whole names, by grammar. */
const NAMES: Readonly<Record<string, string>> = {
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp hxx ipp',
  csharp: 'cs',
  css: 'css',
  dart: 'dart',
  docker: 'dockerfile containerfile',
  elixir: 'ex exs',
  go: 'go',
  graphql: 'graphql gql',
  html: 'html htm',
  ini: 'ini cfg conf editorconfig properties',
  java: 'java',
  javascript: 'js mjs cjs',
  json: 'json jsonc json5 webmanifest',
  jsx: 'jsx',
  kotlin: 'kt kts',
  lua: 'lua',
  make: 'makefile mk',
  markdown: 'md markdown mdx',
  php: 'php',
  proto: 'proto',
  python: 'py pyi',
  ruby: 'rb gemfile rakefile gemspec',
  rust: 'rs',
  scala: 'scala sbt',
  scss: 'scss',
  shell: 'sh bash zsh',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  terraform: 'tf hcl',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'ts mts cts',
  vue: 'vue',
  xml: 'xml svg xsd csproj',
  yaml: 'yaml yml',
};

const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([grammar, names]) => names.split(' ').map((name) => [name, grammar] as const)),
);

/** The grammar of a file by its name; undefined where there is none. */
export function grammarOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return BY_NAME.get(name) ?? BY_NAME.get(name.slice(name.lastIndexOf('.') + 1));
}

export async function loadGrammar(name: string): Promise<LanguageRegistration[]> {
  return (await GRAMMARS[name]?.())?.default ?? [];
}
