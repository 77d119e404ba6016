import { expect, test } from 'vitest';
import { zipOf } from '../testing/zip.ts';
import { parseDocument } from './parse-document.ts';

async function read(name: string, content: string | Buffer) {
  const result = await parseDocument({ name, content: Buffer.from(content), unpackDir: '' });
  if (result.type === 'zip') throw new Error('It is an archive.');
  const { title, sections } = result.document;
  return { type: result.type, title, sections: sections.map(({ heading, text }) => [heading, text]) };
}

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function relations(...targets: (readonly [id: string, type: string, target: string])[]): string {
  const all = targets.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONS}">${all.join('')}</Relationships>`;
}

function shape(placeholder: string, ...paragraphs: string[]): string {
  const runs = paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('');
  const kind = placeholder === '' ? '' : `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`;
  return `<p:sp><p:nvSpPr>${kind}</p:nvSpPr><p:txBody>${runs}</p:txBody></p:sp>`;
}

const cell = (text: string): string => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;

test('slides are sections in the order of the presentation, with tables, diagrams and notes', async () => {
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell('Plan')}${cell('Price')}</a:tr><a:tr>${cell('Team')}${cell('9 &amp; up')}</a:tr></a:tbl></p:graphicFrame>`;
  const file = zipOf({
    'ppt/presentation.xml':
      '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(
      ['r1', 'slide', 'slides/slide1.xml'],
      ['r2', 'slide', '/ppt/slides/slide9.xml'],
    ),
    'ppt/slides/slide1.xml': `<p:sld>${shape('', 'Second <a:br/>line')}${table}${shape('sldNum', '2')}</p:sld>`.replace(
      ' <a:br/>',
      '</a:t></a:r><a:br/><a:r><a:t>',
    ),
    'ppt/slides/slide9.xml': `<p:sld>${shape('', 'Body')}${shape('ctrTitle', 'Road', 'map')}</p:sld>`,
    'ppt/slides/_rels/slide9.xml.rels': relations(
      ['a', 'notesSlide', '../notesSlides/notesSlide1.xml'],
      ['b', 'diagramData', '../diagrams/data1.xml'],
    ),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('body', 'Say hello')}${shape('sldNum', '1')}</p:notes>`,
    'ppt/diagrams/data1.xml':
      '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Step one</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
  });

  expect(await read('deck.pptx', file)).toEqual({
    type: 'pptx',
    title: 'Road map',
    sections: [
      ['Road map', 'Body\nStep one\n\nNotes:\nSay hello'],
      ['Slide 2', 'Second\nline\nPlan | Price\nTeam | 9 & up'],
    ],
  });
});

function odt(body: string, files: Record<string, string> = {}): Buffer {
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...files,
  });
}

test('an OpenDocument text is read by its headings, without comments, deleted text and lists of contents', async () => {
  const body = `
    <text:tracked-changes><text:deletion><text:p>Deleted</text:p></text:deletion></text:tracked-changes>
    <text:table-of-content><text:index-body><text:p>Terms 3</text:p></text:index-body></text:table-of-content>
    <text:p>Before<text:s text:c="2"/>all.<office:annotation><text:p>Comment</text:p></office:annotation></text:p>
    <text:h text:outline-level="1">Terms</text:h>
    <text:p>Paid<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>In euro.</text:p></text:note-body></text:note> soon.</text:p>
    <text:h text:outline-level="2">Prices</text:h>
    <text:list><text:list-item><text:p>one<text:line-break/>two</text:p></text:list-item></text:list>
    <table:table><table:table-row><table:table-cell><text:p>a</text:p><text:p>b</text:p></table:table-cell><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table>`;

  expect(await read('terms.odt', odt(body, { 'meta.xml': '<m><dc:title>The terms</dc:title></m>' }))).toEqual({
    type: 'odt',
    title: 'The terms',
    sections: [
      ['', 'Before  all.'],
      ['Terms', 'Paid [In euro.] soon.'],
      ['Terms › Prices', 'one\ntwo\na b | c'],
    ],
  });
});

const page = (body: string): string =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`;

test('a book is read in the order of its spine, by its headings or its table of contents', async () => {
  const file = zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><metadata><dc:title>Handbook</dc:title></metadata><manifest>
      <item id="b" href="text/b%20c.xhtml"/><item id="a" href="text/a.xhtml"/><item id="n" href="nav.xhtml" properties="nav"/>
      </manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OEBPS/nav.xhtml': page(
      '<nav><ol><li><a href="text/a.xhtml">First</a></li><li><a href="text/b%20c.xhtml#x">Second</a></li></ol></nav>',
    ),
    'OEBPS/text/a.xhtml': page('<h1>One</h1><p>Alpha</p><h2>Two</h2><p>Beta</p>'),
    'OEBPS/text/b c.xhtml': page('<p>Gamma</p>'),
  });

  expect(await read('book.epub', file)).toEqual({
    type: 'epub',
    title: 'Handbook',
    sections: [
      ['One', 'Alpha'],
      ['One › Two', 'Beta'],
      ['Second', 'Gamma'],
    ],
  });
});

test('a chapter that the spine names ten thousand times is read once', async () => {
  const file = zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf': `<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="a.xhtml"/></manifest>
      <spine>${'<itemref idref="a"/><itemref idref="b"/>'.repeat(5_000)}</spine></package>`,
    'a.xhtml': page('<h1>One</h1><p>Alpha</p>'),
  });

  expect(await read('book.epub', file)).toEqual({ type: 'epub', title: 'One', sections: [['One', 'Alpha']] });
});

test('headings and titles are cut, and a level beyond all word processors is the last one', async () => {
  const long = 'x'.repeat(10_000);
  const deep = Array.from({ length: 20 }, (_, at) => `<text:h text:outline-level="${at + 1}">h${at + 1}</text:h>`);
  const file = odt(
    `${deep.join('')}<text:p>Deep</text:p><text:h text:outline-level="1">${long}</text:h><text:p>a</text:p>`,
    {
      'meta.xml': `<m><dc:title>${long}</dc:title></m>`,
    },
  );

  expect(await read('a.odt', file)).toEqual({
    type: 'odt',
    title: 'x'.repeat(300),
    sections: [
      ['h1 › h2 › h3 › h4 › h5 › h6 › h7 › h8 › h9 › h20', 'Deep'],
      ['x'.repeat(300), 'a'],
    ],
  });
});

const RTF_HEAD =
  '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Gothic;}}' +
  '{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 Title one;}{\\s2 heading 2;}}{\\info{\\title Terms}{\\author Nobody}}';

test.each([
  [
    'paragraphs and characters of the code page',
    "Pr\\'fcfe\\par\nna\\'efve\\tab x\\~y \\{z\\}\\par",
    'Prüfe\nnaïve x y {z}',
  ],
  [
    'Unicode with what stands for it, skipped by its count',
    "\\u8364?\\u8364 \\'80!{\\uc0\\u252 b}\\uc2\\u-10179\\'3f\\'3f\\u-8704??c",
    '€€!üb😀c',
  ],
  ['a fallback that is a control word, or cut off by the end of a group', '\\u8212\\emdash a{\\u8212}b', '—a—b'],
  [
    'the code page of the font, also of two bytes a character',
    "\\f1\\'cf\\'f0\\f2\\'82\\'a0\\'88\\'9f\\f0\\'e9",
    'Прあ亜é',
  ],
  [
    'destinations that are no text',
    '{\\*\\generator X;}{\\pict\\bin3 a}b c}{\\header H}a{\\*\\unknown{\\b hidden}}{\\v hidden}b{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}}',
    'ablink',
  ],
  [
    'footnotes, text boxes and line breaks',
    'a{\\footnote  See b.\\par}c\\line d{\\shp{\\*\\shpinst{\\sp{\\sn n}{\\sv v}}{\\shptxt box}}{\\shprslt{\\*\\do box}}}',
    'a [See b.]c\ndbox',
  ],
  [
    'rows of tables',
    '\\trowd\\pard\\intbl a\\cell b\\par c\\cell\\row\\trowd d\\cell\\cell\\row\\pard e',
    'a | b c\nd |\ne',
  ],
])('RTF: %s', async (_, body, expected) => {
  expect(await read('a.rtf', Buffer.from(`${RTF_HEAD}\\pard ${body}}`, 'latin1'))).toMatchObject({
    type: 'rtf',
    title: 'Terms',
    sections: [['', expected]],
  });
});

test('RTF is cut at paragraphs of an outline level or of a style of headings', async () => {
  const body =
    '\\pard\\s1 One\\par\\pard Alpha\\par\\pard\\s2 Two\\par\\pard Beta\\par\\pard\\outlinelevel2 Three\\par\\pard Gamma\\par';

  const { sections } = await read('a.rtf', `${RTF_HEAD}${body}}`);

  expect(sections).toEqual([
    ['One', 'Alpha'],
    ['One › Two', 'Beta'],
    ['One › Two › Three', 'Gamma'],
  ]);
});

test('RTF that is cut off, or nested deeper than a stack, is read as far as it goes', async () => {
  expect(await read('a.rtf', '{\\rtf1 a{\\b b')).toMatchObject({ sections: [['', 'ab']] });
  const deep = `{\\rtf1 ${'{'.repeat(300_000)}a${'}'.repeat(300_000)}b}`;
  expect(await read('a.rtf', deep)).toMatchObject({ sections: [['', 'ab']] });
});

const old = (stream: string): Buffer =>
  Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.from(`${stream}\0`, 'utf16le')]);

test.each([
  ['a.doc', old('WordDocument'), 'an old Word document (DOC), which is not read.', 'Save it as DOCX or PDF.'],
  ['a.xls', old('Workbook'), 'an old workbook (XLS)', 'Save it as XLSX or CSV.'],
  ['a.docx', old('EncryptedPackage'), 'protected by a password', 'Save it without a password.'],
  [
    'a.ods',
    zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
    'an OpenDocument spreadsheet',
    'XLSX',
  ],
  [
    'a.odp',
    zipOf({ mimetype: 'application/vnd.oasis.opendocument.presentation' }),
    'an OpenDocument presentation',
    'PPTX',
  ],
  ['a.key', zipOf({ 'Index/Document.iwa': 'x' }), 'Pages, Numbers or Keynote', 'Export it as PDF'],
  ['a.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'an image', 'text recognition'],
  ['a.tgz', Buffer.from('\x1f\x8b\x08\0', 'latin1'), 'an archive of another kind than ZIP', 'ZIP'],
  ['a.mobi', Buffer.from(`${'\0'.repeat(60)}BOOKMOBI`, 'latin1'), 'a Kindle book', 'EPUB'],
  [
    'a.odt',
    odt('', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' }),
    'protected by a password',
    'without a password',
  ],
])('%s is refused by name with what to do', async (name, bytes, message, fix) => {
  await expect(read(name, bytes)).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining(message),
    fix: expect.stringContaining(fix),
  });
});
