import { endOf, splitTop } from './brackets.ts';

/**
 * The head of a function of Rust with all that it asks of its type parameters behind `where`, in one order: `fn send<T: Copy>(to: T)`
 * and `fn send<T>(to: T) where T: Copy` ask for the same. Heads in files of other languages stay as they are.
 */
export function withBoundsLast(path: string, signature: string): string {
  if (!path.endsWith('.rs')) return signature;
  const open = signature.indexOf('(');
  const generics = signature.indexOf('<');
  const [head, where = ''] = signature.split(/\s+where\s+/);
  if (head === undefined) return signature;
  const bounds = new Map<string, Set<string>>();
  const take = (text: string): string => {
    const [, name = text, clauses = ''] = /^([^:]+):(?!:)\s*(.*)$/s.exec(text) ?? [];
    // What a parameter of constants is of belongs to it.
    if (clauses === '' || name.startsWith('const ')) return text;
    const existing = bounds.get(name.trim()) ?? new Set();
    for (const bound of clauses.split('+')) existing.add(bound.trim());
    bounds.set(name.trim(), existing);
    return name.trim();
  };
  const end = generics === -1 || generics > open ? -1 : endOf(head, generics);
  const names = end === -1 ? [] : splitTop(head.slice(generics + 1, end)).map(take);
  splitTop(where).forEach(take);
  const plain = end === -1 ? head : `${head.slice(0, generics)}<${names.join(', ')}>${head.slice(end + 1)}`;
  const clauses = [...bounds].map(([name, all]) => `${name}: ${[...all].toSorted().join(' + ')}`).toSorted();
  return clauses.length === 0 ? plain : `${plain} where ${clauses.join(', ')}`;
}
