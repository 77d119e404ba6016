import { expect, test } from 'vitest';
import { readHandle } from './handles.ts';

test.each([
  ['sym:Queue/add(a@b)@src/queue.ts', { kind: 'symbol', name: 'Queue/add(a@b)', path: 'src/queue.ts' }],
  ['c:3316dc9', { kind: 'commit', name: '3316dc9' }],
  ['plan:retry-mail', { kind: 'plan', name: 'retry-mail' }],
  ['dec:12', { kind: 'decision', name: '12' }],
  ['#12', { kind: 'other', name: '#12' }],
  ['sig:4', { kind: 'signal', name: 'sig:4' }],
  ['chg:4', { kind: 'other', name: 'chg:4' }],
  ['src/a.ts', { kind: 'path', path: 'src/a.ts', lines: undefined }],
  ['src/a.ts:7', { kind: 'path', path: 'src/a.ts', lines: { from: 7, to: 7 } }],
  ['src/a.ts:7-9', { kind: 'path', path: 'src/a.ts', lines: { from: 7, to: 9 } }],
])('%s leads to the page of what it stands for', (handle, entity) => {
  expect(readHandle(handle)).toEqual(entity);
});
