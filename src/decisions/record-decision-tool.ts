import { z } from 'zod';
import { findProduct } from '../accounts/accounts.ts';
import { visible } from '../kernel/visible.ts';
import { type Answer, type AnyOperation, defineOperation } from '../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../platform/operation/paged-tool.ts';
import type { Decisions } from './context.ts';
import { recordDecision, type RecordedDecision } from './record.ts';
import { GIVEN_STATUSES } from './store.ts';

/** Arguments of `record-decision-tool`: the contract with clients. */
const RecordDecisionInput = z.object({
  title: z.string().describe('Short noun phrase'),
  decision: z.string().describe('What was chosen and why'),
  context: z.string().optional().describe('Problem and forces'),
  status: z.enum(GIVEN_STATUSES).default('accepted').describe('State'),
  options: z
    .array(
      z.object({
        name: z.string().describe('Name'),
        pros: z.array(z.string()).optional().describe('For'),
        cons: z.array(z.string()).optional().describe('Against'),
      }),
    )
    .optional()
    .describe('Considered options'),
  consequences: z.array(z.string()).optional().describe('Good or bad results'),
  links: z.array(z.string()).optional().describe('plan:slug, path:line, symbol:X, sha, signal id, URL'),
  supersedes: z.array(z.string()).optional().describe('Decision ids'),
  tags: z.array(z.string()).optional().describe('Labels'),
  review_on: z.string().optional().describe('Date'),
  dry_run: z.boolean().default(false).describe('Only check'),
  format: FORMAT_FIELD,
});

/** `record-decision-tool`: records a decision of the bound product. `pageUrl` tells where people see one. */
export function recordDecisionTool(decisions: Decisions, pageUrl: (number: number) => string): AnyOperation {
  return defineOperation({
    name: 'record-decision-tool',
    description:
      'Record a product or architecture decision for the bound product (MADR fields). Returns similar decisions; if one is replaced, call again with supersedes.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scope: 'decisions:write',
    input: RecordDecisionInput,
    aliases: {
      decision: ['outcome', 'choice'],
      context: ['rationale', 'background', 'reason'],
      title: ['name', 'subject'],
      review_on: ['reviewOn'],
      dry_run: ['dryRun'],
    },
    async run({ caller }, args) {
      const options = args.options?.map(({ name, pros = [], cons = [] }) => ({ name, pros, cons }));
      const draft = { ...args, options, reviewOn: args.review_on, isDryRun: args.dry_run };
      const recorded = await recordDecision(decisions, caller, { wanted: draft, actor: `key:${caller.keyId}` });
      const product = await findProduct(decisions.db, caller.accountId, caller.productId);
      return answerOf(recorded, product?.name ?? '', pageUrl);
    },
  });
}

function answerOf(recorded: RecordedDecision, product: string, pageUrl: (number: number) => string): Answer {
  const { row, outcome, anchors, links, similar, superseded } = recorded;
  const id = row.number === 0 ? null : `dec:${row.number}`;
  const url = row.number === 0 ? null : pageUrl(row.number);
  const pins = [
    ...anchors.map(({ written, reason, target }) =>
      target === undefined
        ? { written, status: 'unresolved', reason: reason ?? '' }
        : {
            written,
            status: 'resolved',
            path: target.path,
            symbol: target.symbol,
            line: target.line,
            commit: target.baselineCommit,
          },
    ),
    ...links.map(({ link, ...state }) => ({ written: link, ...state })),
  ];
  const similarDecisions = similar.map(({ row: other, score, shared, contradiction }) => ({
    id: `dec:${other.number}`,
    title: other.title,
    status: other.status,
    score,
    shared,
    ...(contradiction !== undefined && { contradicts: contradiction }),
  }));
  const json = {
    op: 'record-decision-tool',
    id,
    slug: row.slug,
    title: row.title,
    status: row.status,
    product,
    outcome,
    ...(outcome === 'duplicate_of' && { duplicate_of: id }),
    anchors: pins,
    similar: similarDecisions,
    superseded: superseded.map((number) => `dec:${number}`),
    url,
  };
  const resolved = pins.filter(({ status }) => status === 'resolved').length;
  const head = [
    `record-decision-tool ${id ?? row.slug} ${outcome}`,
    row.status,
    product,
    `${resolved} of ${pins.length} links resolved`,
    ...(url === null ? [] : [url]),
  ];
  const replaced = json.superseded.map((decision) => `superseded ${decision}`);
  const lines = [head.join(' · '), ...pins.map(pinLine), ...similarLines(similarDecisions), ...replaced];
  return { text: lines.map(visible).join('\n'), json };
}

function pinLine(pin: {
  written: string;
  status: string;
  reason?: string;
  path?: string;
  symbol?: string | null;
  line?: number | null;
}): string {
  if (pin.status !== 'resolved')
    return ` ? ${pin.written} ${pin.status}${pin.reason === undefined || pin.reason === '' ? '' : `: ${pin.reason}`}`;
  if (pin.path === undefined) return ` = ${pin.written}`;
  return ` = ${pin.written} -> ${pin.symbol == null ? pin.path : `sym:${pin.symbol}@${pin.path}`}`;
}

function similarLines(
  similar: readonly {
    id: string;
    title: string;
    status: string;
    score: number;
    shared: string[];
    contradicts?: string;
  }[],
): string[] {
  if (similar.length === 0) return [];
  const ids = JSON.stringify(similar.slice(0, 1).map(({ id }) => id));
  return [
    `similar (if this decision replaces it, call again with supersedes=${ids}):`,
    ...similar.map(({ id, title, status, score, shared, contradicts }) => {
      const words = shared.length === 0 ? 'in other words' : `shared: ${shared.join(', ')}`;
      const against = contradicts === undefined ? '' : ` · may contradict: ${contradicts}`;
      return ` ${id} ${score.toFixed(2)} ${title} (${status}) · ${words}${against}`;
    }),
  ];
}
