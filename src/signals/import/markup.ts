const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** Tags that end a line when it is shown. */
const LINE_END = /<(?:br|hr)\b[^>]*>|<\/(?:p|div|li|tr|h[1-6]|blockquote|pre)>/gi;

/** The text of a message in HTML: a line for each paragraph, without styles and scripts. */
export function textOfHtml(html: string): string {
  const shown = html.replace(/<(style|script|head)\b[^]*?<\/\1>/gi, '').replaceAll(/\s+/g, ' ');
  return readEntities(shown.replace(LINE_END, '\n').replaceAll(/<[^>]*>/g, ''))
    .replaceAll(/ *\n */g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** `&lt;` as `<`; what is no entity stays. */
function readEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (all, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** A message as Slack stores it, as people read it: names for `<@U1>`, the words of links. */
export function textOfSlack(text: string, names: ReadonlyMap<string, string>): string {
  const read = text.replaceAll(
    /<([@#!]?)([^|>]*)(?:\|([^>]*))?>/g,
    (_, mark: string, target: string, words?: string) => {
      if (mark === '@') return `@${words ?? names.get(target) ?? target}`;
      if (mark === '#') return `#${words ?? names.get(target) ?? target}`;
      if (mark === '!') return `@${words ?? target}`;
      return words === undefined || words === target ? target : `${words} (${target})`;
    },
  );
  return readEntities(read);
}
