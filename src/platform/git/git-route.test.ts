import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder, testRepository } from '../../testing/git.ts';
import { endpointOf, pinHost, type RoutePolicy, routeTo } from './git-route.ts';
import { GitFailure, runGit, transferEnvironment } from './git.ts';

const STRICT: RoutePolicy = { allowFile: false, privateHosts: new Set() };
const LOCAL: RoutePolicy = { allowFile: false, privateHosts: new Set(['127.0.0.1']) };

function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

/** Serves a bare repository as files. */
function servedRepository(): Promise<string> {
  const source = testRepository([{ files: { a: '1' } }]);
  onTestFinished(() => source.remove());
  source.git('update-server-info');
  return serve((request, response) => {
    const path = /^\/acme\/shop\.git(\/[\w./-]+)/.exec(request.url ?? '')?.[1];
    try {
      response.end(readFileSync(join(source.path, '.git', path ?? '')));
    } catch {
      response.writeHead(404).end();
    }
  });
}

function temporaryFile(name: string, text: string): string {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test.each([
  ['https://localhost/acme/shop', ['127.0.0.1']],
  ['https://inside.example/acme/shop', ['10.0.0.5']],
  ['https://both.example/acme/shop', ['140.82.112.5', '192.168.0.1']],
  ['https://six.example/acme/shop', ['::ffff:127.0.0.1']],
  ['ssh://git@inside.example/acme/shop', ['169.254.169.254']],
  ['git@0x7f.1:acme/shop', undefined],
  ['ssh://git@2130706433/acme/shop', undefined],
  ['https://127.0.0.1/acme/shop', undefined],
])('%s is refused before git connects', async (url, addresses) => {
  const policy = addresses === undefined ? STRICT : { ...STRICT, lookUp: async () => addresses };

  await expect(routeTo(url, policy)).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining('is in a private network'),
  });
});

test('a name is resolved once, and git reaches the addresses that were checked whatever it resolves to later', async () => {
  const lookedUpHosts: string[] = [];
  const lookUp = async (host: string): Promise<string[]> => {
    lookedUpHosts.push(host);
    return lookedUpHosts.length === 1 ? ['203.0.113.9'] : ['127.0.0.1'];
  };
  const url = new URL(await servedRepository());

  // The first answer is an address that nothing may be reached at, so that the test connects to nowhere.
  await expect(routeTo('https://rebinding.example/acme/shop', { ...STRICT, lookUp })).rejects.toThrow(/private/);
  expect(lookedUpHosts).toEqual(['rebinding.example']);
  const held = pinHost({ host: 'shop.example', port: url.port }, ['127.0.0.1']);
  const ask = ['ls-remote', `http://shop.example:${url.port}/acme/shop.git`];
  const env = { ...transferEnvironment(false), GIT_ALLOW_PROTOCOL: 'http' };

  expect((await runGit([...held, ...ask], { env })).toString()).toContain('refs/heads/main');
  await expect(runGit(ask, { env })).rejects.toThrow(/Could not resolve host/);
  expect(pinHost({ host: 'a.', port: '443' }, ['1.2.3.4', '2606::1'])).toEqual([
    '-c',
    'http.curloptResolve=a.:443:1.2.3.4,[2606::1]',
    '-c',
    'http.curloptResolve=a:443:1.2.3.4,[2606::1]',
  ]);
});

test('a redirect to another place of an open host is followed, one to a closed host is not', async () => {
  const there = await servedRepository();
  const requestedUrls: string[] = [];
  const secret = await serve((request, response) => {
    requestedUrls.push(request.url ?? '');
    response.end('secret');
  });
  const inside = secret.replace('127.0.0.1', 'localhost');
  const targets: Record<string, string> = {
    '/moved': `${there}/acme/shop.git/info/refs?service=git-upload-pack`,
    '/inside': `${inside}/x/info/refs?service=git-upload-pack`,
    '/closed': 'https://[::ffff:169.254.169.254]/x/info/refs?service=git-upload-pack',
    '/odd': `${secret}/latest/meta-data`,
    '/file': 'file:///etc/passwd',
  };
  const from = await serve((request, response) => {
    const [, path = ''] = /^(\/\w+)\/info\/refs/.exec(request.url ?? '') ?? [];
    response.writeHead(302, { location: targets[path] ?? `${from}/again/info/refs?service=git-upload-pack` }).end();
  });

  expect(await routeTo(`${from}/moved`, LOCAL)).toMatchObject({ url: `${there}/acme/shop.git` });
  await expect(routeTo(`${from}/inside`, LOCAL)).rejects.toThrow(/connection to localhost would not be encrypted/);
  await expect(routeTo(`${from}/closed`, LOCAL)).rejects.toThrow(/is in a private network/);
  await expect(routeTo(`${from}/odd`, LOCAL)).rejects.toThrow(/redirects to something that is not a repository/);
  await expect(routeTo(`${from}/file`, LOCAL)).rejects.toThrow(/redirects to something that is not a repository/);
  await expect(routeTo(`${from}/again`, LOCAL)).rejects.toThrow(GitFailure);
  expect(requestedUrls).toEqual([]);
});

test('ssh is held to the address that was checked, and knows the host by its name', async () => {
  const log = temporaryFile('log', '');
  const ssh = temporaryFile(
    'ssh',
    `#!/bin/sh\ncase "$*" in -G*) exec ssh -F none "$@";; esac\nprintf '%s\\n' "$*" >> ${log}\nexit 1\n`,
  );
  chmodSync(ssh, 0o755);
  vi.stubEnv('GIT_SSH_COMMAND', ssh);
  onTestFinished(() => void vi.unstubAllEnvs());
  const policy = { ...STRICT, lookUp: async () => ['140.82.112.5', '140.82.112.6'] };

  await expect(routeTo('git@shop.example:acme/shop', policy)).rejects.toThrow(GitFailure);
  await expect(routeTo('ssh://git@shop.example:2222/acme/shop', policy)).rejects.toThrow(GitFailure);
  await expect(
    routeTo('git@inside.example:acme/shop', { ...policy, privateHosts: new Set(['inside.example']) }),
  ).rejects.toThrow(GitFailure);

  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    expect.stringMatching(
      /^-o HostName=140\.82\.112\.5 -o HostKeyAlias=shop\.example .*git@shop\.example git-upload-pack/,
    ),
    expect.stringMatching(
      /^-o HostName=140\.82\.112\.5 -o HostKeyAlias=\[shop\.example\]:2222 .*-p 2222 git@shop\.example /,
    ),
    expect.stringMatching(/^(?!.*HostName).*git@inside\.example /),
  ]);
});

test('what the settings of the user make of an address is what is checked', async () => {
  const config = temporaryFile('config', '[url "https://10.1.2.3/"]\n\tinsteadOf = https://shop.example/\n');
  vi.stubEnv('GIT_CONFIG_GLOBAL', config);
  onTestFinished(() => void vi.unstubAllEnvs());

  await expect(routeTo('https://shop.example/acme/shop', STRICT)).rejects.toThrow(/10\.1\.2\.3 is in a private/);
});

test.each([
  ['https://Host.example/a/b', { protocol: 'https', host: 'host.example', port: '443' }],
  ['https://[::1]:8443/a', { protocol: 'https', host: '::1', port: '8443' }],
  ['git@[2606::1]:a/b', { protocol: 'ssh', user: 'git', host: '2606::1', port: '22' }],
  ['ssh://git@h:2222/a', { protocol: 'ssh', user: 'git', host: 'h', port: '2222' }],
  ['file:///srv/a', { protocol: 'file' }],
])('git reads %s as %o', (url, expected) => {
  expect(endpointOf(url)).toMatchObject(expected);
});

test.each(['ext::sh -c id', 'git://h/a', '/srv/a', 'ssh://git@%31.example/a', '--upload-pack=id', 'HTTPS://h/a'])(
  '%s is no address that git may reach',
  (url) => {
    expect(endpointOf(url)).toBeUndefined();
  },
);

test('a credential is shown to the addresses that it is for', async () => {
  const shown: (string | undefined)[] = [];
  const at = await serve((request, response) => {
    shown.push(request.headers.authorization);
    response.writeHead(404).end();
  });
  const credential = { address: `${at}/acme/`, user: 'oauth2', password: 'secret' };
  const policy = { ...LOCAL, credential };

  await expect(routeTo(`${at}/acme/shop`, policy)).rejects.toThrow(GitFailure);
  await expect(routeTo(`${at}/other/shop`, policy)).rejects.toThrow(GitFailure);

  expect(shown).toEqual([`Basic ${Buffer.from('oauth2:secret').toString('base64')}`, undefined]);
});

test('the arguments of a route do not hold its credential', async () => {
  const at = await servedRepository();
  const credential = { address: `${at}/acme/`, user: 'oauth2', password: 'secret' };
  const { args } = await routeTo(`${at}/acme/shop.git`, { ...LOCAL, credential });

  expect(args.join(' ')).toContain('extraHeader=SVC_GIT_CREDENTIAL');
});
