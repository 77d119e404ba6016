/** Projects on which the weights of the next author are fitted: the development repositories of the graders. */
export const PROJECTS: readonly string[] = [
  'TanStack/query',
  'caddyserver/caddy',
  'clap-rs/clap',
  'fastify/fastify',
  'gin-gonic/gin',
  'google/gson',
  'honojs/hono',
  'modelcontextprotocol/typescript-sdk',
  'mwaskom/seaborn',
  'pallets/flask',
  'pytest-dev/pytest',
  'scrapy/scrapy',
  'vitest-dev/vitest',
];

/** Projects that are excluded for the weights of fault locations: their code takes longest to index, three times each. */
const LARGE = ['TanStack/query', 'modelcontextprotocol/typescript-sdk', 'vitest-dev/vitest'];
export const FIXED_PROJECTS = PROJECTS.filter((project) => !LARGE.includes(project));
