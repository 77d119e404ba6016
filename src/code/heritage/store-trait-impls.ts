import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import type { Grade } from '../../code-index/format/rows.ts';
import { GRADE_CODES } from '../../code-index/format/shard-input.ts';
import { pathOf, TextReader } from '../files/store-files.ts';
import { usesOf } from '../usages/store-usages.ts';

const BLOCKS = JSON.stringify([...namesOfLanguages(({ implementsInBlocks }) => implementsInBlocks === true)]);

/** `impl<T: A> path::Trait<B> for &mut path::Type<C>`: what stands before the trait, and the name of the type. */
const BEFORE = /^\s*(?:unsafe\s+)?impl\b.*$/;
const BEHIND = /^\w+[^{;]*?\bfor\s+(?:&\s*(?:'\w+\s+)?)?(?:mut\s+|dyn\s+)*(?:\w+::)*([\w[(][^\s<{;,]*)/;

/** One block `impl Trait for Type`, at the line of the trait's name. */
interface TraitImplementation {
  symbol: number;
  relation: 'implements';
  grade: Grade;
  depth: 1;
  place: { path: string; line: number; name: string; signature: string };
}

/**
 * The blocks that implement a trait, by the uses of its name; none of what is no trait of such a language. The symbol is
 * the type when one of the repository has its name, of the same file first, else the trait itself.
 */
export function traitImplementations(db: ShardDatabase, trait: number): TraitImplementation[] {
  const requested = db
    .prepare(
      `select 1 from symbol s join file f on f.id = s.file where s.id = ? and s.kind = 'trait' and f.language in (select value from json_each(?))`,
    )
    .get(trait, BLOCKS);
  if (requested === undefined) return [];
  const text = new TextReader(db);
  return usesOf(db, trait).flatMap((use): TraitImplementation[] => {
    const [line = ''] = text.lines(use.file, use.line, use.line);
    const match = BEHIND.exec(line.slice(use.column));
    if (match === null || !BEFORE.test(line.slice(0, use.column))) return [];
    const [, name = ''] = match;
    const location = {
      path: pathOf(db, use.file),
      line: use.line,
      name,
      signature: line.trim().replace(/\s*\{.*$/, ''),
    };
    const grade = GRADE_CODES[use.grade] ?? 'resolved';
    return [
      { symbol: typeNamed(db, name, use.file) ?? trait, relation: 'implements', grade, depth: 1, place: location },
    ];
  });
}

function typeNamed(db: ShardDatabase, name: string, file: number): number | undefined {
  const row = db
    .prepare(
      // The index of names does not tell capitals from small letters.
      `select s.id from symbol s join name n on n.id = s.name
        where n.text = ?1 collate nocase and n.text = ?1 and s.kind in ('struct', 'enum', 'type', 'class')
        order by s.file = ?2 desc, s.id limit 1`,
    )
    .get(name, file) as { id: number } | undefined;
  return row?.id;
}
