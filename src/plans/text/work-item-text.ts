export const ITEM_STATUSES = ['todo', 'doing', 'done', 'dropped'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];
export const ITEM_PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;
type ItemPriority = (typeof ITEM_PRIORITIES)[number];

/** What a work item is, whoever said it: the text of the plan, or a person who edited it. */
export interface ItemFields {
  title: string;
  status: ItemStatus;
  /** Keys of items of the same plan that come before it. */
  depends: string[];
  /** As written: paths that may not exist yet. */
  files: string[];
  /** `Class/method`. */
  symbols: string[];
  /** What else stands below it in its list, an entry or a paragraph each, as written. */
  details: string[];
  /** What must be true when it is done; Given/When/Then or a sentence. */
  acceptance: string[];
  /** As written, for example `2d`; '' without one. */
  estimate: string;
  /** How it is tested; '' when the plan does not say. */
  test: string;
  /** Who works on it, as written: a person or an agent; '' for nobody. */
  assignee: string;
  /** '' without one. */
  priority: ItemPriority | '';
  /** A note by whoever works on it. */
  notes: string;
}

/** An item of which nothing is said yet. */
export const BLANK_ITEM: ItemFields = {
  title: '',
  status: 'todo',
  depends: [],
  files: [],
  symbols: [],
  details: [],
  acceptance: [],
  estimate: '',
  test: '',
  assignee: '',
  priority: '',
  notes: '',
};

/** A work item of a text. `key` is `T1` when the text gives one. */
export interface ItemDraft extends ItemFields {
  key?: string;
  /** Another name that the text gives it: `1.2`, or the id of a todo. `depends` may hold such names too. */
  label?: string;
  /** Keys and labels of items that this one comes before. */
  before?: string[];
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
