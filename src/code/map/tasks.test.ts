import { expect, test } from 'vitest';
import { readManifest } from './manifests.ts';
import { saysTasks, tasksOf } from './tasks.ts';

const commands = (path: string, text: string, beside: string[] = []): string[] => {
  expect(saysTasks(path)).toBe(true);
  return tasksOf(path, text, new Set(beside)).map(({ task, command }) => `${task}: ${command}`);
};

test('scripts are run by the package manager that the lock file or the manifest tells', () => {
  const text = '{"scripts": {"test": "vitest --run", "deploy": "x", "build": "tsc"}}';

  expect(commands('package.json', text)).toEqual(['build: npm run build  (tsc)', 'test: npm run test  (vitest --run)']);
  expect(commands('package.json', text, ['pnpm-lock.yaml'])[0]).toBe('build: pnpm run build  (tsc)');
  expect(commands('package.json', text.replace('{"s', '{"packageManager":"yarn@4","s'))[0]).toBe(
    'build: yarn build  (tsc)',
  );
});

test('targets, tables and kinds of manifests tell commands', () => {
  expect(commands('Makefile', '.PHONY: test\nCC := gcc\nall: lib\n\tcc\ntest: all\n\t./run\n')).toEqual([
    'build: make all',
    'test: make test',
  ]);
  expect(commands('pyproject.toml', '[build-system]\n[tool.pytest.ini_options]\n', ['uv.lock'])).toEqual([
    'build: python -m build',
    'test: uv run pytest',
  ]);
  expect(commands('go.mod', 'module x\n')).toEqual(['build: go build ./...', 'test: go test ./...']);
  expect(commands('Cargo.toml', '[package]\n')).toEqual(['build: cargo build', 'test: cargo test']);
  expect(commands('pom.xml', '<project/>', ['mvnw'])[1]).toBe('test: ./mvnw test');
  expect(commands('build.gradle.kts', '', ['gradlew'])[1]).toBe('test: ./gradlew test');
  expect(
    commands(
      '.github/workflows/ci.yml',
      'steps:\n - run: npm test\n - run: |\n     echo test\n     make lint\n - uses: x\n',
    ),
  ).toEqual(['test: npm test', 'check: make lint']);
});

test.each([
  ['web/package.json', '{"name": "@shop/web", "bin": "x.js"}', '@shop/web', true],
  ['package.json', '{"name": "shop", "private": true, "scripts": {"start": "node ."}}', 'shop', true],
  ['package.json', '{"name": "shop", "main": "a.js", "private": true, "scripts": {"start": "x"}}', 'shop', false],
  ['package.json', '{"name": "shop", "scripts": {"start": "node ."}}', 'shop', false],
  ['pyproject.toml', '[project]\nname = "shop"\n[tool.x]\nname = "no"\n', 'shop', false],
  ['setup.py', "setup(name='shop', entry_points={'console_scripts': ['shop = shop:main']})\n", 'shop', true],
  ['lib/setup.cfg', '[metadata]\nname = shop\n', 'shop', false],
  ['go.mod', 'module example.org/shop\n', 'example.org/shop', false],
  ['core/Cargo.toml', '[package]\nname = "core-lib"\n', 'core-lib', false],
  [
    'pom.xml',
    '<project><parent><artifactId>up</artifactId></parent><artifactId>shop</artifactId></project>',
    'shop',
    false,
  ],
  ['pom.xml', '<project><artifactId>shop</artifactId><mainClass>org.shop.Main</mainClass></project>', 'shop', true],
  ['pom.xml', '<project><artifactId>shop</artifactId><!-- <mainClass>x</mainClass> --></project>', 'shop', false],
  ['app/build.gradle', "apply plugin: 'application'\n", 'app', true],
  ['app/build.gradle', "jar { manifest { attributes 'Main-Class': 'org.shop.Main' } }\n", 'app', true],
  ['build.gradle.kts', 'plugins {\n  id("org.springframework.boot") version "3.4" apply false\n}\n', '', false],
  ['app/build.gradle.kts', 'plugins {\n  application\n}\n', 'app', true],
  ['src/Shop.Api.csproj', '<OutputType>Exe</OutputType>', 'Shop.Api', true],
])('%s names its package', (path, text, name, isProgram) => {
  expect(readManifest(path, text)).toMatchObject({ name, isProgram });
});

test('a manifest that describes no package is none', () => {
  expect(readManifest('esm/package.json', '{"type": "module"}')).toBeUndefined();
  expect(readManifest('package.json', '{broken')).toBeUndefined();
  expect(readManifest('setup.cfg', '[flake8]\nmax-line-length = 100\n')).toBeUndefined();
  expect(readManifest('Cargo.toml', '[workspace]\nmembers = []\n')).toBeUndefined();
});
