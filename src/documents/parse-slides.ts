import { readParts, relationsOf, takePart, withoutPrefix } from './office-parts.ts';
import { type Block, type ParsedDocument, sectionsOf } from './sections.ts';
import { readXml } from '../platform/xml.ts';

const PRESENTATION = 'ppt/presentation.xml';
const PART = /\.(?:xml|rels)$/i;
/** Placeholders that hold the title of a slide. */
const TITLES: ReadonlySet<string> = new Set(['title', 'ctrTitle']);
/** Placeholders that every slide repeats. */
const REPEATED: ReadonlySet<string> = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg']);

/** The text of one part with the shapes of a slide. */
interface Shapes {
  title: string;
  lines: string[];
}

/** Reads the text of a PowerPoint presentation: a section for each slide in the order they are shown, with diagrams and notes. */
export async function parsePptx(bytes: Buffer): Promise<ParsedDocument> {
  const parts = await readParts(bytes, 'The presentation', (name) => PART.test(name));
  const blocks = slidesOf(parts).map((slide, index): Block => {
    const { title, lines } = readShapes(takePart(parts, slide));
    const related = [...relationsOf(parts, slide).values()];
    const textOf = (type: string): string[] =>
      related.filter((relation) => relation.type === type).flatMap(({ target }) => linesOf(takePart(parts, target)));
    const notes = textOf('notesSlide');
    const text = [...lines, ...textOf('diagramData'), ...(notes.length === 0 ? [] : ['', 'Notes:', ...notes])];
    // A slide of a title alone is found by it.
    return { path: [title === '' ? `Slide ${index + 1}` : title], text: text.length === 0 ? title : text.join('\n') };
  });
  return { title: blocks.find(({ text }) => text !== '')?.path[0] ?? '', tags: [], sections: sectionsOf(blocks) };
}

/** The parts of the slides, as the presentation orders them. */
function slidesOf(parts: ReadonlyMap<string, string>): string[] {
  const relations = relationsOf(parts, PRESENTATION);
  const slides: string[] = [];
  readXml(parts.get(PRESENTATION) ?? '', {
    open: (name, attributes) => {
      if (withoutPrefix(name) !== 'sldId') return;
      const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1] ?? '';
      const target = relations.get(id)?.target;
      if (target !== undefined) slides.push(target);
    },
  });
  return slides;
}

function linesOf(source: string): string[] {
  const { title, lines } = readShapes(source);
  return [...(title === '' ? [] : [title]), ...lines];
}

/** Paragraphs in the order of the part; the cells of a row of a table are one line. */
function readShapes(source: string): Shapes {
  const shapes: Shapes = { title: '', lines: [] };
  let paragraph = '';
  let cells: string[] | undefined;
  let cell: string[] | undefined;
  let placeholder = '';
  let isText = false;
  const endParagraph = (): void => {
    const text = paragraph.replaceAll(/[^\S\n]+/g, ' ').trim();
    paragraph = '';
    if (text === '' || REPEATED.has(placeholder)) return;
    if (cell !== undefined) cell.push(text.replaceAll('\n', ' '));
    else if (TITLES.has(placeholder)) shapes.title = `${shapes.title} ${text.replaceAll('\n', ' ')}`.trim();
    else shapes.lines.push(text);
  };
  readXml(source, {
    open: (name, { type = '' }) => {
      const tag = withoutPrefix(name);
      if (tag === 'sp' || tag === 'graphicFrame') placeholder = '';
      else if (tag === 'ph') placeholder = type;
      else if (tag === 't') isText = true;
      else if (tag === 'br') paragraph += '\n';
      else if (tag === 'tab') paragraph += '\t';
      else if (tag === 'tr') cells = [];
      else if (tag === 'tc') cell = [];
    },
    text: (text) => {
      if (isText) paragraph += text;
    },
    close: (name) => {
      const tag = withoutPrefix(name);
      if (tag === 't') isText = false;
      else if (tag === 'p') endParagraph();
      else if (tag === 'tc') {
        cells?.push(cell?.join(' ') ?? '');
        cell = undefined;
      } else if (tag === 'tr') {
        if (cells?.some((text) => text !== '') === true) shapes.lines.push(cells.join(' | '));
        cells = undefined;
      }
    },
  });
  return shapes;
}
