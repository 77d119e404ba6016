import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { firstSymbols } from '../files/store-files.ts';

const WITH_TEST_MODULES = JSON.stringify([...namesOfLanguages(({ hasTestModules }) => hasTestModules === true)]);

/** Symbols of modules with tests inside of a file of the product, with all that they hold: `mod tests` of Rust. */
export function testModules(db: ShardDatabase): ReadonlySet<number> {
  return db.derived('test_modules', () => {
    const modules = db
      .prepare(
        `select s.id, s.file, s.end_line as "end" from name n join symbol s on s.name = n.id join file f on f.id = s.file
          where n.text in ('test', 'tests') and s.kind = 'module' and f.language in (select value from json_each(?))`,
      )
      .all(WITH_TEST_MODULES) as { id: number; file: number; end: number }[];
    const first = firstSymbols(db);
    // What a module holds comes behind it, in the order of lines.
    const held = db.prepare('select id from symbol where id >= ? and id < ? and line <= ?');
    const ids = modules.flatMap(({ id, file, end }) => held.all(id, first[file + 1] ?? Number.MAX_SAFE_INTEGER, end));
    return new Set((ids as unknown as { id: number }[]).map(({ id }) => id));
  });
}
