import { serveProcessTasks } from '../platform/processes.ts';
import { foldTexts, type FoldText } from './fold.ts';
import { type GroupProfile, placeTexts, profileOf, profilesOf, type Profiles } from './grouping/group-profiles.ts';
import { type GroupedTexts, groupTexts } from './grouping/group-texts.ts';
import { labelGroups } from './grouping/label-groups.ts';
import { formLines, saidIn, type SaidText } from './language/clean-text.ts';
import { WORD_MEANINGS } from './language/known-meanings.ts';

/** What the process is asked. Texts are sent once, oldest first, and then named by id. */
export type ThemeTask =
  | { kind: 'add'; texts: readonly FoldText[] }
  | { kind: 'fold'; before: readonly FoldText[]; ids: readonly string[] }
  | { kind: 'group'; ids: readonly string[]; repeated: ReadonlySet<string> }
  | { kind: 'place'; ids: readonly string[]; profiles: Profiles }
  | { kind: 'label'; groups: ReadonlyMap<string, readonly string[]> };

/** Signals that belong together, by id. */
interface SignalGroup {
  members: string[];
  parts: string[][];
  /** The one that says best what all say. */
  centre: string;
  profile: GroupProfile;
}

/** Groups of signals, with what places further ones; the groups of `profiles` are named by their place in the list. */
export interface GroupedSignals {
  groups: SignalGroup[];
  profiles: Profiles;
}

export interface ThemeReplies {
  add: undefined;
  /** For each text that says nearly the same as an older one, the oldest of these. */
  fold: Map<string, string>;
  group: GroupedSignals;
  /** The name of the group of each text that is near to one. */
  place: Map<string, string>;
  /** By name of the group. */
  label: Map<string, string>;
}

/** Texts that are compared each with each. Of more, as many are taken evenly, and the others go to the groups of these. */
const MOST_COMPARED = 2_000;

/** Of all signals that were sent, by id. */
const sent = new Map<string, string>();

serveProcessTasks((task: ThemeTask): ThemeReplies[ThemeTask['kind']] => {
  switch (task.kind) {
    case 'add':
      for (const { id, text } of task.texts) sent.set(id, text);
      return undefined;
    case 'fold':
      return foldTexts([...task.before, ...task.ids.map((id) => ({ id, text: sent.get(id) ?? '' }))]);
    case 'group':
      return group(task);
    case 'place': {
      const forms = new Set(task.profiles.forms);
      const placed = placeTexts(
        task.ids.map((id) => definedTextOf(id, forms)),
        task.profiles,
        WORD_MEANINGS,
      );
      return new Map(task.ids.flatMap((id, at) => (placed[at] === undefined ? [] : [[id, placed[at]] as const])));
    }
    case 'label': {
      const forms = formLines([...sent.values()]);
      const named = Array.from(
        task.groups,
        ([name, ids]) => [name, ids.map((id) => definedTextOf(id, forms).text)] as const,
      );
      return labelGroups(new Map(named), WORD_MEANINGS);
    }
  }
});

function definedTextOf(id: string, forms: ReadonlySet<string>): SaidText {
  return saidIn(sent.get(id) ?? '', forms);
}

function group({ ids, repeated }: ThemeTask & { kind: 'group' }): GroupedSignals {
  const forms = formLines(ids.map((id) => sent.get(id) ?? ''));
  const step = Math.max(1, ids.length / MOST_COMPARED);
  const chosen = Array.from(
    { length: Math.min(ids.length, MOST_COMPARED) },
    (_, at) => ids[Math.floor(at * step)] ?? '',
  );
  const grouped = groupTexts(
    chosen.map((id) => definedTextOf(id, forms)),
    WORD_MEANINGS,
    new Set([...chosen.keys()].filter((at) => repeated.has(chosen[at] ?? ''))),
  );
  const groups = grouped.groups.map((textGroup) => signalGroup(textGroup, chosen, grouped));
  const named = groups.map(({ profile }, at) => [String(at), profile] as const);
  const profiles = profilesOf(named, grouped.counts, forms);
  const taken = new Set(chosen);
  const others = ids.filter((id) => !taken.has(id));
  const placed = placeTexts(
    others.map((id) => definedTextOf(id, forms)),
    profiles,
    WORD_MEANINGS,
  );
  for (const [at, id] of others.entries()) groups[Number(placed[at] ?? -1)]?.members.push(id);
  return { groups, profiles };
}

function signalGroup(
  { members, parts, centre }: GroupedTexts['groups'][number],
  ids: readonly string[],
  { texts }: GroupedTexts,
): SignalGroup {
  const idOf = (at: number): string => ids[at] ?? '';
  const compared = members.flatMap((at) => texts[at] ?? []);
  return {
    members: members.map(idOf),
    parts: parts.map((part) => part.map(idOf)),
    centre: idOf(centre),
    profile: profileOf(compared),
  };
}
