import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { parseQuestion } from '../question/question.ts';
import { findCode } from './code.ts';

const overload = (start: number, body: string, id: string) => ({
  path: 'src/Server.java',
  start,
  end: start,
  kind: 'method',
  qualified: 'Server/openDoor',
  body,
  id: `sym:Server/openDoor${id}@src/Server.java`,
});

test('of functions of one symbol the one leads that has most of the question, and is asked about by its own handle', async () => {
  const rows = [overload(3, 'openDoor(int a) {}', '(int)'), overload(9, 'openDoor(Key k) { k.turn(); }', '(Key)')];
  const { tools } = scriptedTools((_, { action }) => (action === 'definition' ? rows : []));
  const leads = async (words: string) => (await findCode(tools, parseQuestion(words), 'quick')).places[0];

  expect(await leads('Does `openDoor` turn the key?')).toMatchObject({
    start: 9,
    handle: 'sym:Server/openDoor(Key)@src/Server.java',
  });
  expect(await leads('Does `openDoor` take an int?')).toMatchObject({ start: 3 });
});

test('a name is unknown only where no file has it and no member of what it is said of', async () => {
  const { tools } = scriptedTools((_, { action, path, query }) => {
    if (action === 'grep') return path === '**/door.toml' ? [{ path: 'etc/door.toml' }] : [];
    return action === 'definition' && query === 'lock' ? [overload(3, 'lock() {}', '')] : [];
  });
  const unknown = async (words: string) => (await findCode(tools, parseQuestion(words), 'quick')).unknownNames;

  expect(await unknown('What reads `door.toml` and `gate.toml`, `door.lock` and `door.open`?')).toEqual([
    'gate.toml',
    'door.open',
  ]);
});
