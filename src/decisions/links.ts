import { mentionOf, type Mention, mentionsOfText } from '../plans/plans.ts';

/** What a link of a decision is. */
export type LinkKind = 'code' | 'plan' | 'decision' | 'commit' | 'url' | 'reference';

/** The kind of a link as it is written: `plan:slug`, `dec:12`, `src/a.ts:10`, `symbol:X`, a commit, a URL, another handle. */
export function linkKind(link: string): LinkKind {
  if (/^https?:\/\//i.test(link)) return 'url';
  if (link.startsWith('plan:')) return 'plan';
  if (/^dec:\d+$/.test(link)) return 'decision';
  if (/^(?:c:)?[0-9a-f]{7,40}$/.test(link)) return 'commit';
  if (/^(?:symbol|sym):/.test(link)) return 'code';
  if (/^[a-z]+:/.test(link)) return 'reference';
  return mentionOf(link) === undefined ? 'reference' : 'code';
}

/** What a decision names in the code: its links, and what its text names in back-quotes. */
export function codeMentions({
  links,
  decision,
  context,
}: {
  links: readonly string[];
  decision: string;
  context: string;
}): Mention[] {
  const linked = links.flatMap((link, index): Mention[] => {
    if (linkKind(link) !== 'code') return [];
    const mention = mentionOf(link.replace(/^symbol:/, ''));
    // A link is meant as code, however plain the word is, and each stands for itself.
    return mention === undefined ? [] : [{ ...mention, isCertain: true, block: -1 - index, offset: index }];
  });
  return [...linked, ...mentionsOfText(`${decision}\n\n${context}`)];
}
