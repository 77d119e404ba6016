import { expect, test } from 'vitest';
import { withIndexed } from '../testing/indexed-code.ts';
import { findNodes, readAdjacency } from './queries/store.ts';
import { resolveEntity } from './resolve-entity.ts';

const FILES = {
  Gemfile: "gem 'rails'\n",
  'config/routes.rb': "Rails.application.routes.draw do\n  get '/hats/:id', to: 'hats#show'\nend\n",
  'app/hats_controller.rb': 'class HatsController\n  def show; end\nend\n',
  'app/models/hat.rb': 'class Hat\n  def wear; end\nend\n',
  'app/views/hat.rb': 'class HatView\n  def wear; end\nend\n',
  'app/admin/hats_controller.rb': 'class Admin::HatsController\n  def show; end\nend\n',
  ...Object.fromEntries(
    ['Ship', 'Crew', 'Port', 'Rope', 'Sail', 'Deck', 'Mast', 'Keel', 'Hull', 'Bow'].map((name) => [
      `lib/${name}.rb`,
      `class ${name}\nend\n`,
    ]),
  ),
};

test('a name means the one whose whole name it is, and a feature is called in the plural or by a file of it', () =>
  withIndexed(FILES, async (db) => {
    const adjacency = readAdjacency(db, { mostBytes: 1e9 });
    const resolve = async (text: string): Promise<string> => {
      const names = {
        repositories: [],
        find: (
          query: string,
          { kinds, limit }: { kinds?: Parameters<typeof findNodes>[1]['kinds']; limit: number },
        ) => {
          const { total, rows } = findNodes(db, { query, kinds, limit, adjacency });
          return Promise.resolve({ total, found: rows.map(({ node, ...row }) => ({ key: node, ...row })) });
        },
      };
      return (await resolveEntity(names, text, 'entity')).entity.row.id;
    };

    expect(await resolve('HatsController')).toBe('sym:HatsController@app/hats_controller.rb');
    await expect(resolve('wear')).rejects.toMatchObject({ code: 'ambiguous_symbol' });
    expect(await resolve('hats')).toBe('feature:hat');
    expect(await resolve('feature:hats_controller.rb')).toBe('feature:hat');
    expect(await resolve('route:GET /hats/{hat}')).toBe('route:GET /hats/:id');
    // Where anything may be meant, the name of a file means the file.
    expect(await resolve('app/hats_controller.rb')).toBe('file:app/hats_controller.rb');
  }));
