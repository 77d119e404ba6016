import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { CHROMIUM, HOW_TO_INSTALL } from '../../testing/chromium.ts';
import { useWatchBench } from '../../testing/watch-bench.ts';
import { Renderer } from './renderer.ts';
import { changePage, findCompetitor, watchCompetitor } from '../watch/watch-list.ts';

// Not every reporter shows why a test was skipped.
if (CHROMIUM === undefined) process.stderr.write(`Rendering is not tried: ${HOW_TO_INSTALL}\n`);
const site = useWatchBench({ ...(CHROMIUM !== undefined && { chromium: CHROMIUM }), limitMs: 60_000 });

/** Watches pages of the site with their scripts. */
async function watchRendered(...paths: string[]): Promise<void> {
  const pages = paths.map((path) => ({ url: site.url + path, settings: { render: 'browser' as const } }));
  await watchCompetitor(site.competitors, site.account, { name: 'Acme', pages });
}

/** A page that shows nothing until its script ran. */
function scripted(script: string): string {
  return `<html><body><main id="root"></main><script src="/app.js"></script><script>${script}</script></body></html>`;
}

function serveText(path: string, type: string, body: () => string): void {
  site.answers.set(path, (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body()));
}

const SHOW_PLANS = `fetch('/api/plans').then((answer) => answer.json()).then(({ price }) => show(
  '<h1>Plans</h1><p>Views: ' + Math.random() + '</p><h2>Team</h2><p>' + price + ' per user and month, with twenty projects and as many guests as you like, all features included.</p>'))`;

test('a price that only a script shows is told when it changes; pictures and styles are not asked for', async (context) => {
  context.skip(CHROMIUM === undefined, HOW_TO_INSTALL);
  let price = '$20';
  site.serve('/pricing', () => scripted(SHOW_PLANS).replace('<main', '<link rel="stylesheet" href="/app.css"><main'));
  serveText('/app.js', 'text/javascript', () => {
    return 'function show(html) { root.innerHTML = html + "<img src=/picture.png>"; }';
  });
  serveText('/api/plans', 'application/json', () => JSON.stringify({ price }));
  await watchRendered('/pricing');

  expect(await site.statuses()).toEqual(['new']);
  expect(await site.statuses()).toEqual(['same']);
  price = '$25';
  expect(await site.statuses()).toEqual(['changed']);

  expect(await site.changes()).toMatchObject([
    {
      kind: 'pricing',
      severity: 'high',
      removed: [expect.stringContaining('$20 per user')],
      added: [expect.stringContaining('$25 per user')],
    },
  ]);
  const paths = new Set(site.requests.map(({ path }) => path));
  expect(paths).toEqual(new Set(['/robots.txt', '/pricing', '/app.js', '/api/plans']));
  expect(site.requests.filter(({ path }) => path === '/app.js')).toHaveLength(1);
  expect(site.requests.at(-1)?.headers['user-agent']).toBe('svc-watch/test');
});

test('a page reaches no private address, by whatever it tries, and nothing that robots.txt forbids', async (context) => {
  context.skip(CHROMIUM === undefined, HOW_TO_INSTALL);
  const reached: string[] = [];
  const canary = createServer((socket) => {
    reached.push('connection');
    socket.destroy();
  }).listen(0, '127.0.0.2');
  await new Promise((resolve) => canary.once('listening', resolve));
  const { port } = canary.address() as AddressInfo;
  const calls = createSocket('udp4', () => reached.push('datagram'));
  await new Promise<void>((resolve) => calls.bind(port, '127.0.0.2', resolve));
  onTestFinished(() => {
    canary.close();
    calls.close();
  });
  const away = `http://127.0.0.2:${port}/secret`;
  site.answers.set('/robots.txt', (_request, response) => void response.end('User-agent: *\nDisallow: /private\n'));
  site.answers.set('/leads-away', (_request, response) => void response.writeHead(302, { location: away }).end());
  serveText('/app.js', 'text/javascript', () => 'function show(html) { root.innerHTML = html; }');
  const tries = `
    const away = ${JSON.stringify(away)};
    const outcomes = [];
    const note = (name) => (error) => outcomes.push(name + (error instanceof Error ? ' failed' : ' reached'));
    const attempt = (name, url, options) => fetch(url, options).then(note(name), note(name));
    new WebSocket(away.replace('http', 'ws'));
    new EventSource(away);
    navigator.sendBeacon(away, 'x');
    const call = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.2:${port}' }] });
    call.createDataChannel('x');
    call.createOffer().then((offer) => call.setLocalDescription(offer));
    open(away);
    document.head.insertAdjacentHTML('beforeend', '<link rel=preconnect href="' + away + '"><link rel=prefetch href="' + away + '">');
    document.body.insertAdjacentHTML('beforeend', '<img src="' + away + '"><iframe src="' + away + '"></iframe>');
    document.body.append(Object.assign(document.createElement('script'), { src: away }));
    Promise.all([
      attempt('private', away, { mode: 'no-cors' }),
      attempt('metadata', 'http://169.254.169.254/latest/meta-data', { mode: 'no-cors' }),
      attempt('decimal', 'http://2130706434:${port}/', { mode: 'no-cors' }),
      attempt('redirect', '/leads-away', { mode: 'no-cors' }),
      attempt('post', '/app.js', { method: 'POST', body: 'x' }),
      attempt('forbidden', '/private/data'),
      attempt('file', 'file:///etc/passwd'),
    ]).then(() => show('<h1>Outcomes</h1><p>' + outcomes.sort().join(', ') +
      ' and enough other words to be taken for a page that says something to the people who read it today</p>'));`;
  site.serve('/pricing', () => scripted(tries));
  await watchRendered('/pricing');

  expect((await site.check()).map(({ status, detail }) => [status, detail])).toEqual([['new', '']]);

  expect(reached).toEqual([]);
  const [page] = (await findCompetitor(site.competitors, site.account, 'acme')).pages;
  const { text } = (await site.captureOf(page?.captureId)) ?? {};
  expect(text).toContain(
    'decimal failed, file failed, forbidden failed, metadata failed, post failed, private failed, redirect failed and',
  );
  expect(site.requests.map(({ path }) => path)).not.toContain('/private/data');
});

test('a page that ends in no page is told so, and the next one has a browser of its own', async (context) => {
  context.skip(CHROMIUM === undefined, HOW_TO_INSTALL);
  serveText('/app.js', 'text/javascript', () => 'function show(html) { root.innerHTML = html; }');
  site.serve('/leaves', () => scripted("location.href = 'http://169.254.169.254/'"));
  site.serve('/grows', () => scripted('show("x ".repeat(4e6))'));
  await watchRendered('/grows', '/leaves');

  const outcomes = (await site.check()).map(({ page, status, detail }) => [new URL(page.url).pathname, status, detail]);

  expect(outcomes).toEqual([
    ['/grows', 'error', expect.stringContaining('more than 5242880 characters')],
    ['/leaves', 'error', expect.stringContaining('leads to an address that cannot be read')],
  ]);
});

test('a page that never comes to rest is given up, with its browser', async (context) => {
  context.skip(CHROMIUM === undefined, HOW_TO_INSTALL);
  const renderer = new Renderer(site.competitors.fetcher, {
    chromium: CHROMIUM ?? '',
    isSandboxed: false,
    limitMs: 3_000,
  });
  onTestFinished(() => renderer.close());
  const endless = { url: `${site.url}/`, html: scripted('for (;;);'), signal: site.signal };

  await expect(renderer.render(endless)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'The page cannot be read with a browser: it takes more than 3 s',
  });
  const cancelled = { ...endless, signal: AbortSignal.abort(new Error('stopped')) };
  await expect(renderer.render(cancelled)).rejects.toThrow('stopped');
  const none = new Renderer(site.competitors.fetcher, { chromium: '/nowhere/chromium', isSandboxed: false });
  onTestFinished(() => none.close());
  await expect(none.render(endless)).rejects.toThrow('/nowhere/chromium');
});

test('where no browser is configured, none can be asked for', async () => {
  const competitors = { ...site.competitors, renderer: undefined };
  site.serve('/', () => scripted(''));
  await site.watch('/');
  const [page] = (await findCompetitor(competitors, site.account, 'acme')).pages;

  await expect(
    changePage(competitors, site.account, { id: page?.id ?? '', settings: { render: 'browser' } }),
  ).rejects.toThrow('no browser');
  expect(page?.settings.render).toBe('none');
});

test('as root, where Chromium has no sandbox, it is said what to do', async (context) => {
  context.skip(process.getuid?.() !== 0, 'The tests run as another user.');
  const sandboxed = new Renderer(site.competitors.fetcher, { chromium: '/nowhere/chromium', isSandboxed: true });
  onTestFinished(() => sandboxed.close());
  const page = { url: `${site.url}/`, html: scripted(''), signal: site.signal };

  await expect(sandboxed.render(page)).rejects.toThrow('set SVC_CHROMIUM_SANDBOX=no');
});
