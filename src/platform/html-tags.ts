import { Tokenizer } from 'htmlparser2';

/** Tags that are closed by what follows, or have nothing in them: they say nothing about how deep a page is. */
const UNCLOSED: ReadonlySet<string> = new Set(
  'P LI DT DD TR TD TH TBODY THEAD TFOOT OPTION BR HR IMG INPUT META LINK AREA BASE COL EMBED SOURCE TRACK WBR'.split(
    ' ',
  ),
);

/** Handlers for the tags of a page, in its order, with names in upper case, and for its texts. */
interface TagHandlers {
  open?: (name: string) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/**
 * Reads HTML tag by tag, and returns the number of its tags and of those that are open at a time at most. No tree is made, whose depth
 * anybody could choose, and it takes no stack.
 */
export function readTags(source: string, { open, close, text }: TagHandlers = {}): { tags: number; levels: number } {
  let [tags, levels, level, current] = [0, 0, 0, ''];
  const nameAt = (start: number, end: number): string => source.slice(start, end).toUpperCase();
  const closeTag = (name: string): void => {
    if (!UNCLOSED.has(name)) level = Math.max(0, level - 1);
    close?.(name);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => text?.(source.slice(start, end)),
      ontextentity: (codepoint) => text?.(String.fromCodePoint(codepoint)),
      oncdata: ignore,
      onopentagname: (start, end) => {
        current = nameAt(start, end);
        tags += 1;
        if (!UNCLOSED.has(current)) levels = Math.max(levels, (level += 1));
        open?.(current);
      },
      onopentagend: ignore,
      onselfclosingtag: () => closeTag(current),
      onclosetag: (start, end) => closeTag(nameAt(start, end)),
      onattribname: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return { tags, levels };
}

function ignore(): void {
  // Is neither a tag nor text.
}
