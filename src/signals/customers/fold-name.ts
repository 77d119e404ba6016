import { wordsOf } from '../../text/words.ts';
/** Legal forms that end the name of a company. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    'ab ag as asa bv co company corp corporation cv doo eg ek eurl ev gbr gmbh gesmbh inc incorporated kft kg kgaa kk limited llc llp lp ' +
    'ltd ltda mbh nv ohg ou oy oyj plc pte pty pvt sa sas sarl sasu sca se sl slu spa spzoo srl sro ug'
  ).split(' '),
);

/** Providers of mail for anybody: an address there says nothing of a company. Names before the last part of the domain. */
const FREE_MAIL: ReadonlySet<string> = new Set(
  (
    'aol att btinternet comcast fastmail free freenet gmail gmx googlemail hey hotmail icloud laposte libero live mac mail mailbox me msn ' +
    'naver orange outlook posteo pm proton protonmail qq rambler seznam t-online tuta tutanota verizon web wanadoo wp yahoo yandex zoho 126 163'
  ).split(' '),
);

/** Second parts of domains below which companies register: `co.uk`, `com.au`. */
const SECOND_LEVEL: ReadonlySet<string> = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'or', 'org']);
const MAIL = /^(?:.*<)?\s*([^\s<>@]+)@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)\s*>?$/u;
const DOMAIN = /^(?:https?:\/\/)?(?:www\.)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,})\/?$/u;

/** A customer as a source writes it, and what it counts as. */
interface NormalizedName {
  /** Equal for names of one customer: `ACME GmbH`, `acme`, `acme.com` and `ada@acme.com`. */
  folded: string;
  /** Name of the customer while nothing else is known: the domain of a mail address, else the name itself. */
  shown: string;
}

/**
 * Folds the name of a customer: case, accents, spaces, punctuation and the legal form at the end do not count, and an address or
 * domain counts as the company that owns the domain. An address at a provider of free mail stands for itself.
 */
export function foldName(written: string): NormalizedName {
  const mail = MAIL.exec(written.trim());
  if (mail !== null) {
    const [, user = '', domain = ''] = mail;
    const owner = ownerOf(domain);
    const isFree = FREE_MAIL.has(owner.label);
    return isFree
      ? { folded: `${user}@${domain}`.toLowerCase(), shown: written }
      : { folded: plain(owner.label), shown: owner.domain };
  }
  const [, domain] = DOMAIN.exec(written.trim()) ?? [];
  if (domain !== undefined) return { folded: plain(ownerOf(domain).label), shown: written };
  const words = plain(written.replaceAll(/[.'’]/g, ''), ' ').split(' ');
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1) ?? '')) words.pop();
  return { folded: words.join('') || written.toLowerCase(), shown: written };
}

/** The domain that somebody registered, and its name without the end: `mail.acme.co.uk` gives `acme.co.uk` and `acme`. */
function ownerOf(domain: string): { domain: string; label: string } {
  const parts = domain.toLowerCase().split('.');
  const ends = parts.length > 2 && SECOND_LEVEL.has(parts.at(-2) ?? '') && parts.at(-1)?.length === 2 ? 2 : 1;
  return { domain: parts.slice(-ends - 1).join('.'), label: parts.at(-ends - 1) ?? '' };
}

/** Letters and digits in lower case without accents, runs of anything else as `between`. */
function plain(text: string, between = ''): string {
  const unaccented = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return wordsOf(unaccented, 'plain').join(between);
}
