import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../src/testing/git.ts';
import { installedPackage } from './installations.ts';
import { readManifest } from './program.ts';
import { startSvc, svc } from './service-process.ts';

test('the packed program serves, answers and shows its pages without sources and packages of development', async () => {
  const { version, scripts } = readManifest();
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
