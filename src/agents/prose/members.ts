import { counted } from '../../kernel/counted.ts';
import type { Enumeration } from '../gather/enumerations.ts';
import type { Member } from '../gather/members-of.ts';
import type { Citer } from './cite.ts';
import { codeSpan } from '../../kernel/code-span.ts';
import { joinWords, type Paragraph } from './prose.ts';
import { displayName } from './symbols.ts';

/** Members that are told by name. */
const MOST_MEMBERS = 30;

/** What an enum, a union or a table holds, in one sentence with its lines; of a long one the first members and how many more there are. */
export function tellMembers(cite: Citer, { place, name, members }: Enumeration): Paragraph[] {
  const [first] = members;
  const shown = members.slice(0, MOST_MEMBERS);
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return [];
  const more = members.length - shown.length;
  const names = shown.map((member) => quoteMember(member));
  const listed = more === 0 ? joinWords(names) : `${names.join(', ')} and ${more} more`;
  const where = `${place.path}:${place.start}`;
  const lead =
    name === ''
      ? `${where} defines ${counted(members.length, 'constant')}`
      : `\`${displayName(place)}\` (${where}) has ${counted(members.length, 'entry', 'entries')}`;
  return [{ sentences: [{ text: `${lead}: ${listed}.`, sources: [cite.linesOf(place, first.at, last.at)] }] }];
}

function quoteMember({ name, value }: Member): string {
  return value === undefined ? codeSpan(name) : `${codeSpan(name)} (${codeSpan(value)})`;
}
