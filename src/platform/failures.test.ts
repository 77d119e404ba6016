import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../kernel/errors.ts';
import { testDatabase } from '../testing/database.ts';
import { expectedFailure } from './failures.ts';
import { TaskTimeout } from './threads.ts';

/** Returns what `fail` throws. */
async function catchError(fail: () => unknown): Promise<unknown> {
  try {
    await fail();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-failures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.runIf(process.platform === 'linux')(
  'a full disk is told as one, also as the cause of another failure',
  async () => {
    const full = await catchError(() => writeFileSync('/dev/full', 'x'));

    expect(expectedFailure(full)).toMatchObject({ code: 'storage_full', cause: full });
    const wrapped = new Error('The shard was not written.', { cause: full });
    expect(expectedFailure(wrapped)).toMatchObject({ code: 'storage_full', cause: wrapped });
  },
);

test('a database whose disk is full is told as a full disk, and damage in it as damage', async () => {
  const database = await testDatabase();
  const failing = (state: string): Promise<unknown> =>
    catchError(() =>
      database.execute(`do $$ begin raise exception 'could not extend file' using errcode = '${state}'; end $$`),
    );

  expect(expectedFailure(await failing('53100'))).toMatchObject({ code: 'storage_full', status: 507 });
  expect(expectedFailure(await failing('XX001'))).toMatchObject({ code: 'content_damaged', status: 500 });
  expect(expectedFailure(await failing('22012'))).toBeUndefined();
});

test('an SQLite file that is full or damaged is told as what it is', async () => {
  const path = join(temporaryFolder(), 'index.db');
  const small = new DatabaseSync(':memory:');
  small.exec('pragma max_page_count = 2');
  writeFileSync(path, 'this is no database, whatever its name says');
  const damaged = new DatabaseSync(path);

  const fullError = await catchError(() => small.exec('create table a (n); create table b (n); create table c (n)'));
  const damagedError = await catchError(() => damaged.prepare('select * from sqlite_master').all());

  expect(expectedFailure(fullError)).toMatchObject({ code: 'storage_full' });
  expect(expectedFailure(damagedError)).toMatchObject({ code: 'content_damaged' });
  small.close();
  damaged.close();
});

test('a task of a thread that ran past its limit says that the service is busy, also from another thread', () => {
  const ended = new TaskTimeout('10 s');
  const copied = Object.assign(new Error(ended.message), { name: ended.name });

  for (const error of [ended, copied, new Error('The lookup failed.', { cause: ended })])
    expect(expectedFailure(error)).toMatchObject({ code: 'timed_out', status: 503, cause: error });
});

test('what is known stays as it is, and what is not known stays a fault', () => {
  const serviceError = new ServiceError('conflict', 'It is there already.', { fix: 'Take another name.' });

  expect(expectedFailure(serviceError)).toBe(serviceError);
  expect(expectedFailure(new TypeError('undefined is not a function'))).toBeUndefined();
  expect(expectedFailure('a text')).toBeUndefined();
});
