import { z } from 'zod';
import { type ErrorCode, ERROR_CODES, ServiceError } from '../../kernel/errors.ts';
import { type Answer, type AnyOperation, type CallScope, defineOperation } from '../../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../../platform/operation/paged-tool.ts';
import { renderAnswer, type Report } from '../answer.ts';
import { placeReader } from '../gather/place-reader.ts';
import { type AgentTools, Tools } from '../gather/tools.ts';
import { verifyEntries } from '../ledger/verify.ts';
import type { Sentence } from '../prose/prose.ts';
import { settle } from '../prose/settle.ts';
import type { Runs, RunView, Workflow } from '../runs/runs.ts';
import { levelOf } from '../confidence.ts';
import { CORPORA } from './collect.ts';
import { askedCorpora, conclude, type CorpusResult, reportOf, type Research, searchCorpus } from './research.ts';

const ResearchInput = z.object({
  question: z.string().optional().describe('Question'),
  corpora: z.array(z.enum(CORPORA)).optional().describe('Default: all'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  since: z.string().optional().describe('Date or 30d'),
  effort: z.enum(['quick', 'standard', 'deep']).default('standard').describe('Search effort'),
  run_id: z.string().optional().describe('Fetch or continue a run'),
  max_tokens: z.int().min(500).max(20_000).default(6000).describe('Response budget'),
  format: FORMAT_FIELD,
});
type ResearchArguments = z.output<typeof ResearchInput>;

/** What a run is begun with, and stored. */
const Request = ResearchInput.pick({ corpora: true, repo: true, since: true, effort: true }).extend({
  question: z.string(),
});

const NAME = 'run_deepResearchWorkflow';
const RESEARCH = 'deep_research';
/** Clients give up at 60 s and calls end at 45: what takes longer is told as it is then. */
const WAIT_MS = 30_000;
const LONGEST_QUESTION = 4_000;
/** So many voices that say the like make a finding certain, and one makes it likely. */
const CORROBORATED = 2;

/** `run_deepResearchWorkflow`: a question over all corpora, with what speaks for and against, when, and what is not known. */
export function deepResearchTool({ tools, runs }: { tools: AgentTools; runs: Runs }): AnyOperation {
  return defineOperation({
    name: NAME,
    description:
      'Research a question over all corpora: findings with citations and confidence, contradictions, gaps, next steps. Slow runs return run_id; call again with it.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: ResearchInput,
    aliases: {
      question: ['message', 'query', 'q', 'text', 'prompt', 'topic'],
      repo: ['repository', 'repo_name', 'project'],
      max_tokens: ['maxTokens'],
    },
    async run(scope, args) {
      const { run_id: given = '', repo, corpora, since, effort } = args;
      const request = {
        repo: repo === '' ? undefined : repo,
        corpora,
        since: since === '' ? undefined : since,
        effort,
      };
      const id =
        given === '' ? await runs.start(scope.caller, RESEARCH, { ...request, question: questionOf(args) }) : given;
      const view = await runs.wait(id, { ...scope, waitMs: WAIT_MS });
      return renderReport(tools, scope, { view, maxTokens: args.max_tokens });
    },
  });
}

/** The work of a research: a step a corpus. A run that goes on after its process ended searches no corpus twice. */
export function researchWorkflow(tools: AgentTools, now: () => Date): Workflow {
  return {
    kind: RESEARCH,
    steps: CORPORA,
    run: async ({ input, caller, signal, step }) => {
      const request = Request.parse(input);
      for (const corpus of askedCorpora(request)) {
        const search = (): Promise<CorpusResult> => {
          const scope = { caller, signal, now, progress: () => undefined };
          return searchCorpus(new Tools(tools, scope, request.repo ?? '*'), corpus, request);
        };
        await step(corpus, search);
      }
      return {};
    },
  };
}

/** A run as it is: its report, or what is there of it already. @throws ServiceError what the run failed with. */
async function renderReport(
  tools: AgentTools,
  scope: CallScope,
  { view, maxTokens }: { view: RunView; maxTokens: number },
): Promise<Answer> {
  const { kind, id, state, stage, pct, input, steps, error } = view;
  if (kind !== RESEARCH) {
    throw new ServiceError('run_not_found', `run:${id} is not a research run.`, {
      fix: 'Ask the workflow that started it.',
    });
  }
  if (error !== null)
    throw new ServiceError(isCode(error.code) ? error.code : 'internal', error.message, { fix: error.fix });
  const request = Request.parse(input);
  // Steps hold what `searchCorpus` gave.
  const results = askedCorpora(request).flatMap((corpus) => (steps.get(corpus) as CorpusResult | undefined) ?? []);
  const found = conclude(request, results);
  const reading = new Tools(tools, scope, request.repo ?? '*');
  const verdicts = await verifyEntries(found.ledger.entries, placeReader(reading));
  const settled = settle({ paragraphs: reportOf(found) }, verdicts);
  const files = new Set(found.ledger.entries.flatMap(({ path }) => path ?? []));
  const calls = results.flatMap((result) => result.calls);
  const confidence = confidenceOf(found);
  const numbers = new Map(settled.sources.map((source) => [source.number, source.cited]));
  const run = { id: `run:${id}`, state, stage, pct, subquestions: found.subquestions };
  const report: Report = {
    ...settled,
    operation: NAME,
    provenances: reading.provenances,
    lead: leadOf(view, settled.sources.length),
    confidence,
    level: levelOf(confidence),
    gaps: found.gaps,
    engine: 'deterministic',
    lookedAt: { calls: calls.length, files: files.size },
    calls,
    next: found.actions,
    extra: { ...extraOf(found, numbers), run },
  };
  return renderAnswer(report, maxTokens);
}

function leadOf({ id, state, stage, pct }: RunView, sources: number): string {
  if (state === 'running')
    return `The research goes on (${pct} %${stage === '' ? '' : `, searching ${stage}`}). What is there already follows; the rest: ${NAME} run_id="run:${id}"`;
  if (state === 'cancelled') return 'The research was cancelled. What was found until then:';
  return sources === 0 ? 'Nothing that was searched has an answer.' : '';
}

function isCode(code: string): code is ErrorCode {
  return code in ERROR_CODES;
}

/** @throws ServiceError `bad_argument` for a question without words and for a long one. */
function questionOf({ question = '' }: ResearchArguments): string {
  const fix = `Ask in a sentence: ${NAME} question="How are refunds paid, and what do customers say?"`;
  const words = question.trim();
  if (!/[\p{L}\p{N}]/u.test(words)) throw new ServiceError('bad_argument', 'The question has no words.', { fix });
  if (words.length <= LONGEST_QUESTION) return words;
  throw new ServiceError('bad_argument', `The question is longer than ${LONGEST_QUESTION} characters.`, { fix });
}

/** How many of the findings more than one voice supports, of how many parts of the question there are any. */
function confidenceOf({ findings, subquestions }: Research): number {
  if (findings.length === 0) return 0;
  const answered = subquestions.filter((about) => findings.some(({ claim }) => claim.about === about)).length;
  const supported = findings.filter(({ corroboration }) => corroboration > 0).length / findings.length;
  return Math.round(1000 * (answered / subquestions.length) * (0.5 + supported / 2)) / 1000;
}

/** The fields of the JSON form that only a research has. What lost its sources is not in it. */
function extraOf(found: Research, numbers: ReadonlyMap<number, number>): Record<string, unknown> {
  const citedBy = ({ sources }: Sentence): number[] => [
    ...new Set(sources.flatMap(({ number }) => numbers.get(number) ?? [])),
  ];
  const findings = found.findings.flatMap(({ claim, sentence, corroboration }) => {
    const sources = citedBy(sentence);
    const confidence = corroboration >= CORROBORATED ? 'high' : corroboration === 1 ? 'medium' : 'low';
    return sources.length === 0
      ? []
      : [{ claim: claim.text, corpus: claim.corpus, sources, confidence, corroboration }];
  });
  return {
    findings,
    contradictions: found.contradictions.flatMap(({ found: { a, b, why }, a: one, b: other }) => {
      const [left, right] = [citedBy(one), citedBy(other)];
      if (left.length === 0 || right.length === 0) return [];
      return [{ a: { claim: a.text, sources: left }, b: { claim: b.text, sources: right }, why }];
    }),
    timeline: found.timeline.flatMap(({ date, sentence }) => {
      const sources = citedBy(sentence);
      return sources.length === 0 ? [] : [{ date, claim: sentence.text, sources }];
    }),
    actions: found.actions,
  };
}
