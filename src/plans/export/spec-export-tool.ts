import { z } from 'zod';
import { answerJson, answerText, describeCall, type Draft } from '../../kernel/answer.ts';
import { describeIndex } from '../../kernel/freshness.ts';
import { charactersIn, tokensOf } from '../../kernel/budget.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';
import {
  type Answer,
  type AnyOperation,
  type CallContext,
  defineOperation,
} from '../../platform/operation/operation.ts';
import { CURSOR_FIELD, FORMAT_FIELD, omitDefaults } from '../../platform/operation/paged-tool.ts';
import { findItem, findPlan, itemsOfPlans } from '../keep/change-plan.ts';
import type { Plans } from '../keep/context.ts';
import { type ExportSources, gatherSpec } from './gather.ts';
import { issue } from './issue.ts';
import { openspec } from './openspec.ts';
import { paginate } from './paging.ts';
import { frontMatter, prompt } from './prompt.ts';
import type { Layout, Spec, SpecTask, Unit } from './spec.ts';
import { specKit } from './spec-kit.ts';
import { taskMaster } from './task-master.ts';
import { listPlans } from '../keep/plan-lists.ts';
import type { PlanRow } from '../store/store.ts';
import type { WorkItem } from '../store/work-items.ts';

const LAYOUTS: Record<SpecExportArguments['target'], Layout> = {
  prompt,
  'spec-kit': specKit,
  openspec,
  'task-master': taskMaster,
  issue,
};

/** Characters reserved for the heads of pages and the names of files, whatever the plan. */
const RESERVED = 700;

/** Arguments of `spec-export-tool`: the contract with clients. */
const SpecExportInput = z.object({
  plan: z.string().optional().describe('Plan slug or id'),
  task: z.string().optional().describe('Only this work item'),
  target: z.enum(['prompt', 'spec-kit', 'openspec', 'task-master', 'issue']).default('prompt').describe('Layout'),
  include: z
    .array(z.enum(['code', 'decisions', 'signals', 'history']))
    .optional()
    .describe('Extra context'),
  max_tokens: z.int().min(500).max(20_000).default(8000).describe('Response budget'),
  cursor: CURSOR_FIELD,
  format: FORMAT_FIELD,
});

type SpecExportArguments = z.output<typeof SpecExportInput>;

/** `spec-export-tool`: plans as something that a coding agent can carry out. */
export function specExportTool(plans: Plans, sources: ExportSources): AnyOperation {
  return defineOperation({
    name: 'spec-export-tool',
    description:
      'Export a plan as a prompt a coding agent can execute: goal, requirements with acceptance checks, ordered tasks with files and symbols, decisions, constraints, what is stale. Omit plan to list plans.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: SpecExportInput,
    commands: {
      heading: 'Knowledge:',
      actions: {
        '': { name: 'spec', description: 'A plan as a task for an agent', subject: 'plan' },
      },
    },
    aliases: { plan: ['slug', 'name', 'query', 'id'], task: ['item', 'work_item'], max_tokens: ['maxTokens'] },
    async run(context, args) {
      if (args.plan === undefined || args.plan === '') return listAnswer(plans, context, args);
      return exportAnswer({ plans, sources }, context, args);
    },
  });
}

async function listAnswer(plans: Plans, { caller }: CallContext, args: SpecExportArguments): Promise<Answer> {
  const listed = await listPlans(plans, caller);
  const binding = { arguments: 'list', generation: listed.map(({ row }) => `${row.slug} ${row.version}`).join('\n') };
  const offset = decodeCursor(binding, args.cursor);
  const rows = listed.slice(offset).map(({ row, staleness, items }) => {
    const json = {
      id: `plan:${row.slug}`,
      slug: row.slug,
      title: row.title,
      status: row.status,
      stale: staleness?.label ?? null,
      updated: row.updatedAt.toISOString(),
      tasks: items.length,
      done: items.filter(({ status }) => status === 'done').length,
    };
    const line = `${row.slug} · ${row.title} · ${row.status} · ${json.stale ?? 'no anchors in indexed code'} · ${json.updated.slice(0, 10)}`;
    return { group: '', id: row.slug, line, json };
  });
  const empty = 'The product has no plans yet. Add one: svc plan add <file.md>';
  const draft: Draft = {
    operation: 'spec-export-tool',
    action: '',
    subject: 'plans',
    sources: (await plans.indexed(caller)).map(({ provenance }) => provenance),
    total: listed.length,
    rows: takeFitting(rows, args.max_tokens),
    detail: 'lines',
    maxTokens: args.max_tokens,
    notes: listed.length === 0 ? [empty] : [],
    arguments: omitDefaults(SpecExportInput, args),
    next: (shown) => (offset + shown < listed.length ? encodeCursor(binding, offset + shown) : undefined),
  };
  return { text: answerText(draft), json: answerJson(draft) };
}

/** As many rows as surely fit into the budget, at least one: the rest is on the next page. */
function takeFitting<Row extends { line: string; json: object }>(rows: readonly Row[], maxTokens: number): Row[] {
  let left = charactersIn(maxTokens) - RESERVED;
  const selected: Row[] = [];
  for (const row of rows) {
    left -= Math.max(row.line.length, JSON.stringify(row.json).length) + 2;
    if (left < 0 && selected.length > 0) break;
    selected.push(row);
  }
  return selected;
}

interface Page {
  spec: Spec;
  files: { path: string; content: string }[];
  units: readonly Unit[];
  next: string | undefined;
}

async function exportAnswer(
  { plans, sources }: { plans: Plans; sources: ExportSources },
  { caller }: CallContext,
  args: SpecExportArguments,
): Promise<Answer> {
  const row = await findPlan(plans, caller, args.plan ?? '');
  const task = args.task === undefined ? undefined : await itemOf(plans, caller, { row, wanted: args.task });
  const include = new Set(args.include ?? []);
  const spec = await gatherSpec(plans, caller, { row, task, include, sources });
  const page = pageOf(spec, args, row);
  const repository = (await plans.indexed(caller)).find(({ provenance }) => provenance.repo === spec.repo);
  const state =
    repository === undefined ? '' : ` ${repository.provenance.ref} ${describeIndex(repository.provenance.index)}`;
  return { text: await textOf(page, args, state), json: jsonOf(page, args) };
}

function pageOf(spec: Spec, args: SpecExportArguments, row: PlanRow): Page {
  const { target, max_tokens: tokens } = args;
  const layout = LAYOUTS[target];
  const units = layout.units(spec);
  const rows = new Map(spec.tasks.map((task) => [task.key, JSON.stringify(rowOf(task)).length]));
  const sizeOf = ({ text, task, subtasks = [] }: Unit): number =>
    args.format === 'text'
      ? text.length
      : JSON.stringify(text).length + [task ?? '', ...subtasks].reduce((sum, key) => sum + (rows.get(key) ?? 0) + 1, 0);
  const largest = Math.max(0, ...units.map(sizeOf));
  if (!layout.isText && largest > charactersIn(tokens) - RESERVED) {
    throw new ServiceError('bad_argument', `A task of the plan does not fit into max_tokens=${tokens}.`, {
      fix: `Repeat the call with max_tokens=${Math.min(20_000, tokensOf(' '.repeat(largest + 2 * RESERVED)))}.`,
    });
  }
  const pages = paginate(units, { tokens, reserved: RESERVED, sizeOf });
  const binding = {
    arguments: [row.id, args.task, target, args.include, tokens, args.format],
    generation: `${row.version} ${spec.commit}`,
  };
  const position = decodeCursor(binding, args.cursor);
  const shown = pages[position] ?? [];
  const next = position + 1 < pages.length ? encodeCursor(binding, position + 1) : undefined;
  return { spec, units: shown, files: layout.assemble(spec, shown, { isContinued: position > 0 }), next };
}

async function textOf({ spec, files, units, next }: Page, args: SpecExportArguments, state: string): Promise<string> {
  const shown = `${tasksIn(units).size} of ${spec.tasks.length} tasks`;
  if (args.target === 'prompt') {
    const head = await frontMatter(spec, { tasks: shown, ...(next !== undefined && { next }) });
    return `${head}\n\n${files.map(({ content }) => content).join('\n')}${nextPageNote(next, args)}`;
  }
  const repo = spec.repo === '' ? [] : [`${spec.repo}@${spec.commit.slice(0, 7)}${state}`];
  const head = [
    `spec-export-tool ${args.target} plan:${spec.slug}`,
    ...repo,
    shown,
    spec.stale ?? 'no anchors in indexed code',
  ];
  const body = files.map(({ path, content }) => `=== ${path} ===\n${content}`).join('\n');
  return `${[...head, ...(next === undefined ? [] : [`next=${next}`])].join(' · ')}\n${body}${nextPageNote(next, args)}`;
}

function nextPageNote(next: string | undefined, args: SpecExportArguments): string {
  if (next === undefined) return '';
  const again = omitDefaults(SpecExportInput, { ...args, cursor: next });
  return `\nthe rest: ${describeCall('spec-export-tool', again)}\n`;
}

function jsonOf({ spec, files, units, next }: Page, args: SpecExportArguments): Record<string, unknown> {
  const keys = tasksIn(units);
  const tasks = spec.tasks.filter(({ key }) => keys.has(key));
  return {
    op: 'spec-export-tool',
    plan: spec.slug,
    title: spec.title,
    status: spec.status,
    target: args.target,
    version: spec.version,
    repo: spec.repo,
    commit: spec.commit,
    exported_at: spec.exportedAt,
    stale: spec.stale ?? null,
    total: spec.tasks.length,
    shown: tasks.length,
    ...(next !== undefined && { next }),
    rows: tasks.map(rowOf),
    files,
  };
}

/** A task in JSON; its body is in the files. */
function rowOf({ handle, key, label, group, title, status, parallel, depends, estimate, stale }: SpecTask) {
  return {
    id: handle,
    key,
    number: label,
    group,
    title,
    status,
    parallel,
    depends,
    estimate,
    stale: stale === '' ? null : stale,
  };
}

function tasksIn(units: readonly Unit[]): Set<string> {
  return new Set(units.flatMap(({ task, subtasks = [] }) => (task === undefined ? [] : [task, ...subtasks])));
}

async function itemOf(
  plans: Plans,
  tenant: CallContext['caller'],
  { row, wanted: requested }: { row: PlanRow; wanted: string },
): Promise<WorkItem> {
  const items = await itemsOfPlans(plans, tenant, [row.id]);
  const item = requested.startsWith('wi:')
    ? await findItem(plans, tenant, requested)
    : items.find(({ key }) => key.toLowerCase() === requested.toLowerCase());
  if (item?.planId === row.id) return item;
  throw new ServiceError('unknown_id', `The plan "${row.slug}" has no work item "${requested.slice(0, 40)}".`, {
    fix:
      items.length === 0
        ? 'Leave task out.'
        : `Use one of: ${items
            .slice(0, 20)
            .map(({ key }) => key)
            .join(', ')}.`,
  });
}
