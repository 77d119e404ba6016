/** A page of the application that does what a command of `svc` would. */
export interface PageHint {
  to:
    | '/repositories'
    | '/settings/api-keys'
    | '/plans'
    | '/work-items'
    | '/decisions'
    | '/documents'
    | '/signals'
    | '/competitors';
  label: string;
}

const PAGES: Record<string, PageHint> = {
  repo: { to: '/repositories', label: 'Repositories' },
  key: { to: '/settings/api-keys', label: 'API keys' },
  plan: { to: '/plans', label: 'Plans' },
  'work-item': { to: '/work-items', label: 'Work items' },
  decision: { to: '/decisions', label: 'Decisions' },
  doc: { to: '/documents', label: 'Documents' },
  signal: { to: '/signals', label: 'Signals' },
  competitor: { to: '/competitors', label: 'Competitors' },
};

/** A command in a hint: its group, and up to its arguments, which end where a sentence goes on. */
const COMMAND = new RegExp(
  String.raw`\`?svc (${Object.keys(PAGES).join('|')}) (?:(?:index|delete|remove) (?:<[^>]+>|[^\s\`]+?(?=[.,;)\`]*(?:\s|\`|$)))|[a-z]+)(?: --?[\w-]+)*(?: <[^>]+>| [\w./-]+\.\.\.)*(?: --ref [^\s]+)?\`?`,
  'g',
);

/** A hint for people in the browser: where the service names a command of `svc`, the page that does the same. */
export function readFix(fix: string): (string | PageHint)[] {
  const parts: (string | PageHint)[] = [];
  let end = 0;
  for (const match of fix.matchAll(COMMAND)) {
    const page = PAGES[match[1] ?? ''];
    if (page === undefined) continue;
    parts.push(fix.slice(end, match.index), page);
    end = match.index + match[0].length;
  }
  return [...parts, fix.slice(end)].filter((part) => part !== '');
}

/** The same without links. */
export function fixText(fix: string): string {
  return readFix(fix)
    .map((part) => (typeof part === 'string' ? part : `the page ${part.label}`))
    .join('');
}
