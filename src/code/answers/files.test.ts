import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardInput, shop } from '../../testing/code-shard.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';

let tool: TestCodeTool;
let roles: TestCodeTool;

beforeAll(async () => {
  tool = await openCodeTool(shop());
  const paths = ['src/a.ts', 'examples/b.ts', 'vendor/c.ts', 'test/d.ts', 'data.json'];
  roles = await openCodeTool(
    shardInput(
      paths.map((path) => ({
        path,
        text: 'x\n',
        test: path.startsWith('test/'),
        ...(path === 'data.json' && { content: 'data' as const, language: 'JSON' }),
      })),
    ),
  );
});
afterAll(() => Promise.all([tool.close(), roles.close()]));

test('files are listed with what each is for, by a glob within a path', async () => {
  expect(await tool.text({ action: 'files', query: '*.ts', path: 'src' })).toBe(
    [
      'code-tool files *.ts · shop@28a9c12 main fresh · 2 of 2 (product 2)',
      'src/mail/',
      ' client.ts  product, TypeScript, 12 lines, 256 B',
      'src/orders/',
      ' notify.ts  product, TypeScript, 6 lines, 182 B',
    ].join('\n'),
  );
  expect(await tool.json({ action: 'files', limit: 1 })).toMatchObject({ total: 5, shown: 1 });
  expect(await tool.text({ action: 'files', query: '*.rb' })).toContain('no indexed file matches path="*.rb"');
  expect(await tool.text({ action: 'files', query: 'mail/*.ts' })).toContain('; path="**/mail/*.ts" matches 1 file');
});

test('each file has one role, by which files are picked', async () => {
  const { rows } = await roles.json({ action: 'files' });

  expect((rows as { path: string; role: string }[]).map(({ path, role }) => `${path} ${role}`)).toEqual([
    'data.json data',
    'examples/b.ts example',
    'src/a.ts product',
    'test/d.ts test',
    'vendor/c.ts vendored',
  ]);
  expect(await roles.json({ action: 'files', kind: ['tests'] })).toMatchObject({
    total: 1,
    rows: [{ path: 'test/d.ts' }],
  });
  await expect(roles.text({ action: 'files', kind: ['walk'] })).rejects.toMatchObject({ code: 'bad_argument' });
});
