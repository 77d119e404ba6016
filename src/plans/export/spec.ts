import type { Requirement } from '../store/store.ts';
import type { AnchorStatus } from '../../anchors/store/store.ts';
import type { ItemStatus } from '../text/work-item-text.ts';

/** A file or symbol of a task as it is now. */
export interface SpecPlace {
  /** As the plan has it. */
  written: string;
  /** `src/a.ts`, or `Class/method` in `src/a.ts:12`. Equal to `written` when no index has it. */
  path: string;
  symbol: string | undefined;
  line: number | undefined;
  /** `new` is in no index: to be made by the task. */
  status: AnchorStatus | 'new';
}

export interface SpecTask {
  /** Handle, for example `wi:12`. */
  handle: string;
  /** `T1`: the same in every export. */
  key: string;
  title: string;
  status: ItemStatus;
  /** It shares no file with a task that may run at the same time. */
  parallel: boolean;
  depends: string[];
  files: SpecPlace[];
  symbols: SpecPlace[];
  /** Verbatim: see `ItemFields`. */
  body: string;
  group: string;
  /** Its number in the text of the plan; '' without one. */
  label: string;
  /** Share of the named code that is unchanged, with what is not; '' where it names nothing that is indexed. */
  stale: string;
  acceptance: string[];
  test: string;
  estimate: string;
  assignee: string;
  priority: string;
  notes: string;
  /** Source of its symbols, when requested. */
  excerpts: { place: string; text: string }[];
  /** Last commits that touched its files, when requested. */
  history: string[];
}

/** A decision that a plan stands on. */
export interface SpecDecision {
  /** `dec:12`. */
  handle: string;
  title: string;
  status: string;
  /** Chosen option, in one paragraph. */
  decision: string;
  /** Undefined when it names nothing that is indexed. */
  stale: string | undefined;
}

/** Feedback that is about the same thing. */
export interface SpecSignal {
  handle: string;
  text: string;
  customer: string;
  date: string;
}

export interface StaleAnchor {
  written: string;
  status: AnchorStatus | 'unresolved';
  /** Current location, or the reason why it cannot be found. */
  now: string;
  commits: string[];
}

/** A plan with everything that somebody needs who carries it out. */
export interface Spec {
  slug: string;
  title: string;
  status: string;
  owner: string;
  version: number;
  repo: string;
  commit: string;
  exportedAt: string;
  /** As lists show it; undefined when it names nothing that is indexed. */
  stale: string | undefined;
  goal: string;
  context: string;
  requirements: Requirement[];
  constraints: string[];
  /** In an order in which they can be done. */
  tasks: SpecTask[];
  decisions: SpecDecision[];
  signals: SpecSignal[];
  staleAnchors: StaleAnchor[];
  outOfScope: string[];
  verify: string[];
  /** Other sections of the plan, verbatim. */
  more: { title: string; text: string }[];
  /** Sentences about what could not be done as the plan says. */
  notes: string[];
}

/** A piece of an export that stays whole when it is cut into pages. */
export interface Unit {
  /** Path of the file that it belongs to. */
  file: string;
  text: string;
  /** The key of the task that it is; undefined for everything else. */
  task?: string;
  /** Keys of tasks that it has within. */
  subtasks?: readonly string[];
}

/** One layout of an export. */
export interface Layout {
  /** True if a unit that is larger than a page may be cut. */
  isText: boolean;
  units: (spec: Spec) => Unit[];
  /** Makes files of the units of one page. `isContinued` tells that pages came before it. */
  assemble: (spec: Spec, units: readonly Unit[], page: { isContinued: boolean }) => { path: string; content: string }[];
}

/** `src/a.ts`, `src/b.ts (was src/a.ts)`, `src/c.ts (new)`, `Class/method at src/a.ts:12`. */
export function describePlace({ written, path, symbol, line, status }: SpecPlace): string {
  const place = symbol === undefined ? path : `${symbol} at ${path}${line === undefined ? '' : `:${line}`}`;
  switch (status) {
    case 'new':
      return symbol === undefined && path !== '' ? `${written} (new)` : `${written} (not in the index)`;
    case 'gone':
      return `${written} (gone)`;
    case 'moved':
      return `${place} (was ${written})`;
    case 'changed':
      return `${place} (changed since the plan was written)`;
    case 'fresh':
      return place;
  }
}

/**
 * Returns the facts of a task beside its title and body, as `Label: value` lines that are read back as the same. Facts that its
 * body states in the same words are omitted.
 */
export function factsOf(task: SpecTask): string[] {
  const body = plainWords(task.body);
  const lines: string[] = [];
  const add = (name: string, value: string): void => {
    const line = `${name}: ${value.replaceAll(/\s*\n\s*/g, ' ')}`;
    const isStated = body.includes(plainWords(MADE_HERE.has(name) ? line : value));
    if (value !== '' && !isStated) lines.push(line);
  };
  if (task.status === 'doing' || task.status === 'dropped') add('Status', task.status);
  add('Files', task.files.map(quotedPlace).join(', '));
  add('Symbols', task.symbols.map(quotedPlace).join(', '));
  for (const text of task.acceptance) add('Done when', text);
  if (!task.test.includes('\n'))
    add('Test', task.test.includes('`') || task.test === '' ? task.test : `\`${task.test}\``);
  add('Estimate', task.estimate);
  add('Assignee', task.assignee);
  add('Priority', task.priority);
  for (const note of task.notes.split('\n')) add('Notes', note.trim());
  return lines;
}

/** Facts whose values are words or paths that a body may have for another reason. */
const MADE_HERE = new Set(['Status', 'Files', 'Symbols', 'Estimate', 'Assignee', 'Priority']);

function plainWords(text: string): string {
  return text
    .replaceAll(/[\s`*]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The texts of a task as they are written: its body, and how it is tested where that takes lines and the body does not say it. */
export function textsOf({ body, test }: SpecTask): string[] {
  const isStated = !test.includes('\n') || plainWords(body).includes(plainWords(test));
  return [body, ...(isStated ? [] : [`**Test strategy:**\n\n${test}`])].filter((text) => text !== '');
}

/** Returns the lines below a task in a list: its facts, then its texts, indented. */
export function belowTask(task: SpecTask): string[] {
  const facts = factsOf(task).map((line) => `- ${line}`);
  const parts = [facts.join('\n'), ...textsOf(task)].filter((part) => part !== '');
  if (parts.length === 0) return [];
  // A paragraph right below the title would be a part of it.
  const first = /^(?:[-*+]|\d+[.)])\s/.test(parts[0] ?? '') ? [] : [''];
  return [...first, ...parts.join('\n\n').split('\n')].map((line) => (line === '' ? '' : `  ${line}`));
}

/** Keys of tasks, each run of numbers as one: `T1, T4-T9`. */
export function describeKeys(keys: readonly string[]): string {
  const numbers = keys.map((key) => Number(key.slice(1))).toSorted((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs
    .flatMap(([from, to]) =>
      to - from < 2 ? Array.from({ length: to - from + 1 }, (_, at) => `T${from + at}`) : [`T${from}-T${to}`],
    )
    .join(', ');
}

/** Only the path or symbol in back-quotes: what stands in them is what the task names. */
function quotedPlace(place: SpecPlace): string {
  const description = describePlace(place);
  const name = [place.symbol, place.path, place.written].find(
    (part) => part !== undefined && part !== '' && description.startsWith(part),
  );
  return name === undefined ? description : `\`${name}\`${description.slice(name.length)}`;
}

/** The units of each file, in order, put together by line feeds. */
export function filesOf(units: readonly Unit[], separator = '\n'): { path: string; content: string }[] {
  const files = Map.groupBy(units, ({ file }) => file);
  return [...files].map(([path, parts]) => ({ path, content: `${parts.map(({ text }) => text).join(separator)}\n` }));
}

/** Lines below a heading of the second level; none without lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}
