import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokensOf } from '../../kernel/budget.ts';
import { readArguments } from '../../mcp/arguments.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';
import { type FileSketch, shardInput } from '../../testing/code-shard.ts';
import { codeTool } from '../code-tool.ts';

const core: FileSketch = {
  path: 'src/core/core.ts',
  text: 'export function core(): void {}\nexport function alone(): void {}\n',
  symbols: [
    { qualified: 'core', kind: 'function', line: 1, doc: 'What all stands on.' },
    { qualified: 'alone', kind: 'function', line: 2 },
  ],
};

/** A file of `src/app/` whose function calls one of `core` and, but for the first, the function of the file before it. */
function caller(index: number): FileSketch {
  const before = `f${index - 1}@src/app/${index - 1}.ts`;
  const use = { line: 1, use: 'call', enclosing: `f${index}` } as const;
  return {
    path: `src/app/${index}.ts`,
    text: `export function f${index}() { core(); f${index - 1}(); }\n`,
    symbols: [{ qualified: `f${index}`, kind: 'function', line: 1 }],
    imports: ['src/core/core.ts'],
    uses: [
      { ...use, name: 'core', target: 'core@src/core/core.ts' },
      ...(index === 0 ? [] : [{ ...use, name: `f${index - 1}`, target: before }]),
    ],
  };
}

let tool: TestCodeTool;

beforeAll(async () => {
  const manifest = '{"name": "shop", "main": "src/app/0.ts", "scripts": {"test": "vitest", "build": "tsc"}}';
  const isTest = {
    path: 'test/a.test.ts',
    test: true,
    text: 'x\n',
    symbols: [{ qualified: 'x', kind: 'function', line: 1 }],
  };
  tool = await openCodeTool(
    shardInput([
      { path: 'package.json', text: manifest, language: 'JSON' },
      core,
      ...Array.from({ length: 40 }, (_, index) => caller(index)),
      isTest as FileSketch,
    ]),
  );
});

afterAll(async () => tool.close());

test('a map tells packages, tasks, tests, entry points, folders and central symbols', async () => {
  const text = await tool.text({ action: 'map' });

  expect(text.split('\n')[0]).toContain(
    '(packages 1, tasks 2, folders with tests 1, entry points 1, folders 2, symbols 40)',
  );
  expect(text).toContain('packages\n . shop (library, 43 files, ');
  expect(text).toContain(' build: npm run build  (tsc) · package.json\n test: npm run test  (vitest) · package.json');
  expect(text).toContain('where the tests are\n test 1 file, mostly *.test.ts');
  expect(text).toContain('entry points\n src/app/0.ts (package)');
  expect(text).toContain(' src/app (40) → src/core 40\n src/core (1) uses no other');
  expect(text).toContain(
    'central symbols by rank\n src/core/core.ts:1 export function core(): void {}  // What all stands on.',
  );
  // Nothing refers to it.
  expect(text).not.toContain('alone');
});

test('what is built and tested alike in many modules is told once, with the modules', async () => {
  const folders = ['', 'tools/', ...Array.from({ length: 12 }, (_, index) => `contrib/m${index}/`)];
  const own = await openCodeTool(
    shardInput([
      ...folders.map((folder): FileSketch => ({
        path: `${folder}go.mod`,
        text: `module shop/${folder}\n`,
        language: '',
      })),
      { path: 'tools/package.json', text: '{"scripts": {"test": "vitest"}}', language: 'JSON' },
    ]),
  );
  const text = await own.text({ action: 'map', max_tokens: 4_000 });
  const rows = (await own.json({ action: 'map', max_tokens: 8_000 }))['rows'] as {
    command?: string;
    also?: string[];
  }[];
  await own.close();

  expect(text.match(/go build/g)).toHaveLength(1);
  expect(text).toContain(
    ' build: go build ./... · go.mod, the same in contrib/m0, contrib/m1, contrib/m10, contrib/m11, contrib/m2, contrib/m3, contrib/m4, contrib/m5, … 5 more',
  );
  expect(rows.find(({ command }) => command === 'go test ./...')?.also).toHaveLength(13);
  expect(text).toContain(' test: npm run test  (vitest) · tools/package.json\n');
});

test('pages together are the whole, whatever fits on one', async () => {
  const whole = await pages({ limit: 100, max_tokens: 20_000 });
  expect(whole.rows).toHaveLength(whole.total);
  for (const page of [
    { limit: 100, max_tokens: 400 },
    { limit: 7, max_tokens: 20_000 },
    { limit: 3, max_tokens: 1_500 },
  ]) {
    const paged = await pages(page);
    expect(paged.rows.toSorted()).toEqual(whole.rows.toSorted());
  }
});

test('a text is never longer than its budget and shows rows, not counts', async () => {
  for (const tokens of [300, 500, 1_500]) {
    const text = await tool.text({ action: 'map', max_tokens: tokens, limit: 100 });
    expect(tokensOf(text)).toBeLessThanOrEqual(tokens);
    expect(text).toContain('. shop (library');
    expect(text).not.toContain('counts per folder');
  }
});

test('of a folder: what lies in it, and the package around it', async () => {
  const text = await tool.text({ action: 'outline', path: 'src/core' });

  expect(text).toContain('code-tool outline src/core');
  expect(text).toContain(' . shop (library, 1 file');
  expect(text).toContain('central symbols by rank\n src/core/core.ts:1');
  expect(await tool.text({ action: 'outline', path: 'src/core', kind: ['function'] })).toContain(
    ' 1 export function core',
  );
  expect(await tool.text({ action: 'outline', path: 'src/core/core.ts' })).toContain(' 1 export function core');
});

test('vendored and generated symbols come after those of the product, however much they are used', async () => {
  const files = ['vendor/text.ts', 'src/own.ts'].map((path, at) => ({
    path,
    generated: at === 0,
    text: `export function f${at}() {}\nf${at}();\n`,
    symbols: [{ qualified: `f${at}`, kind: 'function' as const, line: 1 }],
  }));
  const users = ['a', 'b', 'c'].map((name, at) => ({
    path: `src/${name}.ts`,
    text: `function ${name}() { f0(); f1(); }\n`,
    symbols: [{ qualified: name, kind: 'function' as const, line: 1 }],
    uses: ['vendor/text.ts', 'src/own.ts'].slice(0, at === 0 ? 2 : 1).map((path, of) => ({
      line: 1,
      name: `f${of}`,
      use: 'call' as const,
      target: `f${of}@${path}`,
      enclosing: name,
    })),
  }));
  const copied = await openCodeTool(shardInput([...files, ...users]));

  expect(await copied.text({ action: 'map' })).toMatch(
    /central symbols by rank\n src\/own\.ts:1 .*\n vendor\/text\.ts:1/,
  );
  await copied.close();
});

test('a map that says nothing of its size takes 1,500 tokens, any other call 4,000', () => {
  const operation = codeTool({} as Parameters<typeof codeTool>[0]);

  expect(readArguments(operation, { action: 'map' }).args).toMatchObject({ max_tokens: 1_500, limit: 60 });
  expect(readArguments(operation, { action: 'map', max_tokens: 4_000 }).args).toMatchObject({ max_tokens: 4_000 });
  expect(readArguments(operation, { action: 'grep' }).args).toMatchObject({ max_tokens: 4_000, limit: 20 });
});

test('a program is told from a library, starts where programs of its language do, and its tests count by their names', async () => {
  const server = { path: 'main.go', language: 'Go', text: 'func main() {}\n' };
  const main = { qualified: 'main', kind: 'function', line: 1 } as const;
  const getter = { qualified: 'Settings', kind: 'class', line: 1, end: 3 } as const;
  const visits = ['a', 'b'].map((name) => ({ path: `cypress/${name}.cy.ts`, test: true, text: "it('x');\n" }));
  const program = await openCodeTool(
    shardInput([
      { path: 'go.mod', text: 'module example.org/shop\n', language: '' },
      { ...server, symbols: [main] },
      {
        path: 'web/settings.ts',
        text: 'class Settings {\n  get main() {}\n}\n',
        symbols: [getter, { qualified: 'Settings/main', kind: 'method', line: 2 }],
      },
      ...visits,
    ]),
  );
  const text = await program.text({ action: 'map' });
  await program.close();

  expect(text).toContain('entry points\n main.go:1 main (main)\n');
  expect(text).not.toContain('Settings/main (main)');
  expect(text).toContain(' . example.org/shop (entry, 5 files');
  expect(text).toContain('cypress 2 files, mostly *.cy.ts');
});

async function pages(args: Record<string, unknown>): Promise<{ total: number; rows: string[] }> {
  const rows: string[] = [];
  for (let cursor: unknown; ;) {
    const page = await tool.json({ action: 'map', ...args, ...(cursor !== undefined && { cursor }) });
    rows.push(...(page['rows'] as unknown[]).map((row) => JSON.stringify(row)));
    cursor = page['next'];
    if (cursor === undefined) return { total: page['total'] as number, rows };
  }
}
