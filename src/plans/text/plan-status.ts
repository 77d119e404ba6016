export const PLAN_STATUSES = ['draft', 'proposed', 'accepted', 'active', 'done', 'dropped'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Names of the statuses of a plan in other tools. */
const STATUS_SYNONYMS: readonly (readonly [PlanStatus, RegExp])[] = [
  ['done', /^(?:complete|implemented|finished|closed|shipped)/],
  ['active', /^(?:in[ _-]progress|wip|started|doing|implementing|open)/],
  ['accepted', /^(?:approved|ready|planned)/],
  ['proposed', /^(?:in[ _-]review|review|rfc)/],
  ['dropped', /^(?:cancel|abandon|reject|withdrawn|superseded|deprecated)/],
  ['draft', /^(?:pending|todo|to[ _-]do|not[ _-]started|new)/],
];

/** Text above the first section and the first task. */
const HEAD = /^(?:(?!\s*(?:#{2,}\s|(?:[-*+]|\d+[.)])\s+\[)).*(?:\n|$))*/;
/** `Status: in progress`, also as an entry of a list, and with the label in bold. */
const STATUS_LINE = /^(?:[-*+]\s+)?(?:\*\*|__)?status(?:\*\*|__)?\s*:\s*(?:\*\*|__)?[ \t]*([a-z][a-z _-]*[a-z])/im;

/** The status that a word stands for, in the words of other tools too; undefined for any other word. */
export function knownStatus(word: string): PlanStatus | undefined {
  const lower = word.toLowerCase();
  return (
    PLAN_STATUSES.find((status) => status === lower) ?? STATUS_SYNONYMS.find(([, words]) => words.test(lower))?.[0]
  );
}

/** The status that a plan without front matter tells at its head, on a line of its own; undefined for none that is known. */
export function statusAtHead(body: string): PlanStatus | undefined {
  const [head = ''] = HEAD.exec(body.replaceAll('\r\n', '\n')) ?? [];
  const word = STATUS_LINE.exec(head)?.[1];
  return word === undefined ? undefined : knownStatus(word);
}
