import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { otherVersionIn, readDeclarations } from './manifests.ts';

test.each([
  ['"core": "workspace:^"', '2.1.0', ''],
  ['"core": "*"', '2.1.0', ''],
  ['"core": "^2.0.0"', '2.1.0', ''],
  ['"core": "^1.9.0"', '2.1.0', '^1.9.0'],
  ['"core": "^0.2.0"', '0.2.9', ''],
  ['"core": "^0.2.0"', '0.3.0', '^0.2.0'],
  ['"core": "~2.1.0"', '2.1.4', ''],
  ['"core": "~2.0.0"', '2.1.0', '~2.0.0'],
  ['"core": "2.1.0"', '2.1.0', ''],
  ['"core": "2.0.9"', '2.1.0', '2.0.9'],
  ['"core": ">=1 <3"', '2.1.0', ''],
  ['"core": "^1.9.0"', undefined, ''],
  ['core = { path = "../core", version = "1.0" }', '2.1.0', ''],
  ['core.workspace = true', '2.1.0', ''],
  ['core = { workspace = true }', '2.1.0', ''],
  ['core = "1.0"', '2.1.0', '1.0'],
  ['core = { version = "1.0", features = ["x"] }', '2.1.0', '1.0'],
])('%s beside version %s takes another version: “%s”', (text, version, other) => {
  expect(otherVersionIn(text, version)).toBe(other);
});

async function declaredBy(manifests: Readonly<Record<string, string>>) {
  const lines = Object.entries(manifests).flatMap(([path, text]) =>
    text.split('\n').map((line, at) => ({ path, line: at + 1, text: line })),
  );
  const { tools } = scriptedTools(() => lines);
  return readDeclarations(
    tools,
    Object.keys(manifests).map((manifest) => ({ name: manifest.split('/')[0] ?? '', manifest })),
  );
}

test('of the lines of a manifest the one that takes what lies in the repository decides, and peers take any version', async () => {
  const found = await declaredBy({
    'core/package.json': '"version": "2.0.0",',
    'site/package.json': '"dependencies": {\n"core": "^1.0.0"\n}',
    'view/package.json': '"devDependencies": {\n"core": "workspace:*"\n},\n"peerDependencies": {\n"core": "^1.0.0"\n}',
  });

  expect(found).toEqual([
    { from: 'site', to: 'core', otherVersion: '^1.0.0' },
    { from: 'view', to: 'core', otherVersion: '' },
  ]);
});

test('what a crate needs for its tests or its build alone, and a feature of the name, is no dependency', async () => {
  const path = '{ path = "../core" }';
  const found = await declaredBy({
    'core/Cargo.toml': 'version = "1.0.0"',
    'view/Cargo.toml': `[dev-dependencies]\ncore = ${path}\n[features]\ncore = ["dep:core"]`,
    'tool/Cargo.toml': `[build-dependencies]\ncore = ${path}`,
    'app/Cargo.toml': `[dependencies]\ncore = ${path}`,
    'web/Cargo.toml': '[dependencies.core]\npath = "../core"',
  });

  expect(found?.map(({ from }) => from)).toEqual(['app', 'web']);
});
