import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { emptyDatabase } from '../testing/database.ts';
import { testFolder } from '../testing/git.ts';
import type { Database } from './db.ts';
import { describeKeys, forgetUsedKey, installationKeys, refuseLostKey, secretKeyPath } from './installation-key.ts';
import { openSecret, sealSecret, secretKeyId, secretKeysOf } from './secrets.ts';

const folder = testFolder();
let database: Database;
let dataDir: string;

beforeAll(async () => {
  database = await emptyDatabase();
});
beforeEach(async () => {
  await forgetUsedKey(database.db);
  dataDir = newFolder();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const newFolder = (): string => mkdtempSync(join(folder, 'data-'));
const newKey = (): string => randomBytes(32).toString('base64');
const keysIn = (targetDir: string, ...secretKeys: string[]) =>
  installationKeys(database.db, { dataDir: targetDir, secretKeys });

test('an installation makes its key once, for its user only, and every process finds it there', async () => {
  expect(describeKeys({ dataDir, secretKeys: [] })).toBe(`${secretKeyPath(dataDir)} will be created`);

  const made = await keysIn(dataDir);
  const again = await keysIn(dataDir);

  expect(again).toEqual(made);
  expect(statSync(secretKeyPath(dataDir)).mode & 0o777).toBe(0o600);
  expect(describeKeys({ dataDir, secretKeys: [] })).toBe(`${secretKeyPath(dataDir)}, key ${secretKeyId(made[0])}`);
});

test('a configured key goes first; the one in the file opens what it encrypted before', async () => {
  const configured = newKey();
  const sealed = sealSecret(await keysIn(dataDir), 'a token', 'row 1');

  const keys = await keysIn(dataDir, configured);

  expect(keys[0]).toEqual(secretKeysOf([configured])[0]);
  expect(openSecret(keys, sealed, 'row 1')).toBe('a token');
  expect(describeKeys({ dataDir, secretKeys: [configured] })).toMatch(/^SVC_SECRET_KEY, key [0-9a-f]{8}$/);
  await expect(keysIn(dataDir)).rejects.toThrow(secretKeyId(keys[0]));
});

test('with a configured key none is made', async () => {
  await keysIn(dataDir, newKey());

  expect(existsSync(secretKeyPath(dataDir))).toBe(false);
});

test('a process without the key is refused with what to do, and with a copy of the key it starts', async () => {
  const [key] = await keysIn(dataDir);
  const elsewhere = newFolder();

  const refused = {
    code: 'conflict',
    message: expect.stringContaining(secretKeyId(key)),
    fix: expect.stringMatching(/Copy secret\.key .*SVC_SECRET_KEY .*forget-secrets --yes/),
  };
  await expect(keysIn(elsewhere)).rejects.toMatchObject(refused);
  await expect(keysIn(elsewhere, newKey())).rejects.toMatchObject(refused);
  await expect(refuseLostKey(database.db, { dataDir: elsewhere, secretKeys: [] })).rejects.toMatchObject(refused);
  expect(existsSync(secretKeyPath(elsewhere))).toBe(false);
  writeFileSync(secretKeyPath(elsewhere), readFileSync(secretKeyPath(dataDir)));
  expect(await keysIn(elsewhere)).toEqual([key]);
  await refuseLostKey(database.db, { dataDir: elsewhere, secretKeys: [] });
});

test('once the lost key is forgotten, another one is made', async () => {
  const [lost] = await keysIn(dataDir);
  rmSync(secretKeyPath(dataDir));

  await forgetUsedKey(database.db);

  expect(await keysIn(dataDir)).not.toEqual([lost]);
});

test('a file that holds no key is never replaced', async () => {
  writeFileSync(secretKeyPath(dataDir), 'half a k');

  await expect(keysIn(dataDir)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('secret.key does not contain a key'),
  });
  await expect(keysIn(dataDir, newKey())).rejects.toThrow('does not contain a key');
  expect(readFileSync(secretKeyPath(dataDir), 'utf8')).toBe('half a k');
});
