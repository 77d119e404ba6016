export const ITEM_STATUSES = ['todo', 'doing', 'done', 'dropped'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];
export const ITEM_PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;
type ItemPriority = (typeof ITEM_PRIORITIES)[number];

/** Separator between the headings of a group. */
export const GROUP_SEPARATOR = ' › ';

/** Fields of a work item, from the text of the plan or from a person who edited it. */
export interface ItemFields {
  title: string;
  status: ItemStatus;
  /** Keys of items of the same plan that come before it. */
  depends: string[];
  /** As written: paths that may not exist yet. */
  files: string[];
  /** `Class/method`. */
  symbols: string[];
  /**
   * All that the text says below it, verbatim: steps, code, assertions. Markdown, without the indentation of its list and
   * without items below it. '' for none.
   */
  body: string;
  /** The headings above it, outermost first, with ` › ` between them: a phase, a user story. '' for none. */
  group: string;
  /** Its number or id in the text, as written: `T087`, `1.2`; '' without one. */
  label: string;
  /** The number of its phase among phases that follow each other; 0 where it has none, or the text says what each waits for. */
  phase: number;
  /** Code that it names, as anchors of the plan are written. */
  names: string[];
  /** Conditions that must be true when it is done; Given/When/Then or a sentence. */
  acceptance: string[];
  /** As written, for example `2d`; '' without one. */
  estimate: string;
  /** Test of the item; '' when the plan states none. */
  test: string;
  /** Person or agent who works on it, as written; '' for nobody. */
  assignee: string;
  /** '' without one. */
  priority: ItemPriority | '';
  /** A note by whoever works on it. */
  notes: string;
}

/** Fields of an item that nothing has stated yet. */
export const BLANK_ITEM: ItemFields = {
  title: '',
  status: 'todo',
  depends: [],
  files: [],
  symbols: [],
  body: '',
  group: '',
  label: '',
  phase: 0,
  names: [],
  acceptance: [],
  estimate: '',
  test: '',
  assignee: '',
  priority: '',
  notes: '',
};

/** A work item of a text. `depends` may hold labels as well as keys. */
export interface ItemDraft extends ItemFields {
  /** `T1` when the text gives one. */
  key?: string;
  /** Keys and labels of items that this one comes before. */
  before?: string[];
  /** Positions of items of phases that this one waits for. */
  after?: number[];
  /** True if it is a row of a table. */
  isRow?: boolean;
  /** The headings that make its group. */
  headings: readonly string[];
  /** Parts of the text that belong to it, to assign what it names. */
  spans: readonly Span[];
}

/** Offsets in a text; the end is not included. */
export interface Span {
  start: number;
  end: number;
}

/** An item of which nothing is read yet. */
export function blankDraft(): ItemDraft {
  return { ...structuredClone(BLANK_ITEM), headings: [], spans: [] };
}

/** The words of plans and trackers. */
export function statusOf(word: string): ItemStatus | undefined {
  const text = word.trim().toLowerCase().replaceAll('_', ' ');
  if (/^(?:done|closed|complete|finished|implemented|shipped|✅|x$)/.test(text)) return 'done';
  if (/^(?:doing|in[ -]progress|started|active|wip|(?:in )?review|under way|🚧|🔄)/.test(text)) return 'doing';
  if (/^(?:dropped|cancel|wont|won't|rejected|skipped|obsolete)/.test(text)) return 'dropped';
  return /^(?:todo|to do|open|planned|pending|not started|blocked|deferred|⏳)/.test(text) ? 'todo' : undefined;
}

/** The words of issue trackers, and `P0` to `P3`. */
export function priorityOf(word: string): ItemFields['priority'] {
  const text = word.trim().toLowerCase();
  const [, level] = /^p([0-3])\b/.exec(text) ?? [];
  if (level !== undefined) return ITEM_PRIORITIES[Number(level)] ?? '';
  if (text.startsWith('critical')) return 'urgent';
  return ITEM_PRIORITIES.find((priority) => text.startsWith(priority)) ?? '';
}
