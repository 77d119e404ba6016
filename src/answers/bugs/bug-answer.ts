import { describeIndex, indexJson } from '../../kernel/freshness.ts';
import { charactersIn } from '../../kernel/budget.ts';
import { counted } from '../../kernel/counted.ts';
import { visible } from '../../kernel/visible.ts';
import type { Answer } from '../../platform/operation/operation.ts';
import type { RunState } from '../runs/runs.ts';
import type { Analysis, Suspect } from './analysis.ts';

export const BUG_OPERATION = 'run_bugAnalysisWorkflow';

const MOST_EVIDENCE = 3;

/** The run that an answer is read from. */
export interface RunLine {
  /** `run:…` */
  id: string;
  state: RunState;
  stage: string;
  /** 0 to 100. */
  pct: number;
}

/** The analysis as a model and as a program read it, each within the budget: what matters least is left out first. */
export function renderAnalysis(analysis: Analysis, run: RunLine, maxTokens: number): Answer {
  const most = charactersIn(maxTokens);
  return { text: fitText(analysis, run, most), json: fitJson(analysis, run, most) };
}

/** The answer for a run without results so far. */
export function renderWaiting(run: RunLine): Answer {
  return { text: `${BUG_OPERATION}${stateWords(run)}`, json: { op: BUG_OPERATION, run } };
}

/** Nothing of a run that is done: its answer is whole. */
function stateWords({ id, state, stage, pct }: RunLine): string {
  if (state === 'done') return ` · ${id}`;
  if (state === 'cancelled') return ` · ${id} was cancelled`;
  return ` · ${id} is at ${pct}%${stage === '' ? '' : ` (${stage})`}: call again with run_id="${id}"`;
}

function header({ provenance, suspects, hypotheses }: Analysis, run: RunLine): string {
  const { repo, commit, ref, index } = provenance;
  const source = `${visible(repo)}@${commit.slice(0, 7)} ${visible(ref)} ${describeIndex(index)}`;
  const guess = hypotheses.length === 0 ? 'no hypothesis' : counted(hypotheses.length, 'hypothesis', 'hypotheses');
  return `${BUG_OPERATION} · ${source} · ${counted(suspects.length, 'suspect')} · ${guess}${stateWords(run)}`;
}

/** A title and its lines; nothing where there are none. Text of others stays on its line. */
function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => ` ${visible(line)}`)].join('\n');
}

/** Sections in the order in which they are read, and by how soon each is left out: the highest first. */
function sections(analysis: Analysis): { text: string; leftOut: number }[] {
  const { report, suspects, suspectCommits, hypotheses, similarFixes, plan, coverage } = analysis;
  const read = [
    ...(report.error === undefined ? [] : [`error ${report.error.type}: ${report.error.message.slice(0, 200)}`]),
    `${coverage.own_frames} of ${coverage.frames} frames are code of this repository, ${coverage.known_names} of ${coverage.names} names are symbols of it; ${coverage.commits_searched} commits searched`,
  ];
  return [
    { text: list('report', read), leftOut: 2 },
    { text: list('functions', suspects.filter(isFunction).flatMap(suspectLines)), leftOut: 0 },
    { text: list('files', suspects.filter((suspect) => !isFunction(suspect)).flatMap(suspectLines)), leftOut: 4 },
    {
      text: list(
        'suspect commits',
        suspectCommits.map(
          ({ sha, date, author, subject, why }) => `c:${sha.slice(0, 7)} ${date} ${author}: ${subject} (${why})`,
        ),
      ),
      leftOut: 3,
    },
    {
      text:
        hypotheses.length === 0
          ? 'hypotheses\n none: no trace, verbatim text or commit singles out a suspect'
          : list(
              'hypotheses',
              hypotheses.flatMap(({ statement, probability, for: reasons, against, test }) => [
                `${percent(probability)} ${statement}`,
                ...(reasons.length === 0 ? [] : [`  for: ${reasons.join('; ')}`]),
                ...(against.length === 0 ? [] : [`  against: ${against.join('; ')}`]),
                `  test: ${test}`,
              ]),
            ),
      leftOut: 1,
    },
    {
      text: list(
        'similar fixes',
        similarFixes.map(
          ({ id, date, subject, paths }) => `${id} ${date} ${subject} · ${paths.slice(0, 4).join(', ')}`,
        ),
      ),
      leftOut: 5,
    },
    {
      text: list('plan', [
        ...plan.steps.map((step, at) => `${at + 1}. ${step}`),
        ...plan.tests_to_add.map((test) => `add to ${test}`),
      ]),
      leftOut: 4,
    },
    { text: list('gaps', coverage.gaps), leftOut: 6 },
  ];
}

function isFunction({ symbol }: Suspect): boolean {
  return symbol !== '';
}

function suspectLines({ path, symbol, lines, score, evidence }: Suspect, at: number): string[] {
  const place = symbol === '' ? path : `${path}:${lines[0]}-${lines[1]} ${symbol}`;
  return [
    `${at + 1} ${score.toFixed(2)} ${place}`,
    ...evidence.slice(0, MOST_EVIDENCE).map(({ kind, says, id }) => `  ${kind}: ${says} ${id}`),
  ];
}

function fitText(analysis: Analysis, run: RunLine, most: number): string {
  const all = sections(analysis).filter(({ text }) => text !== '');
  const order = all.toSorted((a, b) => b.leftOut - a.leftOut);
  const shown = new Set(all);
  const compose = (): string => {
    const cut = order.length - shown.size;
    const note = cut === 0 ? [] : [`cut by max_tokens: ${counted(cut, 'section')}; ask again with a larger max_tokens`];
    return [header(analysis, run), ...all.filter((line) => shown.has(line)).map(({ text }) => text), ...note].join(
      '\n',
    );
  };
  let text = compose();
  for (const line of order) {
    if (text.length <= most || shown.size === 1) break;
    shown.delete(line);
    text = compose();
  }
  if (text.length <= most) return text;
  const lines = text.split('\n');
  while (lines.length > 2 && lines.join('\n').length > most) lines.splice(-2, 1);
  return lines.join('\n').slice(0, most);
}

function fitJson(analysis: Analysis, run: RunLine, most: number): Record<string, unknown> {
  let json = bodyOf(analysis, run, []);
  for (const shorten of REDUCTIONS) {
    if (JSON.stringify(json).length <= most) break;
    json = bodyOf(shorten(analysis), run, ['cut by max_tokens: ask again with a larger max_tokens']);
  }
  return json;
}

/** Reductions of an answer, each greater than the one before: shorter lists, then fewer suspects, functions first. */
const REDUCTIONS: readonly ((analysis: Analysis) => Analysis)[] = [
  ...[10, 3, 2, 1, 0].map((length) => (analysis: Analysis) => withLists(analysis, length)),
  ...[3, 1].map((length) => (analysis: Analysis) => {
    const functions = analysis.suspects.filter(isFunction);
    const suspects = (functions.length > 0 ? functions : analysis.suspects).slice(0, length);
    return withLists({ ...analysis, report: { ...analysis.report, error: undefined }, suspects }, 0);
  }),
];

/** Shortens all lists but that of suspects, each of which has one reason at least. */
function withLists(analysis: Analysis, length: number): Analysis {
  const { report, plan, suspects, suspectCommits, hypotheses, similarFixes } = analysis;
  const { frames, names, tests } = report;
  const { steps, tests_to_add: added, impact } = plan;
  const cut = <Item>(items: readonly Item[]): Item[] => items.slice(0, length);
  return {
    ...analysis,
    report: { ...report, frames: cut(frames), names: cut(names), tests: cut(tests) },
    suspects: suspects.map((suspect) => ({ ...suspect, evidence: suspect.evidence.slice(0, Math.max(1, length)) })),
    suspectCommits: cut(suspectCommits),
    hypotheses: cut(hypotheses),
    similarFixes: cut(similarFixes).map((fix) => ({ ...fix, paths: cut(fix.paths) })),
    plan: {
      steps: cut(steps),
      tests_to_add: cut(added),
      impact: { ...impact, entry_points: cut(impact.entry_points), tests: cut(impact.tests) },
    },
  };
}

function bodyOf(analysis: Analysis, run: RunLine, notes: readonly string[]): Record<string, unknown> {
  const { provenance, report, suspects, suspectCommits, hypotheses, similarFixes, plan, coverage } = analysis;
  const { error, frames, names, tests } = report;
  return {
    op: BUG_OPERATION,
    repo: provenance.repo,
    ref: provenance.ref,
    commit: provenance.commit,
    index: indexJson(provenance.index),
    parsed: { ...(error !== undefined && { error }), frames, symbols: names, tests },
    suspects: suspects.map(({ evidence, ...suspect }) => ({
      ...suspect,
      evidence: evidence.map(({ isOnly: _, ...item }) => item),
    })),
    suspect_commits: suspectCommits.map(({ isRecent: _, ...commit }) => commit),
    hypotheses,
    similar_fixes: similarFixes,
    plan,
    coverage,
    run,
    ...(notes.length > 0 && { notes }),
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
