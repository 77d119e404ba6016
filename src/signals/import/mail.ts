import { ServiceError } from '../../kernel/errors.ts';
import type { ImportRecord } from './import-file.ts';
import { textOfHtml } from './markup.ts';

/** Begins each mail of an mbox file. */
const MBOX_START = /^From \S.*\d{4}\r?$/;
const HEADER = /^[!-9;-~]+:[ \t]?/;
/** One of these tells a mail from other files that begin with `name: value`. */
const MAIL_HEADER = /^(?:received|return-path|message-id|from|delivered-to|mime-version)$/i;
const HEADERS_LOOKED_AT = 40;

/** Kind of mail that a text holds, by its beginning; undefined for none. */
export function mailFormat(text: string): 'mbox' | 'EML' | undefined {
  const [first = ''] = text.split('\n', 1);
  if (MBOX_START.test(first)) return 'mbox';
  const names: string[] = [];
  for (const line of text.split('\n', HEADERS_LOOKED_AT)) {
    if (/^[ \t]/.test(line) && names.length > 0) continue;
    if (line.trim() === '') break;
    if (!HEADER.test(line)) return undefined;
    names.push(line.slice(0, line.indexOf(':')));
  }
  return names.length > 1 && names.some((name) => MAIL_HEADER.test(name)) ? 'EML' : undefined;
}

/**
 * The mails of an EML or mbox file, as columns: text, title, customer, date, id. Encoded headers, parts, transfer encodings and
 * character sets are read; of a mail in HTML alone the text is taken.
 *
 * @throws ServiceError `bad_argument` for a mail that cannot be read.
 */
export async function readMails(bytes: Buffer, format: 'mbox' | 'EML'): Promise<ImportRecord[]> {
  const { default: PostalMime } = await import('postal-mime');
  const mails = format === 'EML' ? [bytes] : splitMbox(bytes);
  const records: ImportRecord[] = [];
  for (const [at, mail] of mails.entries()) {
    const { from, subject, date, messageId, text, html, headers } = await PostalMime.parse(mail).catch(
      (cause: unknown) => {
        throw new ServiceError('bad_argument', `The mail ${at + 1} cannot be read.`, {
          fix: 'Save it again as EML, or the folder as mbox.',
          cause,
        });
      },
    );
    const shown = from?.address === undefined ? '' : from.name === '' ? from.address : `${from.name} <${from.address}>`;
    const labels = headers.find(({ key }) => key === 'x-gmail-labels')?.value ?? '';
    records.push({
      message_id: messageId ?? '',
      from: shown,
      subject: subject ?? '',
      date: date ?? '',
      body: text?.trim() || textOfHtml(html ?? ''),
      labels,
    });
  }
  return records;
}

/** Each mail without the line that begins it. A `>` that mbox put before `From ` in a text is taken away. */
function splitMbox(bytes: Buffer): Buffer[] {
  const mails: string[][] = [];
  let isAfterBlank = true;
  // A character for each byte: the mails say themselves in which set they are.
  for (const line of bytes.toString('latin1').split('\n')) {
    if (isAfterBlank && MBOX_START.test(line)) mails.push([]);
    else mails.at(-1)?.push(line.replace(/^>(>*From )/, '$1'));
    isAfterBlank = line.trim() === '';
  }
  return mails.map((lines) => Buffer.from(lines.join('\n'), 'latin1'));
}
