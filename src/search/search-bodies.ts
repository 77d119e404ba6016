import { z } from '@hono/zod-openapi';

/** GET search?q=&mode=&repo=&kinds=&path=&tests=&limit=&cursor=. `kinds` has commas between. */
export const SearchQuery = z.object({
  q: z.string().min(1).max(1000),
  mode: z
    .enum(['words', 'symbols', 'text'])
    .default('words')
    .describe('words: by meaning. symbols: by name or wildcard. text: a regular expression over lines'),
  repo: z.string().optional().describe('Name or id; default: all repositories of the product'),
  kinds: z.string().optional().describe('function,class,…; not for text'),
  path: z.string().optional().describe('A file, folder or glob'),
  tests: z.enum(['include', 'exclude', 'only']).default('include'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional(),
  product: z.string().optional().describe('Id or name; default: the first'),
});

export const SearchRow = z.object({
  repo: z.string(),
  path: z.string(),
  line: z.int().describe('Where it starts'),
  end: z.int().optional(),
  kind: z.string().optional().describe('Of symbols'),
  symbol: z.string().optional().describe('Qualified name'),
  text: z.string().describe('The signature of a symbol, the first line of a passage, the line that matches'),
  score: z.number().optional(),
  why: z.string().optional(),
  exported: z.boolean().optional(),
  refs: z.int().optional(),
});

export const SearchResult = z.object({
  total: z.int(),
  at_least: z.boolean().describe('The search stopped at a limit: there may be more than `total`'),
  rows: z.array(SearchRow),
  next: z.string().nullable().describe('The cursor of the next page'),
  notes: z.array(z.string()).describe('Why there are no rows, or what was done differently'),
  indexes: z.array(z.object({ repo: z.string(), state: z.string(), commit: z.string() })),
  call: z
    .object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })
    .describe('The same question as an MCP tools/call'),
});

export type SearchQuery = z.input<typeof SearchQuery>;
export type SearchRow = z.output<typeof SearchRow>;
export type SearchResult = z.output<typeof SearchResult>;
