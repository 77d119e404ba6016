import type { ListItem } from 'mdast';
import { isLabel } from './item-details.ts';
import { oneLine, sourceOf } from './markdown.ts';
import type { Span } from './work-item-text.ts';

/** Lead of an entry of a list, and the text below it with its position. */
interface EntryText {
  /** On one line. */
  lead: string;
  /** Text after the lead in the same paragraph; '' for none. */
  continued: string;
  /** The lead, and each piece of what belongs to the entry. */
  spans: Span[];
  /** All of it but the lead, verbatim. */
  body: string;
}

/** @param isOther tells the entries below it that do not belong to it. */
export function readEntry(entry: ListItem, body: string, isOther: (below: ListItem) => boolean): EntryText {
  const [first, ...others] = entry.children;
  if (first === undefined) return { lead: '', continued: '', spans: [], body: '' };
  const start = first.position?.start.offset ?? 0;
  const text = first.type === 'list' ? '' : sourceOf(first, body);
  const leadLength = lengthOfLead(text);
  const continued = text.slice(leadLength).replace(/^\n/, '');
  const units = (first.type === 'list' ? entry.children : others).flatMap((node) =>
    node.type === 'list'
      ? node.children.map((below) => ({ ...spanOf(below, body), isOther: isOther(below) }))
      : [{ ...spanOf(node, body), isOther: false }],
  );
  const own = continued === '' ? [] : [{ start: start + leadLength + 1, end: start + text.length, isOther: false }];
  const pieces = piecesOf([...own, ...units]);
  return {
    lead: oneLine(text.slice(0, leadLength)),
    continued,
    spans: [{ start, end: start + leadLength }, ...pieces],
    body: dedent(pieces.map((piece) => body.slice(piece.start, piece.end)).join('\n')),
  };
}

/** Returns the text below a heading, verbatim, without the lines that separate it from the next part. */
export function readBelowHeading(text: string): string {
  return trimLines(
    text.replace(/(?:\s*\n[ \t]*(?:-[ \t]*){3,}|\s*\n[ \t]*(?:\*[ \t]*){3,}|\s*\n[ \t]*(?:_[ \t]*){3,})+\s*$/, ''),
  );
}

/** A paragraph begins an entry up to its first hard break, to its first label, or with all that its first line has in bold. */
function lengthOfLead(text: string): number {
  const lines = text.split('\n');
  const end = lines.findIndex(
    (line, index) =>
      index > 0 &&
      (isLabel(line) ||
        / {2}$|\\$/.test(lines[index - 1] ?? '') ||
        (index === 1 && /^\*\*[^*]+\*\*:?$/.test(oneLine(lines[0] ?? '')))),
  );
  return end < 0 ? text.length : lines.slice(0, end).join('\n').length;
}

/** From the beginning of its first line, so that indentation is that of the text. */
function spanOf({ position }: ListItem['children'][number] | ListItem, body: string): Span {
  const start = position?.start.offset ?? 0;
  return { start: body.lastIndexOf('\n', start - 1) + 1, end: position?.end.offset ?? 0 };
}

/** Neighbours that belong together, as one piece each. */
function piecesOf(units: readonly (Span & { isOther: boolean })[]): Span[] {
  const pieces: Span[] = [];
  let isOpen = false;
  for (const { start, end, isOther } of units) {
    const last = pieces.at(-1);
    if (isOther) isOpen = false;
    else if (isOpen && last !== undefined) last.end = end;
    else {
      pieces.push({ start, end });
      isOpen = true;
    }
  }
  return pieces;
}

/** Without the indentation that all lines have, and without empty lines around it. */
function dedent(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const depths = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const depth = Math.min(...depths);
  return trimLines(lines.map((line) => line.slice(Math.min(depth, /^[ \t]*/.exec(line)?.[0].length ?? 0))).join('\n'));
}

function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}
