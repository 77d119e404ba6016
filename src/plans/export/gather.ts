import type { Tenant } from '../../kernel/tenant.ts';
import { wholeSection } from '../text/markdown.ts';
import { CODE_QUERIES } from '../../code/code.ts';
import { itemsOfPlans } from '../keep/change-plan.ts';
import { type Lookups, lookupsOf, unlessDamaged } from '../../anchors/lookups/lookups.ts';
import type { Plans } from '../keep/context.ts';
import type { PlanText } from '../text/plan-text.ts';
import { currentAnchors, describeChange, stalenessOf } from '../../anchors/anchors.ts';
import type { PlanRow } from '../store/store.ts';
import type { AnchorChange, AnchorRow } from '../../anchors/store/store.ts';
import { anchorsOfItem, type WorkItem } from '../store/work-items.ts';
import type { Spec, SpecDecision, SpecPlace, SpecSignal, SpecTask, StaleAnchor } from './spec.ts';
import { inOrder, parallelItems } from './task-order.ts';
import { PROJECT_FILES, verifyCommands } from './verify-commands.ts';

/** Lines of source that are shown of one symbol. */
const EXCERPT_LINES = 12;
/** Symbols of a task whose source is shown. */
const MOST_EXCERPTS = 3;
const MOST_HISTORY = 3;
/** Longest project file that is read for its commands, in lines. */
const PROJECT_FILE_LINES = 2_000;

type Extra = 'code' | 'decisions' | 'signals' | 'history';

/** Sources of an export in other slices. */
export interface ExportSources {
  /** Decisions that name the plan; with paths, also those that name one of them. The newest first, at most 20. */
  decisions: (tenant: Tenant, about: { plan: string; paths: readonly string[] }) => Promise<SpecDecision[]>;
  /** Feedback about these words, the best first, at most 5. */
  signals: (tenant: Tenant, words: string) => Promise<SpecSignal[]>;
}

/** Everything that an export of a plan, or of one of its items, says; as the indexes are now. */
export async function gatherSpec(
  plans: Plans,
  tenant: Tenant,
  request: { row: PlanRow; task: WorkItem | undefined; include: ReadonlySet<Extra>; sources: ExportSources },
): Promise<Spec> {
  const { row, task, include, sources } = request;
  const read = await plans.texts.plan(row.text);
  const [anchors, items, lookups] = [
    await currentAnchors(plans, tenant, { holder: 'plan', ids: [row.id] }),
    await itemsOfPlans(plans, tenant, [row.id]),
    await lookupsOf(plans, tenant, read.fields.repo ?? row.repositoryId),
  ];
  const { ordered, circle } = inOrder(items);
  const chosen = task === undefined ? ordered : ordered.filter(({ key }) => key === task.key);
  const parallel = parallelItems(items, (item) => placesOf(item, anchorsOfItem(item, anchors)).map(({ path }) => path));
  const tasks = await Promise.all(
    chosen.map((item) => taskOf(plans, { item, anchors, lookups, include, parallel: parallel.has(item.key) })),
  );
  const main = mainRepository(anchors, lookups);
  const paths = [...new Set(tasks.flatMap(({ files, symbols }) => [...files, ...symbols].map(({ path }) => path)))];
  const goal = goalOf(read);
  const about = { plan: row.slug, paths: include.has('decisions') ? paths : [] };
  return {
    slug: row.slug,
    title: row.title,
    status: row.status,
    owner: row.owner,
    version: row.version,
    repo: main?.repository.provenance.repo ?? '',
    commit: main?.repository.provenance.commit ?? '',
    exportedAt: plans.now().toISOString(),
    stale: stalenessOf(anchors)?.label,
    goal,
    context: wholeSection(read.sections, 'context'),
    requirements: row.requirements,
    constraints: read.constraints,
    tasks,
    decisions: await sources.decisions(tenant, about),
    signals: include.has('signals') ? await sources.signals(tenant, task?.title ?? row.title) : [],
    staleAnchors: anchors.flatMap(staleAnchor),
    outOfScope: read.outOfScope,
    verify: read.verify.length > 0 ? read.verify : await projectCommands(plans, main),
    more: task === undefined ? moreOf(read.sections, goal) : [],
    notes: circle.length === 0 ? [] : [`Tasks depend on each other in a circle: ${circle.join(', ')}.`],
  };
}

/** The goal as the plan states it; otherwise the paragraph that it begins with. */
function goalOf({ sections, fields }: Pick<PlanText, 'sections' | 'fields'>): string {
  const stated = [fields.overview ?? '', wholeSection(sections, 'goal')].filter((part) => part !== '').join('\n\n');
  if (stated !== '') return stated;
  const opening = sections.find(({ kind, isProse }) => kind === 'other' && isProse);
  return opening?.text.split(/\n\s*\n/)[0] ?? '';
}

/** Returns the texts of the plan that are nowhere else in an export. */
function moreOf(sections: PlanText['sections'], goal: string): Spec['more'] {
  return sections.flatMap(({ title, rest }) => {
    const text = (goal !== '' && rest.startsWith(goal) ? rest.slice(goal.length) : rest).trim();
    return text === '' ? [] : [{ title, text }];
  });
}

async function taskOf(
  plans: Plans,
  {
    item,
    anchors,
    lookups,
    include,
    parallel,
  }: {
    item: WorkItem;
    anchors: readonly AnchorRow[];
    lookups: readonly Lookups[];
    include: ReadonlySet<Extra>;
    parallel: boolean;
  },
): Promise<SpecTask> {
  const own = anchorsOfItem(item, anchors);
  const files = item.files.map((path) => filePlace(path, own.length > 0 ? own : anchors));
  const symbols = item.symbols.map((symbol) => symbolPlace(symbol, item.files, own.length > 0 ? own : anchors));
  const { number, key, title, status, depends, body, group, label, acceptance, test, ...fields } = item;
  const { estimate, assignee, priority, notes } = fields;
  return {
    handle: `wi:${number}`,
    key,
    title,
    status,
    parallel,
    depends,
    files,
    symbols,
    body,
    group,
    label,
    stale: describeStale(own),
    acceptance,
    test,
    estimate,
    assignee,
    priority,
    notes,
    excerpts: include.has('code') ? await excerptsOf(plans, symbols, lookups) : [],
    history: include.has('history') ? await historyOf(files, symbols, lookups) : [],
  };
}

/** `stale 1/3 since a1b2c3d: Mailer/send changed by b2c3d4e`. */
function describeStale(anchors: readonly AnchorRow[]): string {
  const label = stalenessOf(anchors)?.label ?? '';
  const changed = anchors.flatMap(({ written, state }) => {
    if (state === undefined || state.status === 'fresh') return [];
    const by = state.commits[0] === undefined ? '' : ` by ${state.commits[0].sha.slice(0, 7)}`;
    return [`\`${written}\` ${state.status}${by}`];
  });
  return changed.length === 0 ? label : `${label}: ${changed.join(', ')}`;
}

/** Returns the current locations of the files and symbols of an item, with those that are in no index. */
function placesOf(item: WorkItem, anchors: readonly AnchorRow[]): SpecPlace[] {
  const symbols = item.symbols.map((symbol) => symbolPlace(symbol, item.files, anchors));
  return [...item.files.map((path) => filePlace(path, anchors)), ...symbols].filter(({ path }) => path !== '');
}

/** Returns the current location of a file of an item: by an anchor of its own, or by one of a symbol in it. */
function filePlace(path: string, anchors: readonly AnchorRow[]): SpecPlace {
  const own = anchors.filter(({ target }) => target?.path === path);
  const anchor =
    own.find(({ target }) => target?.symbol === null) ?? own.find(({ state }) => state?.path != null) ?? own[0];
  if (anchor?.target === undefined) return { written: path, path, symbol: undefined, line: undefined, status: 'new' };
  const { state, target } = anchor;
  // A symbol that left a file says nothing about whether the file is still there.
  const isFile = target.symbol === null;
  const now = isFile ? (state?.path ?? target.path) : target.path;
  return {
    written: path,
    path: now,
    symbol: undefined,
    line: undefined,
    status: isFile ? (state?.status ?? 'fresh') : 'fresh',
  };
}

function symbolPlace(symbol: string, files: readonly string[], anchors: readonly AnchorRow[]): SpecPlace {
  const named = anchors.filter(({ written }) => written === symbol || written.startsWith(`${symbol}@`));
  const anchor = named.find(({ target }) => target !== undefined && files.includes(target.path)) ?? named[0];
  const { target, state } = anchor ?? {};
  if (target === undefined) return { written: symbol, path: '', symbol, line: undefined, status: 'new' };
  return {
    written: symbol,
    path: state?.path ?? target.path,
    symbol: state?.symbol ?? target.symbol ?? symbol,
    line: state?.line ?? target.line ?? undefined,
    status: state?.status ?? 'fresh',
  };
}

async function excerptsOf(
  { readers }: Plans,
  symbols: readonly SpecPlace[],
  lookups: readonly Lookups[],
): Promise<SpecTask['excerpts']> {
  const excerpts: SpecTask['excerpts'] = [];
  for (const { path, line } of symbols.filter((place) => place.status !== 'gone').slice(0, MOST_EXCERPTS)) {
    if (line === undefined) continue;
    for (const { repository } of lookups) {
      const lines = { path, from: line, to: line + EXCERPT_LINES - 1 };
      const source = await unlessDamaged(readers.query(repository.shard, CODE_QUERIES, ['sourceOf', lines]), undefined);
      if (source === undefined) continue;
      excerpts.push({ place: `${path}:${source.from}-${source.to}`, text: source.lines.join('\n') });
      break;
    }
  }
  return excerpts;
}

async function historyOf(
  files: readonly SpecPlace[],
  symbols: readonly SpecPlace[],
  lookups: readonly Lookups[],
): Promise<string[]> {
  const paths = [...new Set([...files, ...symbols].map(({ path }) => path))];
  const commits = await Promise.all(
    lookups.map(({ history }) =>
      history === undefined
        ? Promise.resolve([])
        : unlessDamaged(history.commitsTouching(undefined, paths, MOST_HISTORY), []),
    ),
  );
  return commits
    .flat()
    .slice(0, MOST_HISTORY)
    .map(({ sha, subject, date }) => `${sha.slice(0, 7)} ${date.slice(0, 10)} ${subject}`);
}

function staleAnchor({ written, target, reason, state }: AnchorRow): StaleAnchor[] {
  if (target === undefined) return [{ written, status: 'unresolved', now: reason ?? '', commits: [] }];
  if (state === undefined || state.status === 'fresh') return [];
  const place = state.symbol === null ? state.path : `${state.symbol} at ${state.path}:${state.line}`;
  const commits = state.commits
    .slice(0, 2)
    .map(({ sha, subject, change }) => `${sha.slice(0, 7)} ${subject}${wordsOf(change)}`);
  return [{ written, status: state.status, now: state.status === 'moved' ? `now ${place}` : '', commits }];
}

/** Describes a change; '' for a move or a removal, which the status states. */
function wordsOf(change: AnchorChange | undefined): string {
  const isStated = change === undefined || change.kind === 'moved' || change.kind === 'removed';
  return isStated ? '' : ` (${describeChange(change)})`;
}

/** The repository that most of the plan is about. */
function mainRepository(anchors: readonly AnchorRow[], lookups: readonly Lookups[]): Lookups | undefined {
  const count = ({ repository }: Lookups): number =>
    anchors.filter(({ target }) => target?.repositoryId === repository.id).length;
  return lookups.toSorted((a, b) => count(b) - count(a))[0];
}

async function projectCommands({ readers }: Plans, main: Lookups | undefined): Promise<string[]> {
  if (main === undefined) return [];
  const files = new Map<string, string>();
  for (const path of PROJECT_FILES) {
    const lines = { path, from: 1, to: PROJECT_FILE_LINES };
    const source = await unlessDamaged(
      readers.query(main.repository.shard, CODE_QUERIES, ['sourceOf', lines]),
      undefined,
    );
    if (source !== undefined) files.set(path, source.lines.join('\n'));
  }
  return verifyCommands(files);
}
