import { definitionOf } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { USE_CODES } from '../../code-index/format/shard-input.ts';
import { isCalledByName } from '../dead-code/conventions.ts';
import { edgesOf } from '../usages/store-overrides.ts';
import { usesOf } from '../usages/store-usages.ts';

const CALL = USE_CODES.indexOf('call');

/**
 * The calls that make an instance, of a member that its language calls by name (`__init__`, `constructor`, `toString`): they name
 * the class, or one that is made from it, and not the member. None for any other symbol.
 */
export function instanceMakers(db: ShardDatabase, symbol: number): { file: number; line: number; enclosing: number }[] {
  const member = db
    .prepare(
      `select n.text as name, s.parent, f.path, f.language from symbol s
         join name n on n.id = s.name join file f on f.id = s.file where s.id = ? and s.member = 1 and s.kind = 'method'`,
    )
    .get(symbol) as { name: string; parent: number | null; path: string; language: string } | undefined;
  if (member === undefined || member.parent === null) return [];
  const { name, parent, path, language } = member;
  if (name !== definitionOf(path)?.constructorName && !isCalledByName(language, name, true)) return [];
  const classes = new Set([parent]);
  for (const one of classes) for (const below of edgesOf(db, one, 'extended_by')) classes.add(below);
  return [...classes].flatMap((one) => usesOf(db, one).filter(({ use }) => use === CALL));
}
