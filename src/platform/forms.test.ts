import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { filesOfForm } from './forms.ts';

const TYPE = 'multipart/form-data; boundary=edge';

interface Part {
  name?: string;
  text: string;
}

function formOf(parts: readonly Part[]): string {
  const written = parts.map(({ name, text }) => {
    const file = name === undefined ? '' : `; filename="${name}"`;
    return `--edge\r\nContent-Disposition: form-data; name="files"${file}\r\n\r\n${text}\r\n`;
  });
  return `${written.join('')}--edge--\r\n`;
}

/** The form in pieces of that many bytes. */
async function* arriving(form: string, pieceBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(form);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function read(body: AsyncIterable<Uint8Array>, { contentType = TYPE, mostFiles = 3 } = {}) {
  const files: Part[] = [];
  for await (const { name, content } of filesOfForm({ contentType, body, mostFiles })) {
    files.push({ name, text: (await buffer(content)).toString() });
  }
  return files;
}

test('the files come whole and in order, however their bytes arrive, and fields are left out', async () => {
  const files = [
    { name: 'folder/größe.md', text: '# One\r\n--edg\r\n' },
    { name: 'empty.md', text: '' },
    { name: 'large.md', text: 'walrus '.repeat(10_000) },
  ];
  const form = formOf([{ text: 'no file' }, ...files, { text: 'x'.repeat(200_000) }]);

  for (const pieceBytes of [7, 1_000, 70_000, form.length * 2]) {
    expect(await read(arriving(form, pieceBytes))).toEqual(files);
  }
});

test('a content that nobody reads is skipped', async () => {
  const form = formOf([
    { name: 'a', text: 'a'.repeat(500_000) },
    { name: 'b', text: 'b'.repeat(500_000) },
    { name: 'c', text: 'c' },
  ]);
  const results: string[] = [];

  for await (const { name, content } of filesOfForm({
    contentType: TYPE,
    body: arriving(form, 9_000),
    mostFiles: 3,
  })) {
    if (name === 'b') for await (const _ of content) break;
    results.push(name === 'c' ? (await buffer(content)).toString() : name);
  }

  expect(results).toEqual(['a', 'b', 'c']);
});

test('the sender waits for the reader: little of a large file has been taken in when nobody reads on', async () => {
  let sent = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of arriving(formOf([{ name: 'a', text: 'a'.repeat(20_000_000) }]), 64 * 1024)) {
      sent += piece.length;
      yield piece;
    }
  }
  const files = filesOfForm({ contentType: TYPE, body: counted(), mostFiles: 1 });
  const first = await files.next();
  const content = (first.value as { content: AsyncGenerator<Uint8Array> }).content;

  let [taken, most] = [0, 0];
  for await (const piece of content) {
    taken += piece.length;
    most = Math.max(most, sent - taken);
  }

  expect(taken).toBe(20_000_000);
  expect(most).toBeLessThan(500_000);
  expect(await files.next()).toMatchObject({ done: true });
});

test.each([
  [
    'it ends in a file',
    () => read(arriving(formOf([{ name: 'a', text: 'a'.repeat(90_000) }]).slice(0, 70_000), 9_000)),
  ],
  ['it ends between files', () => read(arriving(formOf([{ name: 'a', text: 'a' }]).slice(0, -8), 9_000))],
  ['it has no boundary', () => read(arriving(formOf([]), 100), { contentType: 'multipart/form-data' })],
  ['it is no form', () => read(arriving('walrus', 100))],
])('a form is refused when %s', async (_case, reading) => {
  await expect(reading()).rejects.toMatchObject({ code: 'bad_argument', message: expect.stringContaining('broken') });
});

test('a form without a file, and one with too many, are refused with the number', async () => {
  const many = formOf(['a', 'b', 'c'].map((name) => ({ name, text: name })));

  await expect(read(arriving(formOf([{ text: 'x' }]), 100))).rejects.toMatchObject({
    message: expect.stringMatching(/ 0 files/),
  });
  await expect(read(arriving(many, 10), { mostFiles: 2 })).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'There are more than 2 files in the form.',
  });
});

test('what the body throws is what the reader gets, in a file and between files', async () => {
  const form = formOf([
    { name: 'a', text: 'a' },
    { name: 'b', text: 'b'.repeat(50_000) },
  ]);
  for (const pieces of [0, 1, 2, 5]) {
    const failing = async function* () {
      let sent = 0;
      for await (const piece of arriving(form, 9_000)) {
        if (sent++ === pieces) throw new RangeError('cut');
        yield piece;
      }
    };
    await expect(read(failing())).rejects.toThrow(new RangeError('cut'));
  }
});

test('a reader that stops ends the body', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(formOf([{ name: 'a', text: '' }]).slice(0, -'\r\n--edge--\r\n'.length));
      for (;;) yield Buffer.alloc(10_000);
    } finally {
      ended = true;
    }
  }

  for await (const _ of filesOfForm({ contentType: TYPE, body: endless(), mostFiles: 1 })) break;

  await expect.poll(() => ended).toBe(true);
});
