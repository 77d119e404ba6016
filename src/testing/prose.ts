import type { CodePlace } from '../agents/gather/code.ts';
import { Ledger } from '../agents/ledger/ledger.ts';
import { Citer } from '../agents/prose/cite.ts';

/** A method that begins on the first line of its file. */
export function placeAt(path: string, symbol: string, body: string, more: Partial<CodePlace> = {}): CodePlace {
  const lines = { start: 1, end: body.split('\n').length };
  const rest = { kind: 'method', signature: '', doc: '', score: 1, isNamed: false };
  return { repo: 'shop', path, ...lines, symbol, body, ...rest, ...more };
}

/** Cites for a question of which each word has a share of the weight. */
export function citerOf(weights: Readonly<Record<string, number>>): Citer {
  return new Citer(new Ledger(), new Map(Object.entries(weights)), () => undefined);
}
