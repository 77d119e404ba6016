import type { Heading, ListItem, Nodes, Root, RootContent } from 'mdast';

/** Kinds of sections that headings of a plan announce. */
export type SectionKind =
  | 'goal'
  | 'context'
  | 'requirements'
  | 'constraints'
  | 'tasks'
  | 'implementation'
  | 'notes'
  | 'flow'
  | 'scope'
  | 'verify'
  | 'decisions'
  | 'other';

/** A heading with what stands below it, up to the next heading of any depth. */
export interface SectionText {
  kind: SectionKind;
  /** '' before the first heading. */
  title: string;
  depth: number;
  /** Markdown below the heading, trimmed. */
  text: string;
  /** True if the text begins with a paragraph. */
  isProse: boolean;
  /** Part of the text that was read as nothing: no work item, requirement or the like, and neither goal nor context. */
  rest: string;
}

/** The same while the text is read. */
export interface PlanSection extends SectionText {
  nodes: RootContent[];
  heading: Heading | undefined;
  /** Titles of the headings around it and its own, outermost first, without the title of the plan and those such as "Tasks". */
  headings: string[];
  /** Kind that its own heading announces, whatever the headings above. */
  announced: SectionKind;
  /** True if its own heading announces its kind, and no heading above does. */
  isFirstOfKind: boolean;
}

/** The headings that are understood, in the order in which they are tried. */
const SECTION_WORDS: readonly (readonly [SectionKind, RegExp])[] = [
  // What stands beside the tasks, and speaks of them.
  [
    'notes',
    /^(?:\W*)(?:notes?\b|risks?\b|dependencies\b|dependency (?:graph|order)|execution order|parallel\b|implementation (?:strategy|notes?|details?|considerations?)|files\b|open questions|unresolved|references|format\b|path conventions|legend|future|alternatives|estimat\w+|appendix)/i,
  ],
  ['scope', /\b(?:out of scope|non-?goals?|not in scope|not to do|later)\b/i],
  ['requirements', /\b(?:requirements?|acceptance|success (?:criteria|metrics|measures)|user stories)\b/i],
  ['constraints', /\b(?:constraints?|limits|non-?functional|guard ?rails)\b/i],
  // What must be true at the end, and what people do with the product, are no work.
  [
    'verify',
    /\b(?:definition of done|(?:done|completion|exit) (?:criteria|checklist)|(?:final|review|quality) checklist)\b/i,
  ],
  ['flow', /\b(?:flows?|journeys?|scenarios?|use cases?|walk-?throughs?|reproduc\w+)\b/i],
  [
    'verify',
    /(?<![\w-])(?:verif(?:y|ied|ication|ying)|how to test|test(?:ing)? (?:plan|strategy)|validation)(?![\w-])/i,
  ],
  ['decisions', /\bdecisions?\b/i],
  [
    'tasks',
    /\b(?:tasks|task (?:list|breakdown)|task$|work items?|work breakdown|steps|implementation (?:plan|phases|roadmap|order)|milestones?|to-?dos?|to dos?$|roll-?out|migration plan|action items|plan of (?:work|action)|execution plan|phases)\b/i,
  ],
  ['implementation', /\bimplementation\b/i],
  ['goal', /\b(?:goals?|objectives?|purpose|outcome|summary|overview)\b/i],
  ['context', /\b(?:context|background|motivation|problem|why|(?:current|implementation) (?:state|status))\b/i],
];

/** A heading that is a task whatever stands above it: `Task 1`, `T1`. */
export const TASK_HEADING = /^(?:\*\*)?(?:task[\s-]+#?\d|T-?\d{1,4}(?!\w))/i;

/** A heading of a part of the work, whatever it is about: `Phase 2: Requirements`, `Final Phase`. */
export const PHASE_HEADING =
  /^(?:\*\*)?(?:(?:phase|stage|milestone|sprint|iteration)\s+#?(?:\d+(?:\.\d+)*[a-z]?|[IVX]+|[A-Z])(?=\s*[:.)(–—-]|\s*$)|final phase\b)/i;

/** Markdown of a node without the marks around it. */
export function sourceOf(node: Nodes, body: string): string {
  return body.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
}

/** The text of the first paragraph of a list item, on one line. */
export function leadOf(item: ListItem, body: string): string {
  const [first] = item.children;
  if (first === undefined || first.type === 'list') return '';
  return oneLine(sourceOf(first, body));
}

export function oneLine(text: string): string {
  return text
    .replace(/^\[(?:[ xX/~>-]|✅|🚧|🔄|⏳)\]\*?\s+/u, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

/** The text of a section as the plan has it: what stands below its heading and the headings under it. */
export function wholeSection(sections: readonly SectionText[], kind: SectionKind): string {
  const parts: string[] = [];
  let depth: number | undefined;
  for (const section of sections) {
    if (depth !== undefined && section.depth <= depth) depth = undefined;
    if (section.kind === kind && depth === undefined) depth = section.depth;
    if (depth !== undefined) parts.push(section.text);
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The headings of a text, each with what stands below it. The first one has no title when text stands before any. */
export function sectionsOf(tree: Root, body: string): PlanSection[] {
  const groups: { heading?: Heading; nodes: RootContent[] }[] = [{ nodes: [] }];
  for (const node of tree.children) {
    if (node.type === 'heading') groups.push({ heading: node, nodes: [] });
    else groups.at(-1)?.nodes.push(node);
  }
  const around: { depth: number; kind: SectionKind; title: string }[] = [];
  return groups.map(({ heading, nodes }) => {
    const depth = heading?.depth ?? 0;
    const title = heading === undefined ? '' : headingText(heading, body);
    while ((around.at(-1)?.depth ?? -1) >= depth) around.pop();
    // The title of the plan itself announces nothing; a heading below a known one belongs to it.
    const announced = depth <= 1 ? 'other' : kindOf(title);
    const above = around.at(-1)?.kind ?? 'other';
    const own = isWithin(announced, above) ? 'other' : announced;
    const kind = own === 'other' ? above : own;
    around.push({ depth, kind, title: depth > 1 && isGroup(title, own) ? title : '' });
    const headings = around.map((outer) => outer.title).filter((outer) => outer !== '');
    const [first, last] = [nodes[0], nodes.at(-1)];
    const text = body.slice(first?.position?.start.offset ?? 0, last?.position?.end.offset ?? 0).trim();
    const isProse = first?.type === 'paragraph';
    const isFirstOfKind = own !== 'other' && own !== above;
    const rest = '';
    return { kind, title, depth, nodes, text, isProse, heading, headings, announced: own, isFirstOfKind, rest };
  });
}

/** "Tasks" says no more of a task than that it is one. */
function isGroup(title: string, own: SectionKind): boolean {
  return own !== 'tasks' || /^\d/.test(title);
}

/** The steps of a flow are no tasks, a flow among tasks is what they are about, and notes on stories and tasks are notes. */
function isWithin(announced: SectionKind, above: SectionKind): boolean {
  if (above === 'notes') return ['requirements', 'tasks', 'implementation', 'flow'].includes(announced);
  const isWork = above === 'tasks' || above === 'implementation';
  return announced === 'flow' ? isWork : announced === 'tasks' && above === 'flow';
}

function kindOf(title: string): SectionKind {
  // Of a task or a phase the words say what it is about.
  if (TASK_HEADING.test(title) || PHASE_HEADING.test(title)) return 'other';
  const words = title.replace(/^\d+(?:\.\d+)*[.)]?\s+/, '');
  return SECTION_WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}

function headingText(heading: Heading, body: string): string {
  const [first, last] = [heading.children[0], heading.children.at(-1)];
  return oneLine(body.slice(first?.position?.start.offset ?? 0, last?.position?.end.offset ?? 0));
}
