import type { Decisions } from './context.ts';
import { type Mention, mentionOf } from '../anchors/mentions/mentions.ts';

/**
 * The kind of a link of a decision: something of the code, a handle of this product, or an address. `unknown` is everything
 * else, such as `foo:bar` or `javascript:…`: it leads nowhere.
 */
export type LinkKind =
  | 'theme'
  | 'code'
  | 'plan'
  | 'item'
  | 'decision'
  | 'commit'
  | 'document'
  | 'signal'
  | 'address'
  | 'unknown';

/** Handles as answers give them, and the same with the word written out. */
const HANDLES: readonly (readonly [LinkKind, RegExp])[] = [
  ['address', /^https?:\/\/[^\s/]/i],
  ['theme', /^theme:./],
  ['plan', /^plan:./],
  ['item', /^wi:\d/],
  ['decision', /^(?:dec|decision):\d/],
  ['document', /^(?:doc|document):./],
  ['signal', /^(?:sig|signal):.|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ['commit', /^(?:(?:c|commit):)?[0-9a-f]{7,40}$/],
];
/** `shop:src/a.ts`, `repo:src/a.ts:10-20`: a path of the repository with this name, or of any. */
const IN_REPOSITORY = /^([\w.-]+):(?!\/)([^\s:]+)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/;
const ANY_REPOSITORY = 'repo';

/** The kind of a link as it is written. Whether what it names is there is another question. */
export function linkKind(link: string): LinkKind {
  const [kind] = HANDLES.find(([, form]) => form.test(link)) ?? [];
  return kind ?? (mentionOfLink(link) === undefined ? 'unknown' : 'code');
}

/**
 * Returns the mentions of code of a decision: its links, and the names in back-quotes in its text.
 *
 * @throws ServiceError `too_large` when the text takes too much to be read.
 */
export async function codeMentions(
  { texts }: Pick<Decisions, 'texts'>,
  { links, decision, context }: { links: readonly string[]; decision: string; context: string },
): Promise<Mention[]> {
  return [...linkedMentions(links), ...(await texts.mentions(`${decision}\n\n${context}`))];
}

/** The links that name code. Each is meant as code, however plain the word is, and stands for itself. */
export function linkedMentions(links: readonly string[]): Mention[] {
  return links.flatMap((link, index): Mention[] => {
    const mention = linkKind(link) === 'code' ? mentionOfLink(link) : undefined;
    return mention === undefined ? [] : [{ ...mention, isCertain: true, block: -1 - index, offset: index }];
  });
}

type LinkedCode = Omit<Mention, 'block' | 'offset'>;

function mentionOfLink(link: string): LinkedCode | undefined {
  return mentionOf(link.replace(/^symbol:/, '')) ?? inRepository(link);
}

function inRepository(link: string): LinkedCode | undefined {
  const [, name = '', path = '', from, to = from] = IN_REPOSITORY.exec(link) ?? [];
  const isPath = name === ANY_REPOSITORY || path.includes('/') || (mentionOf(path)?.path ?? '') !== '';
  if (path === '' || !isPath) return undefined;
  const lines = from === undefined ? undefined : { from: Number(from), to: Math.max(Number(from), Number(to)) };
  const repo = name === ANY_REPOSITORY ? '*' : name;
  return { path, symbol: '', repo, isCertain: true, ...(lines !== undefined && { lines }) };
}
