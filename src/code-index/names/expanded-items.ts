import type { Token } from './expand-macro.ts';

/**
 * Declarations among the items of a macro: modules that are files, and names that are imported. Paths are as they are written.
 */
interface ExpandedItems {
  modules: string[];
  imports: { name: string; path: string }[];
  /** Modules of which every name is imported. */
  stars: string[];
}

/** The modules and imports among the tokens of items; bodies are passed over. */
export function readItems(tokens: readonly Token[]): ExpandedItems {
  const items: ExpandedItems = { modules: [], imports: [], stars: [] };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const end = tokens.findIndex((other, index) => index > at && other === ';');
    const next = tokens[at + 1];
    if (token === 'mod' && end === at + 2 && typeof next === 'string') items.modules.push(next);
    else if (token === 'use' && end > at) readUse(tokens.slice(at + 1, end), '', items);
    else continue;
    at = end;
  }
  return items;
}

/** A tree of a `use` after a path. */
function readUse(tokens: readonly Token[], around: string, items: ExpandedItems): void {
  let path = around;
  let last = '';
  for (const [at, token] of tokens.entries()) {
    if (token === '::') continue;
    if (token === '*') return void items.stars.push(path);
    if (token === 'as') {
      const alias = tokens[at + 1];
      if (typeof alias === 'string' && alias !== '_') items.imports.push({ name: alias, path });
      return;
    }
    if (typeof token === 'object') {
      for (const branch of branchesOf(token.tokens)) readUse(branch, path, items);
      return;
    }
    if (token === 'self' && path !== '') continue;
    last = token;
    path = path === '' ? token : `${path}::${token}`;
  }
  const name = last === '' ? (path.split('::').at(-1) ?? '') : last;
  if (name !== '') items.imports.push({ name, path });
}

function branchesOf(tokens: readonly Token[]): Token[][] {
  const branches: Token[][] = [[]];
  for (const token of tokens) {
    if (token === ',') branches.push([]);
    else branches.at(-1)?.push(token);
  }
  return branches.filter((branch) => branch.length > 0);
}

/** The names among tokens, in brackets too. */
export function namesAmong(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) =>
    typeof token === 'object' ? namesAmong(token.tokens) : /^[\p{L}_]/u.test(token) ? [token] : [],
  );
}
