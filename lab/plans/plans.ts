import { execFileSync } from 'node:child_process';
import { mergeItems } from '../../src/plans/store/work-items.ts';
import { readPlan } from '../../src/plans/text/plan-text.ts';
import type { Row } from '../report.ts';
import { hasCommit, sourceAt } from '../source.ts';
import repositories from './plans.json' with { type: 'json' };

/** Counts that a reader made in a plan; `depends` is absent where the plan states dependencies in sentences only. */
interface Counted {
  items: number;
  done: number;
  doing: number;
  depends?: number;
}

/** A public plan with what a reader counted and what is read. */
export interface ReadCounts {
  style: string;
  plan: string;
  counted: Counted;
  read: Required<Counted>;
}

/**
 * Reads the plans of plans.json that a repository has, at the commits that it names.
 *
 * @throws Error when the repository has none of them.
 */
export function readPlans(path: string): ReadCounts[] {
  const { gitDir } = sourceAt(path);
  const entry = repositories.find(({ commit }) => hasCommit(gitDir, commit));
  if (entry === undefined) throw new Error(`${path} has none of the commits of plans.json.`);
  return entry.plans.map(({ style, path: file, ...counted }) => {
    const text = execFileSync('git', ['--git-dir', gitDir, 'show', `${entry.commit}:${file}`], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return { style, plan: `${entry.repository} ${file}`, counted, read: countsOf(text) };
  });
}

function countsOf(text: string): Required<Counted> {
  const items = mergeItems('', [], readPlan(text).items, new Date(0)).map(({ written }) => written);
  const having = (expected: string): number => items.filter(({ status }) => status === expected).length;
  return {
    items: items.length,
    done: having('done'),
    doing: having('doing'),
    depends: items.reduce((sum, { depends }) => sum + depends.length, 0),
  };
}

/** The share of plans that are read as they were counted, by style, and each that is not. */
export function planRows(plans: readonly ReadCounts[]): Row[] {
  const isRight = ({ counted, read }: ReadCounts): boolean =>
    (Object.keys(counted) as (keyof Counted)[]).every((key) => counted[key] === read[key]);
  const share = (name: string, some: readonly ReadCounts[]): Row => ({
    topic: 'plans',
    name,
    value: some.filter(isRight).length / some.length,
    unit: '',
    note: `${some.filter(isRight).length} of ${some.length}`,
  });
  const wrong = plans.filter((plan) => !isRight(plan));
  return [
    { ...share('read as a reader counts them', plans), goal: '1' },
    ...[...Map.groupBy(plans, ({ style }) => style)].map(([style, some]) => share(style, some)),
    ...wrong.map(({ plan, counted, read }) => ({
      topic: 'plans',
      name: plan,
      value: read.items,
      unit: 'items',
      note: `counted ${JSON.stringify(counted)}, read ${JSON.stringify(read)}`,
    })),
  ];
}
