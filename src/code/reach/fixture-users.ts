import { definitionOf } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileOfNode } from '../dependencies/store-dependencies-nodes.ts';
import { pathOf, testFlags, TextReader } from '../files/store-files.ts';

/** Lines above a function that may say what it is. */
const MOST_DECORATORS = 12;

/** A function of test code with a parameter. */
interface ParameterOwner {
  file: number;
  path: string;
  line: number;
  enclosing: number;
}

/**
 * The functions of test code that are given what a fixture returns: those with a parameter of its name, in its file, or in the
 * folder of a file that all tests below it share. None for any other function.
 */
export function fixtureUsers(db: ShardDatabase, symbol: number): Omit<ParameterOwner, 'path'>[] {
  const file = fileOfNode(db, symbol);
  if (testFlags(db)[file] !== 1) return [];
  const path = pathOf(db, file);
  const { fixtures, sharedFixtures } = definitionOf(path)?.tests ?? {};
  if (fixtures === undefined) return [];
  const { name, line } = db
    .prepare('select n.text as name, s.line from symbol s join name n on n.id = s.name where s.id = ?')
    .get(symbol) as { name: string; line: number };
  const above = new TextReader(db).lines(file, Math.max(1, line - MOST_DECORATORS), line - 1).toReversed();
  // A decorator may go over several lines; a blank one parts it from what stands before.
  const blank = above.findIndex((text) => text.trim() === '');
  if (!above.slice(0, blank === -1 ? undefined : blank).some((text) => fixtures.test(text))) return [];
  const folder = sharedFixtures?.test(path) === true ? path.slice(0, path.lastIndexOf('/') + 1) : undefined;
  const owners = parameterOwners(db).get(name) ?? [];
  return owners.filter((owner) =>
    folder === undefined ? owner.file === file : owner.path.startsWith(folder) && owner.enclosing !== symbol,
  );
}

/** The functions of test code by the names of their parameters, in languages with fixtures. Read once for an open shard. */
function parameterOwners(db: ShardDatabase): ReadonlyMap<string, ParameterOwner[]> {
  return db.derived('test_parameters', () => {
    const owners = new Map<string, ParameterOwner[]>();
    const files = db.prepare('select id, path, first_symbol as first, symbols from file where test = 1').all() as {
      id: number;
      path: string;
      first: number;
      symbols: number;
    }[];
    const inside = db.prepare(
      "select id, line, signature from symbol where id >= ? and id < ? and kind in ('function', 'method')",
    );
    for (const { id: file, path, first, symbols } of files) {
      if (definitionOf(path)?.tests?.fixtures === undefined) continue;
      for (const { id, line, signature } of inside.all(first, first + symbols) as unknown as {
        id: number;
        line: number;
        signature: string;
      }[])
        for (const name of parameterNames(signature)) {
          const existing = owners.get(name);
          if (existing === undefined) owners.set(name, [{ file, path, line, enclosing: id }]);
          else existing.push({ file, path, line, enclosing: id });
        }
    }
    return owners;
  });
}

/** `def test_sends(self, mailer: Mailer, order=None)` has `mailer` and `order`. */
function parameterNames(signature: string): string[] {
  const [, list = ''] = /\(([^]*)$/.exec(signature) ?? [];
  return [...new Set(Array.from(list.matchAll(/(?:^|,)\s*([\p{L}_][\p{L}\p{N}_]*)/gu), ([, name = '']) => name))];
}
