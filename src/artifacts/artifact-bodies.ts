import { z } from '@hono/zod-openapi';

/** A file of `.svc/`, as the manifest names it. */
export const ArtifactEntry = z.object({
  path: z.string().describe('Below .svc/: work-items.json, plans/<slug>.md'),
  etag: z.string().describe('Another content has another tag'),
  url: z.string().describe('Path and query at which the service gives it'),
});

/** `GET /v1/artifacts`: what `svc sync` keeps in `.svc/`. */
export const ManifestBody = z.object({
  repo: z.string().nullable().describe('Name of the repository; null: the product has none that is indexed'),
  commit: z.string().nullable().describe('The indexed commit'),
  files: z.array(ArtifactEntry),
});

/** A plan as artifacts list it. */
export const ArtifactPlan = z.object({
  id: z.string().describe('Handle: plan:slug'),
  slug: z.string(),
  title: z.string(),
  status: z.string(),
  version: z.int(),
  stale: z
    .string()
    .nullable()
    .describe('fresh, aging, stale 3/7 since a1b2c3d, broken, unresolved 1/3; null: it names no indexed code'),
  path: z.string().nullable().describe('The file of a repository that it is kept in; null: it is kept in the service'),
});

export const PlanListing = z.object({ plans: z.array(ArtifactPlan) });

const ArtifactItem = z.object({
  id: z.string().describe('Handle: wi:12'),
  key: z.string().describe('Within its plan: T1'),
  number: z.string().describe('Its number or id in the text of the plan, as written; empty: none'),
  group: z.string().describe('The headings above it, with › between them: a phase, a user story; empty: none'),
  plan: z.string().describe('Handle of its plan: plan:slug'),
  title: z.string(),
  body: z.string().describe('What the plan says below it, verbatim: steps, code, assertions. Markdown'),
  stale: z.string().nullable().describe('As of a plan, of what the item names; null: that is no indexed code'),
  status: z.enum(['todo', 'doing', 'done', 'dropped']),
  assignee: z.string(),
  priority: z.enum(['', 'urgent', 'high', 'medium', 'low']),
  depends: z.array(z.string()).describe('Keys of items of the same plan'),
  waits_for: z.array(z.string()).describe('Handles of the items before it that are neither done nor dropped'),
  files: z.array(z.string()),
  symbols: z.array(z.string()),
  acceptance: z.array(z.string()),
  estimate: z.string(),
  test: z.string(),
  notes: z.string(),
});

const FeatureRow = z
  .tuple([
    z.string().describe('Handle: feature:checkout; entity-analysis-tool takes it'),
    z.string().describe('Name'),
    z.array(z.string()).describe('Routes and pages: GET /orders/:id'),
    z.array(z.string()).describe('Files, the main ones first'),
    z.array(z.string()).describe('Who works most on them'),
    z.array(z.string()).describe('Tests'),
    z.array(z.string()).describe('Handles of plans, decisions and themes about it'),
  ])
  .describe('What the application does: id, name, routes, files, owners, tests, written');

const NodeRow = z
  .tuple([
    z
      .string()
      .describe('Handle: sym:Class/method@path, file:path, plan:slug; of another repository with its name before it'),
    z
      .string()
      .describe(
        'feature, layer, component, route, table, file, symbol, test, plan, work_item, decision, theme, document, competitor',
      ),
    z.string().describe('Name; empty where the id holds it'),
    z
      .record(z.string(), z.array(z.string()))
      .describe(
        'Ids by relation, read from this node to them, and grade: calls~. = by a compiler, ~ by scope and import, ? by name alone, ! stated by somebody. What ids say (a symbol in its file) is left out',
      ),
  ])
  .describe('id, kind, name, links');

/** `graph.json`. */
export const GraphFile = z
  .object({
    columns: z.record(z.string(), z.array(z.string())).describe('What stands at each place of a row'),
    cut: z.boolean().describe('Whether there is more: svc sync --full, or entity-analysis-tool'),
    features: z.array(FeatureRow),
    nodes: z.array(NodeRow),
    repo: z.string(),
  })
  .describe('The graph of a repository and what people wrote about it. One feature or node a line, keys sorted.');

/** `ownership.json`. */
export const OwnersFile = z
  .object({
    repo: z.string(),
    files: z.array(
      z.object({
        path: z.string(),
        bus_factor: z.int().describe('The fewest people with more than half of the decayed commits'),
        owners: z
          .array(
            z.object({
              author: z.string(),
              commits: z.int(),
              commits_decayed_pct: z.number().describe('Each commit counts half after every 180 days'),
              last: z.string().describe('Day of the newest commit'),
            }),
          )
          .describe('At most three, most first'),
      }),
    ),
  })
  .describe('Who works on each file of a repository, by commits. One file a line, keys sorted.');

/** `work-items.json`. */
export const WorkItemsFile = z
  .object({ plans: z.array(ArtifactPlan), work_items: z.array(ArtifactItem) })
  .describe('Plans by slug, and their work items by plan and in its order. One entry a line, keys sorted.');
