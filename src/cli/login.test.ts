import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { forgetLogin, keyFrom, readLogin, serviceAddress, writeLogin } from './login.ts';

function configDir(): string {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'svc');
}

test.each([
  ['https://svc.example.com/', 'https://svc.example.com'],
  ['svc.example.com', 'https://svc.example.com'],
  ['localhost:4000', 'http://localhost:4000'],
  ['127.0.0.1:4000/', 'http://127.0.0.1:4000'],
  ['https://tools.example.com/svc/v1/mcp/sse', 'https://tools.example.com/svc'],
  ['http://127.0.0.1:4000/v1/', 'http://127.0.0.1:4000'],
])('an address is kept as the service is found at: %s', (given, address) => {
  expect(serviceAddress(given)).toBe(address);
});

test.each(['ftp://svc.example.com', 'https://', 'https://me:secret@svc.example.com'])('%s is no address', (given) => {
  expect(() => serviceAddress(given)).toThrow(expect.objectContaining({ code: 'bad_argument' }));
});

test('a login is kept for this user alone until it is forgotten', () => {
  const folder = configDir();
  const login = { url: 'https://svc.example.com', key: 'svc_live_1' };

  expect(readLogin(folder)).toBeUndefined();
  writeLogin(folder, login);
  writeLogin(folder, login);

  expect(readLogin(folder)).toEqual(login);
  expect(statSync(join(folder, 'login.json')).mode & 0o077).toBe(0);
  writeFileSync(join(folder, 'login.json'), '{"url":1}');
  expect(() => readLogin(folder)).toThrow(/damaged/);
  expect([forgetLogin(folder), forgetLogin(folder), readLogin(folder)]).toEqual([true, false, undefined]);
});

async function* input(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

test('a key is the first line of the input, however it comes in pieces', async () => {
  expect(await keyFrom(input('svc_', 'live_1\r', '\nmore'))).toBe('svc_live_1');
  expect(await keyFrom(input('svc_live_1'))).toBe('svc_live_1');
  await expect(keyFrom(input('\n'))).rejects.toMatchObject({ code: 'bad_argument' });
});
