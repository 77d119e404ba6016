import { expect, onTestFinished, test } from 'vitest';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { zipOf } from '../testing/zip.ts';
import { markdownHeadings } from './markdown-headings.ts';
import { parseHtmlContent } from './parse-html.ts';
import { parseDocument, type ParseResult } from './parse-document.ts';
import { sectionsOf } from './sections.ts';

async function parse(name: string, content: string | Buffer): Promise<ParseResult> {
  const unpackDir = mkdtempSync(join(tmpdir(), 'svc-parse-'));
  onTestFinished(() => rmSync(unpackDir, { recursive: true }));
  return parseDocument({ name, content: Buffer.from(content), unpackDir });
}

async function read(name: string, content: string | Buffer) {
  const result = await parse(name, content);
  if (result.type === 'zip') throw new Error('It is an archive.');
  return result;
}

function wordParagraph(content: string, style: string): string {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${content}</w:t></w:r></w:p>`;
}

/** A Word document with a heading and a paragraph. */
function docx(text: string): Buffer {
  return docxOf(`${wordParagraph('Refunds', 'Heading1')}${wordParagraph(text, 'Normal')}`);
}

function docxOf(body: string, names = ''): Buffer {
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ${names}><w:body>${body}</w:body></w:document>`,
  });
}

/** A PDF with one page of text. */
function pdf(text: string): Buffer {
  const stream = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let out = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = out.length;
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${out}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF`,
  );
}

test('Markdown is cut at its headings, keeps its text, and takes title and tags of the front matter', async () => {
  const source =
    '---\ntitle: Guide\ntags: [billing, eu]\n---\nIntro.\n\n# Setup\n\nFirst `step`.\n\n## Linux\n\nRun it.\n\n# Setup\n\nAgain.\n';

  const { type, document } = await read('guide.md', source);

  expect(type).toBe('markdown');
  expect(document).toEqual({
    title: 'Guide',
    tags: ['billing', 'eu'],
    sections: [
      { id: 'start', heading: '', text: 'Intro.' },
      { id: 'setup', heading: 'Setup', text: 'First `step`.' },
      { id: 'setup-linux', heading: 'Setup › Linux', text: 'Run it.' },
      { id: 'setup~2', heading: 'Setup', text: 'Again.' },
    ],
  });
});

test('what looks like a heading in a code block is none', async () => {
  const { document } = await read('a.md', '# One\n\n```sh\n# not a heading\n```\n');

  expect(document.sections.map((section) => section.id)).toEqual(['one']);
});

test.each([
  [
    'a page',
    'page.html',
    '<!doctype html><title>Help</title><body><script>evil()</script><h1>Refunds</h1><p>Paid <b>soon</b>.</p></body>',
    'html',
  ],
  ['a Word document', 'a.docx', docx('Paid soon.'), 'docx'],
  ['underlined text', 'a.rst', 'Refunds\n=======\n\nPaid soon.\n', 'text'],
])('%s is read with its headings', async (_, name, content, type) => {
  const result = await read(name, content);

  expect(result.type).toBe(type);
  expect(result.document.sections).toEqual([{ id: 'refunds', heading: 'Refunds', text: 'Paid soon.' }]);
});

test('a Word document is read whose links and pictures have no targets', async () => {
  const link = '<w:p><w:hyperlink r:id="rId9"><w:r><w:t>See the terms.</w:t></w:r></w:hyperlink></w:p>';
  const names = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

  const { document } = await read('a.docx', docxOf(`${wordParagraph('Refunds', 'Heading1')}${link}`, names));

  expect(document.sections).toEqual([{ id: 'refunds', heading: 'Refunds', text: 'See the terms.' }]);
});

test('a PDF is read page by page', async () => {
  const { type, document } = await read('a.pdf', pdf('Refunds are paid soon.'));

  expect(type).toBe('pdf');
  expect(document.sections).toEqual([{ id: 'page-1', heading: 'Page 1', text: 'Refunds are paid soon.' }]);
});

test('a table is read by rows, with the names of its columns', async () => {
  const { document } = await read('a.csv', 'name;note\none;"a; b"\ntwo;\n');

  expect(document.sections).toEqual([
    { id: 'rows-1-to-2', heading: 'Rows 1 to 2', text: 'name: one; note: a; b\nname: two' },
  ]);
});

test('the content decides what a file is, not its name', async () => {
  expect((await read('a.txt', pdf('text'))).type).toBe('pdf');
  expect((await read('a.bin', 'plain text')).type).toBe('text');
  expect((await read('a', Buffer.from('\ufeffwide', 'utf16le'))).document.sections[0]?.text).toBe('wide');
});

test.each([
  ['an empty file', 'a.md', '', 'The file is empty.'],
  ['bytes', 'a.md', Buffer.from([0xff, 0x00, 0x12, 0x80]), 'neither text nor of a known type'],
  ['an old or locked Office file', 'a.docx', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), 'an old Office document'],
  ['a broken PDF', 'a.pdf', '%PDF-1.4\nnothing', 'The PDF is broken'],
  ['a broken Word document', 'a.docx', zipOf({ 'other.xml': '<a/>' }), 'The Office document is broken'],
  ['a broken archive', 'a.zip', zipOf({ 'a.md': 'text' }).subarray(0, 40), 'The archive is broken'],
  ['a name outside', 'a.zip', zipOf({ '../../a.md': 'text' }), 'The archive is broken'],
  ['a page without text', 'a.html', '<!doctype html><script>x()</script>', 'It contains no text'],
])('%s is refused with what to do', async (_, name, content, message) => {
  await expect(parse(name, content)).rejects.toMatchObject({
    message: expect.stringContaining(message),
    fix: expect.stringMatching(/\w/),
  });
});

test('an archive gives its files, and names what it cannot give', async () => {
  const result = await parse(
    'a.zip',
    zipOf({ 'docs/': '', 'docs/a.md': '# A', '__MACOSX/x': '', '.hidden': 'x', 'b.txt': 'B' }),
  );

  if (result.type !== 'zip') throw new Error('It is no archive.');
  expect(result.problems).toEqual([]);
  expect(result.files.map(({ name, file }) => [name, readFileSync(file, 'utf8')])).toEqual([
    ['docs/a.md', '# A'],
    ['b.txt', 'B'],
  ]);
  expect(await parse('b.zip', zipOf({ 'a.md': 'text' }, { isEncrypted: true }))).toMatchObject({
    files: [],
    problems: [{ name: 'a.md', reason: 'It is encrypted.' }],
  });
  expect(await parse('c.zip', zipOf({ 'a.md': 'text' }, { sizeBytes: 60 * 1024 * 1024 }))).toMatchObject({
    files: [],
    problems: [{ name: 'a.md', reason: 'It is larger than 50 MB.' }],
  });
});

test('a bomb is refused, also when its directory tells another size', async () => {
  const zeros = Buffer.alloc(12 * 1024 * 1024);

  await expect(parse('a.zip', zipOf({ 'a.txt': zeros }))).rejects.toMatchObject({ code: 'too_large' });
  const lying = await parse('b.zip', zipOf({ 'a.txt': zeros }, { sizeBytes: 10 }));
  expect(lying).toMatchObject({ files: [], problems: [{ name: 'a.txt' }] });
  await expect(parse('c.docx', zipOf({ 'word/document.xml': zeros }))).rejects.toMatchObject({ code: 'too_large' });
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, number) => [`${number}.md`, '']));
  await expect(parse('d.zip', zipOf(many))).rejects.toMatchObject({ code: 'too_large' });
});

test('a long section is cut between paragraphs, and ids stay when another part changes', () => {
  const paragraph = `${'word '.repeat(500)}\n\n`;
  const blocks = [
    { path: ['One'], text: paragraph.repeat(5) },
    { path: ['Two'], text: 'two' },
  ];

  const sections = sectionsOf(blocks);

  expect(sections.map((section) => section.id)).toEqual(['one', 'one~2', 'one~3', 'two']);
  expect(sections.every((section) => section.text.length <= 6_000)).toBe(true);
  expect(sections.slice(0, 3).map((section) => section.text.split(/\s+/).length)).toEqual([1000, 1000, 500]);
});

const DEEP = 200_000;
test.each([
  ['quotes', 'a.md', `${'> '.repeat(DEEP)}x\n\nfound`],
  ['lists', 'a.md', `${'- '.repeat(DEEP)}x\n\nfound`],
  ['stars', 'a.md', `${'*'.repeat(DEEP)}x${'*'.repeat(DEEP)}\n\nfound`],
  ['brackets', 'a.md', `${'['.repeat(DEEP)}x${']('.repeat(DEEP)}\n\nfound`],
  ['images', 'a.md', `${'![x]('.repeat(DEEP)}\n\nfound`],
  ['cells', 'a.md', `${'|x'.repeat(DEEP)}\n${'|-'.repeat(DEEP)}\n\nfound`],
  ['lines of a quote', 'a.md', `> x\n${'x\n'.repeat(DEEP)}\nfound`],
  ['empty quotes', 'a.md', `${'>\n'.repeat(DEEP)}\nfound`],
  ['elements', 'a.html', `${'<div>'.repeat(DEEP)}found${'</div>'.repeat(DEEP)}`],
  ['elements without an end', 'a.html', `${'<b>'.repeat(DEEP)}found`],
  ['tables', 'a.html', `${'<table><tr><td>'.repeat(DEEP)}found`],
  ['bodies', 'a.html', `${'<body>'.repeat(DEEP)}found`],
  ['blanks', 'a.html', `${'<b> </b>'.repeat(DEEP)}found`],
])('hundreds of thousands of %s are read in linear time', async (_, name, content) => {
  const { document } = await read(name, content);

  expect(document.sections.at(-1)?.text).toContain('found');
});

test('a Word document that is nested deeper than a stack, and a table of a million columns, are refused', async () => {
  const depth = 3_000;
  const deep = `${'<w:sdt><w:sdtContent>'.repeat(depth)}${wordParagraph('x', 'Normal')}${'</w:sdtContent></w:sdt>'.repeat(depth)}`;

  await expect(parse('a.docx', docxOf(deep))).rejects.toMatchObject({ message: expect.stringContaining('nested') });
  await expect(parse('a.csv', `${'x,'.repeat(1_000_000)}\n1\n`)).rejects.toMatchObject({
    message: expect.stringContaining('more than 1000 columns'),
  });
});

test('a Word document with a part that is said to be too large is not given to the library', async () => {
  const bomb = zipOf({ 'word/document.xml': 'x' }, { sizeBytes: 60 * 1024 * 1024 });

  await expect(parse('a.docx', bomb)).rejects.toMatchObject({ message: expect.stringContaining('larger than 50 MB') });
});

/** Headings as a parser of all of Markdown finds them. */
function parsedHeadings(text: string): string[] {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .parse(text)
    .children.filter((node) => node.type === 'heading')
    .map(({ depth, position }) =>
      describeSpan(text, { depth, start: position?.start.offset, end: position?.end.offset }),
    );
}

/** Blanks at the end of a line belong to nobody. */
function describeSpan(
  text: string,
  { depth, start, end }: { depth: number; start: number | undefined; end: number | undefined },
): string {
  return `${depth} ${start} ${text.slice(0, end).trimEnd().length}`;
}

test.each([
  ['underlined', 'One\n===\n\nTwo words\non two lines\n---\n'],
  ['indented', '   # One\n\n    # code\n\n\t# code\n'],
  ['signs', '#One\n# Two #\n## Three ##x\n#\n####### Seven\n# \\# Eight\n'],
  ['rules', '***\n---\ntext\n* * *\n_____\n# One\n'],
  ['fences', '```sh\n# no\n````\n# yes\n~~~\n# no\n```\n# no\n~~~~\n# yes\n``` a`b\n# yes\n'],
  ['fences without an end', '# yes\n```\n# no\n'],
  ['quotes', '> # no\n> text\nlazy\n---\n\n> text\n# yes\n>\ntext\n===\n'],
  ['lists', '- # no\n\n  # no\n\n# yes\n1. text\nlazy\n===\n\n10) x\n\n    # no\n # yes\n'],
  ['a list after text', 'text\n2. text\n---\n\ntext\n- item\n---\n'],
  ['lists in lists', '- a\n  - b\n\n    # no\n- c\n\n text\n ===\n'],
  ['HTML', '<div>\n# no\n\n# yes\n<!-- \n# no\n\n# no -->\n# yes\n<b>\n# no\n\ntext\n<b>\n===\n'],
  ['scripts', '<script>\n\n# no\n</script>\n# yes\n<?php\n\n# no\n?>\n# yes\n'],
  ['definitions', '[a]: b\n---\n\n[c]: d\n[e]: f\n===\n'],
  ['tables', '| a | b |\n|---|---|\n| # no | x |\n# yes\n'],
  ['lines of Windows', '# One\r\n\r\nTwo\r\n---\r\n'],
])('headings among %s are those of CommonMark', (_, text) => {
  expect(markdownHeadings(text).map((heading) => describeSpan(text, heading))).toEqual(parsedHeadings(text));
});

test('headings of the documents of this project are those of CommonMark', () => {
  const folder = join(import.meta.dirname, '../../docs');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
    const text = readFileSync(join(folder, name), 'utf8');

    expect(markdownHeadings(text).map((heading) => describeSpan(text, heading))).toEqual(parsedHeadings(text));
  }
});

test('headings are shown without their markup', async () => {
  const { document } = await read('a.md', '# The `svc` *command* of [svc](https://example.org) with snake_case\n\nx\n');

  expect(document.sections[0]?.heading).toBe('The svc command of svc with snake_case');
});

test('markup that is nested deeper than a stack is read', () => {
  const deep = `${'<div>'.repeat(20_000)}text that is found${'</div>'.repeat(20_000)}`;

  expect(JSON.stringify(parseHtmlContent(deep))).toContain('text that is found');
});
