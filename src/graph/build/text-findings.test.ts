import { copyFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { dense } from '../../code/reading/reading.ts';
import { openShard } from '../../indexes/shards/shards.ts';
import { withCommits } from '../../testing/indexed-code.ts';
import { readGraph, writeFindings, writeGraph } from './build.ts';
import { TextFindings } from './text-findings.ts';

/** Numbers below 1, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const PATHS = ['src/app.ts', 'src/orders/routes.ts', 'src/orders/store.ts', 'src/web/client.ts', 'src/cli.ts', 'a.py'];

/** Samples of everything that is read from texts. */
const TEXTS = [
  "import { Router } from 'express';\nconst router = Router();\nrouter.get('/orders/:id', (_, response) => response.end());\nexport default router;\n",
  "import express from 'express';\nimport orders from './orders/routes.ts';\nexport const app = express();\napp.use('/api', orders);\n",
  'export function readOrder(id: string): unknown {\n  return fetch(`/api/orders/${id}`);\n}\n',
  'export const find = (db: (text: string) => string): string => db("select id from orders where id = 1");\n',
  "export const table = (db: { createTable: (name: string) => void }): void => db.createTable('orders');\n",
  "export const cli = (program: { command: (name: string) => void }): void => program.command('import-orders');\n",
  'export const nothing = 1;\n',
  undefined,
];
/** The frameworks that a manifest names decide what is read in all other files. */
const MANIFESTS = ['{ "name": "shop", "dependencies": { "express": "5.0.0" } }\n', '{ "name": "shop" }\n'];

function randomCommits(seed: number, count: number): Record<string, string | undefined>[] {
  const next = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(next() * items.length)];
  const begun = Object.fromEntries(PATHS.map((path, at) => [path, TEXTS[at]]));
  const edits = Array.from({ length: count }, (_, at) => ({
    [pick(PATHS) ?? '']: pick(TEXTS),
    ...(at % 3 === 2 && { 'package.json': pick(MANIFESTS) }),
  }));
  return [{ ...begun, 'package.json': MANIFESTS[0] }, ...edits];
}

test('after any edits a graph out of the one before is that of a whole build, byte for byte', () =>
  withCommits(randomCommits(7, 6), (shards) => {
    const graphs = shards.map((file, at) => {
      copyFileSync(file, `${file}-whole`);
      expect(writeGraph(file, shards[at - 1])).toBeUndefined();
      expect(writeGraph(`${file}-whole`)).toBeUndefined();
      const [stepwise, whole] = [storedGraph(file), storedGraph(`${file}-whole`)];
      expect(stepwise).toEqual(whole);
      return stepwise.graph;
    });
    expect(new Set(graphs).size).toBeGreaterThan(3);
  }));

test('after a commit only the files that it changed are read, and manifests', () =>
  withCommits([randomCommits(7, 0)[0] ?? {}, { 'src/cli.ts': TEXTS[2] }], ([before = '', after = '']) => {
    writeGraph(before);
    const read = vi.spyOn(TextFindings.prototype, 'text');
    writeGraph(after, before);
    const shard = openShard(after, CODE_FORMAT);
    const paths = new Set(
      read.mock.calls.map(([file]) => shard.prepare('select path from file where id = ?').get(file)?.['path']),
    );
    shard.close();
    read.mockRestore();

    expect(paths).toEqual(new Set(['package.json', 'src/cli.ts']));
  }));

test('a graph that is made when it is asked for is that of a whole build, and reads only what changed', () =>
  withCommits(
    [randomCommits(7, 0)[0] ?? {}, { 'src/cli.ts': TEXTS[2], 'src/app.ts': undefined, 'src/b.ts': TEXTS[0] }],
    (shards) => {
      const [before = '', after = ''] = shards;
      copyFileSync(after, `${after}-whole`);
      writeGraph(`${after}-whole`);
      writeGraph(before);
      writeFindings(after, before);

      const [carried, whole] = [after, `${after}-whole`].map((file) => openShard(file, CODE_FORMAT));
      if (carried === undefined || whole === undefined) throw new Error('there are two shards');
      const read = vi.spyOn(TextFindings.prototype, 'text');
      const reread = readGraph(carried);
      const paths = read.mock.calls.map(
        ([file]) => carried.prepare('select path from file where id = ?').get(file)?.['path'],
      );
      read.mockRestore();
      expect(reread).toEqual(readGraph(whole));
      expect(new Set(paths)).toEqual(new Set(['package.json', 'src/cli.ts', 'src/b.ts']));
      for (const shard of [carried, whole]) shard.close();
    },
  ));

/** The bytes that a graph left in its shard. */
function storedGraph(file: string): { graph: string; findings: string } {
  const shard = openShard(file, CODE_FORMAT);
  const [graph, findings] = [dense(shard, 'graph'), dense(shard, 'graph_findings')].map((bytes) =>
    Buffer.from(bytes).toString('base64'),
  );
  shard.close();
  return { graph: graph ?? '', findings: findings ?? '' };
}
