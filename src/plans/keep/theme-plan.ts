import { dayOf } from '../../kernel/time.ts';
import { excerpt } from '../../kernel/shown-values.ts';
import { counted } from '../../kernel/counted.ts';
import { visible } from '../../kernel/visible.ts';
import type { describeTheme } from '../../signals/signals.ts';

const LONGEST_QUOTE = 300;
const MOST_CODE = 3;

/**
 * The draft of a plan from a theme: what customers say, how many, and the code that it is about. It has no tasks and no
 * requirements, which people or agents write.
 */
export function planTextOfTheme({ theme, quotes }: Awaited<ReturnType<typeof describeTheme>>): string {
  const { label, signals, customers, links } = theme;
  const code = links.filter(({ kind }) => kind === 'code').slice(0, MOST_CODE);
  const quoteTexts = quotes.map(({ id, text, customer, date }) => {
    const who = [customer, dayOf(date), `sig:${id}`].filter((part) => part !== '').join(', ');
    return `${quoteLines(text)}\n>\n> ${visible(who)}`;
  });
  return [
    `# ${visible(label)}`,
    `## Goal\n\nAnswer what ${counted(customers, 'customer')} say in ${counted(signals, 'signal')} about "${visible(label)}".`,
    ...(quoteTexts.length === 0 ? [] : [`## Context\n\n${quoteTexts.join('\n\n')}`]),
    ...(code.length === 0 ? [] : [`## Code\n\n${code.map(({ target }) => `- ${codeName(target)}`).join('\n')}`]),
    '## Tasks\n',
  ].join('\n\n');
}

/** `sym:Mailer/send@src/mail.ts` → `Mailer.send` in `src/mail.ts`. */
function codeName(target: string): string {
  const at = target.indexOf('@');
  const symbol = target.slice('sym:'.length, at).replaceAll('/', '.');
  return `\`${symbol}\` in \`${target.slice(at + 1)}\``;
}

function quoteLines(text: string): string {
  const short = excerpt(text, LONGEST_QUOTE);
  return short
    .split(/\r\n?|\n/)
    .map((line) => `> ${line.replaceAll('`', "'")}`)
    .join('\n');
}
