/**
 * Takes the pictures of the README and of docs/, `docs/images/*.png`: `node scripts/pictures.ts`. Starts a service on a copy
 * of this checkout's last commit with the data of a first start, and opens its pages in Chromium (`CHROMIUM_PATH`). Port 4000
 * must be free. About a minute.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM, HOW_TO_INSTALL } from '../src/testing/chromium.ts';

interface Picture {
  name: string;
  path: string;
  isDark?: boolean;
  isPhone?: boolean;
  /** Pixels from the left; the whole window when absent. */
  width?: number;
  /** Prepares the page before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
}

const ROOT = join(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs', 'images');
const WINDOW = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 640 };
/** Calls of a key, so that its page has something to show. */
const CALLS = [
  ['code-tool', { action: 'usages', query: 'openKeys' }],
  ['code-tool', { action: 'map' }],
  ['search-tool', { query: 'keys that expire' }],
  ['commit-tool', { action: 'hotspots' }],
  ['entity-analysis-tool', { action: 'find', entity: 'keys' }],
] as const;

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: '/' },
  { name: 'api-keys', path: '/settings/api-keys' },
  { name: 'key-dark', path: '/settings/api-keys', isDark: true, prepare: (page) => follow(page, 'review bot') },
  { name: 'connect', path: '/connect' },
  { name: 'search-dark', path: '/search?q=refuse+expired+keys', isDark: true },
  { name: 'file', path: '/r/svc@/src/keys/api-key.ts#L49-54', width: 945 },
  { name: 'hotspots', path: '/history' },
  { name: 'graph', path: '/graph?entity=src/keys' },
  { name: 'plan-dark', path: '/plans/quotas-per-developer', isDark: true },
  { name: 'work-items', path: '/work-items' },
  { name: 'phone', path: '/', isPhone: true },
];

const executablePath = CHROMIUM;
if (executablePath === undefined) throw new Error(HOW_TO_INSTALL);
const folder = mkdtempSync(join(tmpdir(), 'svc-pictures-'));
// The copy bears the name of the project, whatever the checkout is called.
const copy = join(folder, 'svc');
execFileSync('git', ['clone', '--quiet', ROOT, copy]);
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
const service = spawn(process.execPath, ['bin/svc.mjs', 'up', '--data-dir', join(folder, 'data')], {
  cwd: copy,
  env: { ...process.env, SVC_PORT: '4000' },
  stdio: ['ignore', 'pipe', 'pipe'],
});
const ended = once(service, 'close');
let output = '';
for (const stream of [service.stdout, service.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
try {
  const [link] = await heard(/http\S+\/welcome#token=\S+/);
  await heard(/ ready · /);
  const { origin } = new URL(link);
  await useKeys(origin);
  await takePictures(await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] }), link);
} finally {
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** Waits until the service has said something. @throws Error with what it said when it ended before. */
async function heard(pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(output);
    if (match !== null) return match;
    if (service.exitCode !== null) throw new Error(`The service ended: ${output}`);
    await Promise.race([once(service.stdout, 'data'), once(service.stderr, 'data'), ended]);
  }
}

/** Makes two keys as a user does, and calls some operations with one of them. */
async function useKeys(origin: string): Promise<void> {
  createKey('pairing session', '3d');
  const made = createKey('review bot', '90d');
  const key = /svc_live_\w+/.exec(made)?.[0] ?? '';
  for (let round = 0; round < 8; round += 1)
    for (const [tool, args] of CALLS.slice(0, 1 + (round % CALLS.length))) {
      const answer = await fetch(`${origin}/v1/tools/${tool}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      if (!answer.ok) throw new Error(`${tool} answered ${answer.status}: ${await answer.text()}`);
    }
}

function createKey(name: string, expires: string): string {
  const args = ['key', 'create', '--name', name, '--expires', expires, '--data-dir', join(folder, 'data')];
  return execFileSync(process.execPath, [join(ROOT, 'bin/svc.mjs'), ...args], { encoding: 'utf8' });
}

async function takePictures(browser: Browser, link: string): Promise<void> {
  const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const { origin } = new URL(link);
  await page.goto(link);
  await page.waitForURL((url) => url.pathname !== '/welcome');
  for (const picture of PICTURES) {
    await page.setViewportSize(picture.isPhone === true ? PHONE : WINDOW);
    await page.emulateMedia({ colorScheme: picture.isDark === true ? 'dark' : 'light' });
    await page.goto(origin + picture.path);
    await settle(page);
    await picture.prepare?.(page);
    await settle(page);
    const { width, height } = { ...(picture.isPhone === true ? PHONE : WINDOW), width: picture.width };
    await page.screenshot({
      path: join(IMAGES, `${picture.name}.png`),
      ...(width !== undefined && { clip: { x: 0, y: 0, width, height } }),
    });
    process.stdout.write(`${picture.name}.png\n`);
  }
  await browser.close();
}

/** Until nothing is loaded any more, and no placeholder is left. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('.breathing.bg-hover').first().waitFor({ state: 'detached' });
}

async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).first().click();
  await page.waitForURL(/api-keys\/./);
}
