import type { ListItem, RootContent } from 'mdast';
import { leadOf, oneLine, PHASE_HEADING, type PlanSection, sourceOf } from './markdown.ts';
import type { ItemDraft } from './work-item-text.ts';
import { wordsOf } from '../../text/words.ts';

/** A part of the work that follows others. */
interface Phase {
  /** Its heading, as items have it. */
  heading: string;
  /** `2`, `2a`; '' for a final phase. */
  number: string;
  /** `Setup`, `User Story 1`: what the heading says behind its number, up to a bracket or a dash. */
  name: string;
  /** `1` of `User Story 1`; '' for others. */
  story: string;
  /** Positions of its items. */
  items: number[];
}

/** Of phases that are named together: `Phases 3-7`, `US1 to US4`, `Phase 3+`. */
const PHASE_NUMBERS = /\bphases?\s+((?:\d+[a-z]?(?:\s*(?:\+|-|–|—|to|,|and|&|or)\s*)*)+)/gi;
const STORY_NUMBERS =
  /\b(?:us|user stor(?:y|ies)|stor(?:y|ies))[\s-]*((?:\d+(?:\s*(?:-|–|—|to|,|and|&|or|\/)\s*(?=(?:us|story)?[\s-]*\d))*(?:us|story)?[\s-]*)+)/gi;
const ALL_STORIES =
  /\b(?:all|both|every|the|each)\s+(?:\w+\s+){0,2}?(?:user )?stor(?:y|ies)\b|\buser stories\b(?!\s*\d)/i;
const ALL_PHASES = /\ball (?:\w+ )?phases\b/i;
/** Prerequisites of a phase, up to where the sentence says something else. */
const WAITS =
  /(?<!\bnot )\b(?:depends?(?:\s+\w+)?\s+on:?|after|requires?|prerequisites?:|blocked by)\s+(.+?)(?=[.;]\s|[.;]$|\s[-–—]\s|\s—|\bbut\b|\bcan\b|\bmay\b|\bso\b|$)/gi;

/**
 * Adds to items what their phases wait for: where the text says that, as under "Phase Dependencies" of spec-kit, exactly
 * that; elsewhere phases follow each other.
 */
export function linkPhases(items: readonly ItemDraft[], sections: readonly PlanSection[], body: string): void {
  const phases = phasesOf(items);
  if (phases.length < 2) return;
  const edges = statedEdges(phases, sections, body);
  if (edges.length === 0) {
    phases.forEach(({ items: own }, index) => {
      for (const position of own) setPhase(items[position], index + 1);
    });
    return;
  }
  for (const { phase, before } of edges)
    for (const position of phase.items) {
      const item = items[position];
      if (item !== undefined)
        item.after = [...new Set([...(item.after ?? []), ...before.flatMap((each) => each.items)])];
    }
}

function setPhase(item: ItemDraft | undefined, phase: number): void {
  if (item !== undefined) item.phase = phase;
}

function phasesOf(items: readonly ItemDraft[]): Phase[] {
  const phases = new Map<string, Phase>();
  items.forEach(({ headings }, position) => {
    const heading = headings.findLast((title) => PHASE_HEADING.test(title));
    if (heading === undefined) return;
    const phase = phases.get(heading) ?? newPhase(heading);
    phase.items.push(position);
    phases.set(heading, phase);
  });
  return [...phases.values()];
}

function newPhase(heading: string): Phase {
  const plain = heading.replaceAll('**', '');
  const [, number = ''] = /^\w+\s+#?(\d+(?:\.\d+)*[a-z]?)/i.exec(plain) ?? [];
  const [, rest = ''] = /^(?:final phase|\w+\s+#?[\w.]+)\s*[:.)–—-]*\s*(.*)$/i.exec(plain) ?? [];
  const name = (rest.split(/\s*\(|\s+[-–—:]\s+/)[0] ?? '').trim();
  const [, story = ''] = /^(?:user )?story\s+(\d+)/i.exec(name) ?? [];
  return { heading, number, name, story, items: [] };
}

interface Edge {
  phase: Phase;
  before: Phase[];
}

/** Returns the edges between phases that their headings, the lines below them, and lists about dependencies state. */
function statedEdges(phases: readonly Phase[], sections: readonly PlanSection[], body: string): Edge[] {
  const edges: Edge[] = [];
  const add = (subject: readonly Phase[], statement: string): void => {
    const waits = [...statement.matchAll(WAITS)].flatMap(([, names = '']) => phasesIn(names, phases));
    for (const phase of subject) {
      const before = [...new Set(waits)].filter((other) => other !== phase);
      if (before.length > 0) edges.push({ phase, before });
    }
  };
  for (const section of sections) {
    const own = phases.filter(({ heading }) => heading === section.title);
    if (own.length > 0) {
      add(own, section.title);
      for (const node of section.nodes)
        if (node.type === 'paragraph')
          for (const line of sourceOf(node, body).split('\n')) add(own, line.replaceAll('**', ''));
    } else if (section.kind === 'notes' && section.headings.some((title) => /\bdependenc|\border\b/i.test(title)))
      for (const entry of section.nodes.flatMap(entriesOf)) {
        const [subject = '', ...statements] = leadOf(entry, body).replaceAll('**', '').split(/:\s/);
        add(phasesIn(subject, phases), statements.join(': '));
      }
  }
  return edges;
}

function entriesOf(node: RootContent): ListItem[] {
  return node.type === 'list' ? node.children : [];
}

/** The phases that a text names, by number, story or name. */
function phasesIn(text: string, phases: readonly Phase[]): Phase[] {
  const line = oneLine(text);
  if (ALL_PHASES.test(line)) return [...phases];
  const numbers = [...line.matchAll(PHASE_NUMBERS)].flatMap(([, list = '']) => numbersIn(list, phases.length + 20));
  const stories = [...line.matchAll(STORY_NUMBERS)].flatMap(([, list = '']) => numbersIn(list, phases.length + 20));
  const named = phases.filter(
    ({ number, story, name }) =>
      (number !== '' && numbers.includes(number)) ||
      (story !== '' && stories.includes(story)) ||
      (story === '' && isNamed(name, line)),
  );
  if (numbers.length + stories.length === 0 && ALL_STORIES.test(line))
    named.push(...phases.filter((phase) => phase.story !== '' && !named.includes(phase)));
  return named;
}

/** The whole name, or its first word where that is long enough to be none by chance: `Polish` of `Polish & Cross-Cutting`. */
function isNamed(name: string, text: string): boolean {
  const words = lowerWords(name);
  const padded = ` ${lowerWords(text).join(' ')} `;
  return [words.join(' '), words[0] ?? ''].some((part) => part.length >= 5 && padded.includes(` ${part} `));
}

function lowerWords(text: string): string[] {
  return wordsOf(text.toLowerCase(), 'plain');
}

/** `3`, `3-7`, `3+`, `1, 2 and 4`. */
function numbersIn(list: string, most: number): string[] {
  return [...list.matchAll(/(\d+[a-z]?)(?:\s*(?:-|–|—|to)\s*(?:us|story)?[\s-]*(\d+)|(\+))?/gi)].flatMap(
    ([, from = '', to, open]) => {
      if (to === undefined && open === undefined) return [from];
      const last = open === undefined ? Number(to) : most;
      return Array.from({ length: Math.min(most, Math.max(1, last - Number.parseInt(from, 10) + 1)) }, (_, index) =>
        String(Number.parseInt(from, 10) + index),
      );
    },
  );
}
