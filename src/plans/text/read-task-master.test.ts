import { expect, test } from 'vitest';
import { mergeItems } from '../store/work-items.ts';
import { readPlan } from './plan-text.ts';

test('tasks of Task Master are read with their subtasks, what they wait for, and all that they say', () => {
  const file = {
    master: {
      tasks: [
        {
          id: 1,
          title: 'Cache keys',
          description: 'Once a minute',
          status: 'review',
          priority: 'high',
          dependencies: [],
          details: '# How\n\nIn `src/keys.ts`.\n\n```sh\n# no heading\n',
          testStrategy: 'Run\nnpm test',
          subtasks: [
            { id: 1, title: 'Read them', status: 'done', dependencies: [], details: '- [ ] once' },
            { id: 2, title: 'Write them', status: 'deferred', dependencies: [1] },
          ],
        },
        { id: '4', title: 'Measure', status: 'cancelled', dependencies: [1, '1.2'] },
      ],
      metadata: { projectName: 'Faster login' },
    },
    later: {
      tasks: [
        { id: 1, title: 'Ship', dependencies: [] },
        { id: 2, title: 'Tell', dependencies: [1] },
      ],
    },
  };
  const text = JSON.stringify(file);
  const { title, items, sections } = readPlan(text);

  expect(mergedItems(readPlan(text))).toEqual([
    'T1 · doing · Cache keys',
    'T5 · done · Read them',
    'T6 · todo · Write them · after T5',
    'T4 · dropped · Measure · after T1 T6',
    'T7 · todo · Ship',
    'T8 · todo · Tell · after T7',
  ]);
  expect(title).toBe('Faster login');
  expect(items[0]).toMatchObject({
    priority: 'high',
    files: ['src/keys.ts'],
    test: 'Run\nnpm test',
    body: 'Once a minute\n\n# How\n\nIn `src/keys.ts`.\n\n```sh\n# no heading',
    names: ['src/keys.ts'],
  });
  expect(items.map(({ label }) => label)).toEqual(['1', '1.1', '1.2', '4', '2.1', '2.2']);
  expect(items[1]).toMatchObject({ body: '- [ ] once', acceptance: ['once'] });
  expect(sections.map(({ text: own }) => own).join('\n')).toContain('Once a minute');
  expect(mergedItems(readPlan(JSON.stringify(file.later)))).toEqual([
    'T1 · todo · Ship',
    'T2 · todo · Tell · after T1',
  ]);
  expect(readPlan('{"tasks": "none"}').items).toEqual([]);
});

/** Returns the acceptance criteria of a task with details. */
function acceptanceOf(details: string): string[] {
  const text = JSON.stringify({ tasks: [{ id: 1, title: 'Change orders', dependencies: [], details }] });
  return readPlan(text).items[0]?.acceptance ?? [];
}

test('a step that begins with When is no scenario, and one with an outcome is', () => {
  expect(
    acceptanceOf('When an order is changed, look up its mail.\n\n- And log it\n- Given the mail, send it'),
  ).toEqual([]);
  expect(acceptanceOf('Done when: When all are sent\n\nWhen one fails, log it')).toEqual(['When all are sent']);
  expect(acceptanceOf('- Given an order\n- When it is changed\n- Then a mail is sent')).toEqual([
    'Given an order',
    'When it is changed',
    'Then a mail is sent',
  ]);
});

/** Returns the stored items: key, status, title, and the keys that they wait for. */
function mergedItems({ items }: ReturnType<typeof readPlan>): string[] {
  return mergeItems('p', [], items, new Date(0)).map(({ key, written: { title, status, depends } }) =>
    [key, status, title, ...(depends.length > 0 ? [`after ${depends.join(' ')}`] : [])].join(' · '),
  );
}
