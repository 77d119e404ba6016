import { expect, test } from 'vitest';
import { requestOfFilter, itemSaysWords, workItemFilter } from './work-item-filter.ts';

test('the list asks for open work items unless the address says otherwise', () => {
  expect(requestOfFilter(workItemFilter({}))).toEqual({ status: 'todo,doing' });
  expect(requestOfFilter(workItemFilter({ status: 'all', ready: '1', query: 'mail' }))).toEqual({ ready: 'true' });
  expect(requestOfFilter(workItemFilter({ status: 'done', plan: 'faster', other: 'x' }))).toEqual({
    status: 'done',
    plan: 'faster',
  });
});

test('words are found in any order in title, number, group, text, plan, assignee and files', () => {
  const item = {
    key: 'T1',
    number: '2.7',
    title: 'Send mail',
    group: 'Phase 2',
    body: '- [ ] Stamp it',
    plan: 'plan:queue',
    assignee: 'Ann',
    files: ['src/mail.ts'],
  };
  expect(['MAIL send', 'queue t1', 'ann src/ phase', 'stamp 2.7'].map((words) => itemSaysWords(item, words))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(itemSaysWords(item, 'send letters')).toBe(false);
});
