import type { Emerging } from './grouping/find-emerging.ts';
import type { FoldText } from './fold.ts';
import type { GroupProfile, Place, Profiles } from './grouping/group-profiles.ts';
import type { LabelCandidate } from './grouping/label-groups.ts';

/** A text as it is sent to the process that compares texts. */
export interface SentText extends FoldText {
  /** As its source writes it; null when that is not known. */
  language?: string | null | undefined;
  /** Of the whole text; absent while it is pending, and without an encoder. */
  vector?: Int8Array | undefined;
}

export interface GroupTask {
  kind: 'group';
  ids: readonly string[];
  /** Texts that stand for several: each is a group, even when it is like no other. */
  repeated: ReadonlySet<string>;
  /** Texts that stay together. An open group may become one with another that is like it. */
  fixed: readonly { members: readonly string[]; isOpen: boolean }[];
  /** Of the vectors; null for words alone. */
  model: string | null;
}

/** A signal by id, with who says it, and the oldest that it nearly repeats or itself. */
export interface VoicedSignal {
  id: string;
  voice: string;
  copyOf: string;
}

export interface EmergeTask {
  kind: 'emerge';
  recent: readonly VoicedSignal[];
  before: readonly VoicedSignal[];
  /** The length of the recent period, as a share of the time before. */
  share: number;
  model: string | null;
}

/** Asks how near phrases are to the mean of the texts of a group. */
export interface NearnessTask {
  kind: 'nearness';
  groups: ReadonlyMap<string, { ids: readonly string[]; phrases: readonly Int8Array[] }>;
  model: string | null;
}

/** A task of the process. Texts are sent once, oldest first, and then named by id. */
export type ThemeTask =
  | { kind: 'add'; texts: readonly SentText[] }
  | { kind: 'fold'; before: readonly FoldText[]; ids: readonly string[] }
  | GroupTask
  | { kind: 'place'; ids: readonly string[]; profiles: Profiles }
  | { kind: 'label'; groups: ReadonlyMap<string, readonly string[]>; model: string | null }
  | NearnessTask
  | EmergeTask;

/** Signals that belong together, by id. */
interface SignalGroup {
  members: string[];
  /** Near to it, and to no other group. */
  loose: string[];
  parts: string[][];
  /** The one that says best what all say. */
  medoid: string;
}

/** Groups of signals, with what places further ones; the groups of `profiles` are named by their place in the list. */
export interface GroupedSignals {
  groups: SignalGroup[];
  profiles: Profiles;
}

/** A subject that emerges, with its signals by id. */
export interface EmergingSignals extends Omit<Emerging, 'members' | 'medoid'> {
  members: string[];
  medoid: string;
  /** Profile by which later signals are placed, and the number of texts that have its terms. */
  profile: GroupProfile;
  frequency: [string, number][];
}

export interface ThemeReplies {
  add: undefined;
  /** For each text that says nearly the same as an older one, the oldest of these. */
  fold: Map<string, string>;
  group: GroupedSignals;
  /** Place of each text that is near to a group. */
  place: Map<string, Place>;
  /** By name of the group, the best first. */
  label: Map<string, LabelCandidate[]>;
  /** By name of the group, 0 to 1, in the order of its phrases. */
  nearness: Map<string, number[]>;
  emerge: EmergingSignals[];
}
