/** Paths of CODEOWNERS that hosting services read, in their order. */
export const CODEOWNERS_PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'] as const;

/** A line of CODEOWNERS that says who owns files. */
export interface OwnerRule {
  /** 1-based. */
  line: number;
  pattern: string;
  /** `@login`, `@organisation/team` or an e-mail address. None means that nobody does. */
  owners: string[];
}

/** Reads CODEOWNERS: comments, blank lines, and the headings of sections are left out. */
export function parseCodeowners(text: string): OwnerRule[] {
  return text.split('\n').flatMap((line, at): OwnerRule[] => {
    const content = line.replace(/(^|\s)#.*$/, '').trim();
    // GitLab's sections: `[Name]`, `^[Name][2] @default`.
    if (content === '' || /^\^?\[/.test(content)) return [];
    const [pattern = '', ...owners] = content.split(/(?<!\\)\s+/);
    return [{ line: at + 1, pattern: pattern.replaceAll('\\ ', ' '), owners }];
  });
}

/** The rule that counts for a path: the last one that matches. */
export function ownersOf(rules: readonly OwnerRule[], path: string): OwnerRule | undefined {
  return rules.findLast(({ pattern }) => patternOf(pattern).test(path));
}

/** As in .gitignore: a slash at the start or inside ties it to the root, one at the end means a folder. `*` stays in a folder. */
function patternOf(pattern: string): RegExp {
  const isTied = pattern.slice(0, -1).includes('/');
  const body = pattern.replace(/^\//, '').replace(/\/$/, '');
  const source = body
    .split('/')
    .map((part) =>
      part === '**'
        ? '**'
        : part
            .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
            .replaceAll('*', '[^/]*')
            .replaceAll('?', '[^/]'),
    )
    .join('/')
    .replaceAll('**/', '(?:.*/)?')
    .replaceAll('**', '.*');
  const start = isTied ? '^' : '(?:^|/)';
  // `docs/*` means the files of the folder, `docs` and `docs/` everything below.
  const end = pattern.endsWith('/') ? '/' : body.endsWith('/*') ? '$' : '(?:/|$)';
  return new RegExp(`${start}${source}${end}`);
}

/** True if an owner is this person: by address, or by the account name that a host puts into addresses. */
export function isOwner(owner: string, aliases: readonly string[]): boolean {
  const ownerName = owner.toLowerCase();
  if (!ownerName.startsWith('@')) return aliases.includes(ownerName);
  const login = ownerName.slice(1);
  if (login.includes('/')) return false;
  return aliases.some((alias) => alias === login || /^(?:\d+\+)?([^@]+)@users\.noreply\./.exec(alias)?.[1] === login);
}
