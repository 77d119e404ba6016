import { expect, test } from 'vitest';
import { readOfferedNames } from './offered-names.ts';

const { signal } = new AbortController();

test('the names that files of each language offer are read', async () => {
  const texts = [
    {
      path: 'src/index.ts',
      text: "export * from './a.ts';\nexport { b as c } from './b.ts';\nexport function send() {}\nexport default class Mail {}\nfunction own() {}\n",
    },
    {
      path: 'src/mail/__init__.py',
      text: "import os\nfrom .app import App\nfrom mail.tools import tool\nfrom other import thing\n\nlogger = make()\nLIMIT = 3\n__version__ = '1'\n\ndef send(): ...\n\ndef _own(): ...\n\nclass Mail:\n    def post(self): ...\n",
    },
    {
      path: 'send.go',
      text: 'package mail\n\nfunc Send() {}\nfunc own() {}\ntype Mail struct{}\nfunc (m Mail) Post() {}\n',
    },
    { path: 'main.go', text: 'package main\n\nfunc Send() {}\n' },
    { path: 'README.unknown', text: 'send' },
  ];

  const names = await readOfferedNames(texts, signal);

  expect(names.map((name) => name && [...name.offered].toSorted())).toEqual([
    ['* of ./a.ts', 'c', 'default', 'send'],
    ['App', 'LIMIT', 'Mail', 'send', 'tool'],
    ['Mail', 'Send'],
    [],
    undefined,
  ]);
  expect([...(names[1]?.present ?? [])]).toEqual(expect.arrayContaining(['os', 'thing', 'logger', '_own']));
});

test('a module of Python that makes its attributes by a function has any name', async () => {
  const [names] = await readOfferedNames([{ path: 'a.py', text: 'def __getattr__(name): ...\n' }], signal);

  expect(names?.present.has('*')).toBe(true);
});

test('reading stops when it is cancelled', async () => {
  await expect(readOfferedNames([{ path: 'a.py', text: 'a = 1\n' }], AbortSignal.abort())).rejects.toThrow(/abort/);
});
