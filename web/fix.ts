/** By group of commands of `svc`, the page of the application that does the same. */
const PAGES = {
  repo: '/repositories',
  key: '/settings/api-keys',
  plan: '/plans',
  'work-item': '/work-items',
  decision: '/decisions',
  doc: '/documents',
  signal: '/signals',
  competitor: '/competitors',
} as const;

/** A page that does what a command would. */
interface PageHint {
  to: (typeof PAGES)[keyof typeof PAGES];
  label: string;
}

/** A command in a hint with its arguments, which end where a sentence goes on. */
const COMMAND = new RegExp(
  String.raw`\`?svc (${Object.keys(PAGES).join('|')}) [a-z]+(?: (?:<[^>]+>|--[\w-]+|(?<=(?:index|delete|remove|--ref) )[^\s\`]+?(?=[.,;)\`]*(?:\s|$))))*\`?`,
  'g',
);

/** A hint for people in the browser: where the service names a command of `svc`, the page that does the same. */
export function readFix(fix: string): (string | PageHint)[] {
  // Texts stand at even positions, groups of commands between them.
  const parts = fix.split(COMMAND).map((part, at) => (at % 2 === 0 ? part : pageOf(part as keyof typeof PAGES)));
  return parts.filter((part) => part !== '');
}

/** The same without links. */
export function fixText(fix: string): string {
  return readFix(fix)
    .map((part) => (typeof part === 'string' ? part : part.label))
    .join('');
}

function pageOf(group: keyof typeof PAGES): PageHint {
  const to = PAGES[group];
  const words = to.slice(to.lastIndexOf('/') + 1).replace('-', ' ');
  return { to, label: `the page ${words.replace(/^(?:api|.)/, (start) => start.toUpperCase())}` };
}
