import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { dataPlaces } from './data-dir.ts';

/** The folder of the program: with `sources` it is a checkout of it. */
function program(isCheckout: boolean): string {
  const root = testFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src'));
  if (isCheckout) writeFileSync(join(root, 'src', 'main.ts'), '');
  return root;
}

const HOME = { XDG_DATA_HOME: '/home/ada/data' };
const OF_USER = '/home/ada/data/svc';

test('an installed svc has one data folder of its user, from any folder', () => {
  const root = program(false);

  for (const cwd of [root, '/elsewhere', '/'])
    expect(dataPlaces(HOME, undefined, { cwd, root })).toEqual({ dataDir: OF_USER, others: [] });
  expect(dataPlaces({ XDG_DATA_HOME: '' }, undefined, { cwd: '/', root }).dataDir).toBe(
    join(homedir(), '.local', 'share', 'svc'),
  );
});

test('a checkout has its own data, and svc started from it elsewhere has the data of its user; each knows the other', () => {
  const root = program(true);
  const ofCheckout = join(root, '.svc-data');

  for (const cwd of [root, join(root, 'src', 'x')])
    expect(dataPlaces(HOME, undefined, { cwd, root })).toEqual({ dataDir: ofCheckout, others: [OF_USER] });
  for (const cwd of ['/elsewhere', `${root}-2`, join(root, '..')])
    expect(dataPlaces(HOME, undefined, { cwd, root })).toEqual({ dataDir: OF_USER, others: [ofCheckout] });
});

test('a flag wins over SVC_DATA_DIR, which wins over every default; an empty one counts as absent', () => {
  const launch = { cwd: '/place', root: program(true) };

  expect(dataPlaces({ ...HOME, SVC_DATA_DIR: 'here' }, 'there', launch)).toEqual({
    dataDir: '/place/there',
    others: [],
  });
  expect(dataPlaces({ ...HOME, SVC_DATA_DIR: 'here' }, undefined, launch)).toEqual({
    dataDir: '/place/here',
    others: [],
  });
  expect(dataPlaces({ ...HOME, SVC_DATA_DIR: '' }, undefined, launch).dataDir).toBe(OF_USER);
});
