import { serveProcessTasks } from '../platform/processes.ts';
import { findEmerging } from './grouping/find-emerging.ts';
import { foldTexts } from './fold.ts';
import { centreOf, product, toUnitLength } from './grouping/compared-text.ts';
import { type Place, placeTexts, profileOf, profilesOf, type Profiles } from './grouping/group-profiles.ts';
import { groupTexts } from './grouping/group-texts.ts';
import { labelCandidates } from './grouping/label-groups.ts';
import { measureTexts, type ReadText, type TextMeasures, weighText } from './grouping/weigh-texts.ts';
import { formLines, ownTextOf } from './language/clean-text.ts';
import { languagesOf } from '../text/function-words.ts';
import type {
  EmergeTask,
  EmergingSignals,
  GroupedSignals,
  GroupTask,
  NearnessTask,
  SentText,
  ThemeReplies,
  ThemeTask,
} from './theme-tasks.ts';
import trained from './grouping/general-mean.json' with { type: 'json' };

/** Texts that are compared each with each: the newest. The others go to the groups of these. */
const MOST_COMPARED = 3_000;
/** Texts that labels are compared with, taken evenly from all. */
const MOST_OTHERS = 2_000;

/** Of all signals that were sent, by id. */
const sent = new Map<string, SentText>();
/** All texts that were sent, without the lines of forms; read when it is needed after others were sent. */
let corpus: { read: ReadonlyMap<string, ReadText>; forms: ReadonlySet<string>; measures: TextMeasures } | undefined;

serveProcessTasks((task: ThemeTask): ThemeReplies[ThemeTask['kind']] => {
  switch (task.kind) {
    case 'add':
      for (const text of task.texts) sent.set(text.id, text);
      corpus = undefined;
      return undefined;
    case 'fold':
      return foldTexts([...task.before, ...task.ids.map((id) => ({ id, text: sent.get(id)?.text ?? '' }))]);
    case 'group':
      return group(task);
    case 'place':
      return place(task.ids, task.profiles);
    case 'label': {
      const { read } = readAll(task.model);
      const groups = Array.from(task.groups, ([name, ids]) => [name, pick(read, ids)] as const);
      return labelCandidates(new Map(groups), pick(read, takeEvenly([...sent.keys()], MOST_OTHERS)));
    }
    case 'nearness':
      return nearness(task);
    case 'emerge':
      return emerge(task);
  }
});

/** Reads all texts that were sent, and measures them. */
function readAll(model: string | null): NonNullable<typeof corpus> {
  if (corpus !== undefined) return corpus;
  const all = [...sent.values()];
  const forms = formLines(all.map(({ text }) => text));
  const texts = readTexts(all, forms);
  const read = new Map(texts.map((text, at) => [all[at]?.id ?? '', text]));
  corpus = { read, forms, measures: measureTexts(texts, generalMean(model)) };
  return corpus;
}

function pick<Item>(items: ReadonlyMap<string, Item>, ids: readonly string[]): Item[] {
  return ids.flatMap((id) => items.get(id) ?? []);
}

function readTexts(texts: readonly SentText[], forms: ReadonlySet<string>): ReadText[] {
  const ownTexts = texts.map(({ text }) => ownTextOf(text, forms));
  const languages = languagesOf(
    ownTexts,
    texts.map(({ language }) => language ?? null),
  );
  return texts.map(({ vector }, at) => ({
    text: ownTexts[at] ?? '',
    language: languages[at] ?? '',
    vector: vector && Float32Array.from(vector),
  }));
}

function group({ ids, repeated, fixed, model }: GroupTask): GroupedSignals {
  const { read, forms, measures } = readAll(model);
  const texts = pick(read, ids);
  const newest = ids.slice(-MOST_COMPARED);
  const compared = texts.slice(-MOST_COMPARED).map((text) => weighText(text, measures));
  const placeOf = new Map(newest.map((id, at) => [id, at]));
  const grouped = groupTexts(compared, {
    repeated: new Set([...newest.keys()].filter((at) => repeated.has(newest[at] ?? ''))),
    fixed: fixed
      .map(({ members, isOpen }) => ({ members: members.flatMap((id) => placeOf.get(id) ?? []), isOpen }))
      .filter(({ members }) => members.length > 0),
  });
  const idsOf = (places: readonly number[]): string[] => places.map((at) => newest[at] ?? '');
  const groups = grouped.map(({ members, loose, parts, medoid }) => ({
    members: idsOf(members),
    loose: idsOf(loose),
    parts: parts.map(idsOf),
    medoid: newest[medoid] ?? '',
  }));
  const profiles = profilesOf(
    grouped.map(({ members }, at) => [String(at), profileOf(members.flatMap((member) => compared[member] ?? []))]),
    measures,
    { model, pending: texts.filter(({ vector }) => vector === undefined).length, forms },
  );
  for (const [id, { group: name, isLoose }] of place(ids.slice(0, -MOST_COMPARED), profiles))
    groups[Number(name)]?.[isLoose ? 'loose' : 'members'].push(id);
  return { groups, profiles };
}

function place(ids: readonly string[], profiles: Profiles): Map<string, Place> {
  const texts = ids.flatMap((id) => sent.get(id) ?? []);
  const placed = placeTexts(readTexts(texts, new Set(profiles.forms)), profiles);
  return new Map(ids.flatMap((id, at) => (placed[at] === undefined ? [] : [[id, placed[at]] as const])));
}

function emerge({ recent, before, share, model }: EmergeTask): EmergingSignals[] {
  const all = [...before, ...recent];
  const { read, measures } = readAll(model);
  const voiced = pick(
    read,
    all.map(({ id }) => id),
  ).map((text, at) => ({ ...weighText(text, measures), voice: all[at]?.voice ?? '', copyOf: all[at]?.copyOf ?? '' }));
  const own = voiced.slice(before.length);
  return findEmerging(own, voiced.slice(0, before.length), share).map(({ members, medoid, ...counted }) => {
    const profile = profileOf(members.flatMap((at) => own[at] ?? []));
    return {
      ...counted,
      members: members.map((at) => recent[at]?.id ?? ''),
      medoid: recent[medoid]?.id ?? '',
      profile,
      frequency: profile.terms.map(([term]) => [term, measures.frequency.get(term) ?? 1]),
    };
  });
}

function nearness({ groups, model }: NearnessTask): Map<string, number[]> {
  const { read, measures } = readAll(model);
  return new Map(
    Array.from(groups, ([name, { ids, phrases }]) => {
      const texts = pick(read, ids);
      const centre = centreOf(texts.map((text) => weighText(text, measures))).vector;
      const language = texts[0]?.language ?? '';
      const near = phrases.map((phrase) => {
        const { vector } = weighText({ text: '', language, vector: Float32Array.from(phrase) }, measures);
        return vector === undefined || centre === undefined
          ? 0
          : Math.max(0, product(vector, toUnitLength(centre.slice())));
      });
      return [name, near];
    }),
  );
}

function takeEvenly(ids: readonly string[], most: number): string[] {
  const step = Math.max(1, ids.length / most);
  return Array.from({ length: Math.min(ids.length, most) }, (_, at) => ids[Math.floor(at * step)] ?? '');
}

/**
 * The mean of the vectors of messages about many subjects in several languages, which says what an encoder puts into every vector;
 * undefined for another encoder than the one that it was measured with.
 */
function generalMean(model: string | null): Float32Array | undefined {
  if (model !== trained.model) return undefined;
  const bytes = Buffer.from(trained.vector, 'base64');
  return Float32Array.from(
    new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    (value) => value * trained.unit,
  );
}
