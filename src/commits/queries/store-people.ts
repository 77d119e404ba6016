import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type AuthorSpelling, groupSpellings, type People } from './people.ts';

/** The people of a history; every answer calls an author as this does. Reads the authors of all commits once a shard: 15 ms for 20,000. */
export function peopleOfHistory(db: ShardDatabase): People {
  return db.derived('people', () => {
    const rows = db
      .prepare(
        `select a.id, a.name, a.email, a.bot, count(*) as commits, min(c.id) as first, max(c.id) as last
           from author a join git_commit c on c.author_id = a.id group by a.id order by a.id`,
      )
      .all() as unknown as (Omit<AuthorSpelling, 'bot'> & { bot: number })[];
    return groupSpellings(rows.map((row) => ({ ...row, bot: row.bot === 1 })));
  });
}
