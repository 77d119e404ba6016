import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureWebBuild } from '../../src/cli/web-build.ts';
import { testRepository } from '../../src/testing/git.ts';
import { startSvc, svc, temporaryFolder } from './service-process.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Manifest {
  version: string;
  files: string[];
  scripts: Record<string, string>;
}

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/** A folder as an installed package has it: the files that are packed, compiled sources, packages for production alone. */
async function installedPackage(): Promise<string> {
  const folder = temporaryFolder();
  const { files } = readJson('package.json') as Manifest;
  await ensureWebBuild(ROOT);
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const dist = join(folder, 'dist');
  execFileSync(process.execPath, [compiler, '-p', join(ROOT, 'tsconfig.build.json'), '--noCheck', '--outDir', dist]);
  cpSync(join(ROOT, 'dist/web'), join(dist, 'web'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const name of files) if (name !== 'dist') cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const { packages } = readJson('package-lock.json') as Lock;
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const isTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || dev === true || devOptional === true || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  return folder;
}

test('the packed program serves, answers and shows its pages without sources and packages of development', async () => {
  const { version, scripts } = readJson('package.json') as Manifest;
  // A fresh clone has nothing compiled: packing it must do so first.
  expect(scripts['prepack']).toBe('npm run build');
  const launcher = join(await installedPackage(), 'bin/svc.mjs');
  const shop = testRepository([{ files: { 'mail.ts': 'export const sendMail = (): number => 1;\nsendMail();\n' } }]);
  onTestFinished(() => shop.remove());

  const service = await startSvc(['up', '--data-dir', join(shop.path, '.svc-data')], { cwd: shop.path, launcher });
  await service.until(/ ready · 1 file, 1 symbol/);
  const usages = await svc(['usages', 'sendMail'], { cwd: shop.path, launcher });
  const page = await fetch(service.url);
  const html = await page.text();
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(html) ?? [];
  const asset = await fetch(`${service.url}${script}`);

  expect(service.out()).toContain(`svc ${version} `);
  expect(usages).toMatchObject({ code: 0 });
  expect(usages.out).toMatch(/code-tool usages sendMail .* 1 of 1/);
  expect([page.status, asset.status]).toEqual([200, 200]);
  expect(asset.headers.get('content-type')).toMatch(/javascript/);
  await expect(service.end()).resolves.toBe(0);
});
