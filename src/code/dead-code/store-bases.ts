import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { rulesOf } from './conventions.ts';
import { unpackIds } from '../../code-index/format/store-codec.ts';

/** True if a class is made from something that is not in the index, at any depth: that may call its members. */
export function hasUnknownBase(
  db: ShardDatabase,
  type: number,
  language: string,
  visited: Set<number> = new Set(),
): boolean {
  if (visited.has(type)) return false;
  visited.add(type);
  const head = signatureOf(db, type);
  if (head.endsWith('…')) return true;
  const bases = basesOf(head, language);
  if (bases === 0) return false;
  const row = db.prepare('select extends from edge where symbol = ?').get(type) as
    | { extends: Uint8Array | null }
    | undefined;
  const indexedBases = unpackIds(row?.extends ?? null);
  return indexedBases.length < bases || indexedBases.some((base) => hasUnknownBase(db, base, language, visited));
}

/** True if the head of a class names a base. */
export function hasBase(db: ShardDatabase, type: number, language: string): boolean {
  const head = signatureOf(db, type);
  return head.endsWith('…') || basesOf(head, language) > 0;
}

/** Number of bases that the head of a class names. */
function basesOf(head: string, language: string): number {
  const bases = rulesOf(language)?.bases;
  if (bases !== undefined)
    return splitList(bases.list.exec(head)?.[1] ?? '').filter((base) => !bases.except.test(base)).length;
  const heritage = /\b(?:extends|implements)\b(.*)$/.exec(head)?.[1] ?? '';
  return splitList(heritage.replaceAll(/\b(?:extends|implements)\b/g, ',').replace(/\{.*$/, '')).length;
}

/** The parts between commas that are in no brackets. */
function splitList(text: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const character of text) {
    if ('<([{'.includes(character)) depth += 1;
    else if ('>)]}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The head of a symbol as it is written, in one line. */
export function signatureOf(db: ShardDatabase, symbol: number): string {
  const row = db.prepare('select signature from symbol where id = ?').get(symbol) as { signature: string } | undefined;
  return row?.signature ?? '';
}
