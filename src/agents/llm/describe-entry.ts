import type { Entry } from '../ledger/ledger.ts';

/** Of a piece of evidence that is shown to a model, in characters. */
const SHOWN = 1_200;

/** A piece of evidence as a model reads it. */
export function describeEntry({ number, id, title = '', text }: Entry): string {
  const about = `id=${JSON.stringify(id)}${title === '' ? '' : ` title=${JSON.stringify(title)}`}`;
  return `<evidence n="${number}" ${quoteData(about)}>\n${quoteData(text.slice(0, SHOWN))}\n</evidence>`;
}

/** What is quoted cannot end the quotation. */
function quoteData(text: string): string {
  return text.replaceAll(/<\/?evidence/gi, '‹evidence');
}
