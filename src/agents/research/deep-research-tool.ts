import { z } from 'zod';
import { counted } from '../../kernel/counted.ts';
import { type ErrorCode, ERROR_CODES, ServiceError } from '../../kernel/errors.ts';
import {
  type Answer,
  type AnyOperation,
  type CallContext,
  defineOperation,
} from '../../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../../platform/operation/paged-tool.ts';
import { renderAnswer, type Report } from '../answer.ts';
import { placeReader } from '../gather/place-reader.ts';
import { type AgentTools, Tools } from '../gather/tools.ts';
import { verifyEntries } from '../ledger/verify.ts';
import type { Sentence } from '../prose/prose.ts';
import { citedEntries, nameRepositories, settle } from '../prose/settle.ts';
import type { Runs, RunView, Workflow } from '../../answers/runs/runs.ts';
import { levelOf } from '../confidence.ts';
import { addModelled, type GivenWeighing } from './check-model.ts';
import { certaintyOf } from './certainty.ts';
import { CORPORA } from './collect.ts';
import {
  askedCorpora,
  conclude,
  type CorpusResult,
  lostParts,
  reportOf,
  type Research,
  searchCorpus,
} from './research.ts';
import { subquestionsOf } from '../question/parts.ts';
import type { ModelStep } from './with-model.ts';

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
/** The steps of a model, as people read them. */
const SPLITTING = 'splitting the question';
const WEIGHING = 'weighing what was found';
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
    async run(context, args) {
      const { run_id: given = '', repo, corpora, since, effort } = args;
      const request = {
        repo: repo === '' ? undefined : repo,
        corpora,
        since: since === '' ? undefined : since,
        effort,
      };
      const id =
        given === '' ? await runs.start(context.caller, RESEARCH, { ...request, question: questionOf(args) }) : given;
      const progress: typeof context.progress = (done, total, stage) =>
        context.progress(done, total, describeStage(stage));
      const view = await runs.wait(id, { ...context, progress, waitMs: WAIT_MS });
      return renderReport(tools, context, { view, maxTokens: args.max_tokens });
    },
  });
}

/**
 * The work of a research: a step a corpus, and with a model one before them that splits the question and one behind them that weighs
 * what was found. A run that goes on after its process ended searches no corpus twice.
 */
export function researchWorkflow(tools: AgentTools, now: () => Date): Workflow {
  const { model } = tools;
  return {
    kind: RESEARCH,
    steps: model === undefined ? CORPORA : [SPLITTING, ...CORPORA, WEIGHING],
    run: async ({ input, caller, signal, step }) => {
      const { question, ...request } = Request.parse(input);
      const asking = model === undefined ? undefined : { model, caller, signal };
      const split =
        asking &&
        (await step(SPLITTING, async () => {
          const { splitWithModel } = await import('./with-model.ts');
          return splitWithModel(tools, question, asking);
        }));
      const asked = { ...request, question, subquestions: split?.given ?? subquestionsOf(question) };
      const results: CorpusResult[] = [];
      for (const corpus of askedCorpora(request)) {
        const search = (): Promise<CorpusResult> => {
          const context = { caller, signal, now, progress: () => undefined };
          return searchCorpus(new Tools(tools, context, request.repo ?? '*'), corpus, asked);
        };
        results.push(await step(corpus, search));
      }
      const research = asking && conclude(asked, results);
      if (asking === undefined || research === undefined || research.claims.length === 0) return {};
      await step(WEIGHING, async () => {
        const { weighWithModel } = await import('./with-model.ts');
        return weighWithModel(tools, { research, question }, asking);
      });
      return {};
    },
  };
}

/** What the steps of a run have found so far, and what a model made of it. */
function readSteps({ steps }: RunView, request: z.output<typeof Request>) {
  // Steps hold what the workflow stored.
  const split = steps.get(SPLITTING) as ModelStep<string[]> | undefined;
  const weighing = steps.get(WEIGHING) as ModelStep<GivenWeighing> | undefined;
  const results = askedCorpora(request).flatMap((corpus) => (steps.get(corpus) as CorpusResult | undefined) ?? []);
  const subquestions = split?.given ?? subquestionsOf(request.question);
  const research = conclude({ ...request, subquestions }, results);
  const checked = weighing?.given && addModelled(research, weighing.given, request.question);
  const modelled = [split, weighing].filter((step) => step !== undefined);
  const fallen =
    checked === undefined || checked.fallen === 0
      ? []
      : [`${counted(checked.fallen, 'statement')} of the model did not hold against the evidence`];
  return {
    found: checked ?? research,
    engine: checked?.isModelled === true ? `llm:${weighing?.model}` : 'deterministic',
    calls: results.flatMap((result) => result.calls),
    notes: [...modelled.flatMap(({ notes }) => notes), ...fallen],
    usage: usageOf(modelled.flatMap(({ spent }) => spent ?? [])),
  };
}

/** Tokens and cost of all tasks of a model; nothing without one. */
function usageOf(spent: readonly NonNullable<ModelStep<unknown>['spent']>[]): Record<string, unknown> {
  if (spent.length === 0) return {};
  const sum = (valueOf: (of: (typeof spent)[number]) => number): number =>
    spent.reduce((total, of) => total + valueOf(of), 0);
  const tokens = { input_tokens: sum((of) => of.inputTokens), output_tokens: sum((of) => of.outputTokens) };
  const hasCost = spent.some(({ cost }) => cost !== undefined);
  return { usage: { ...tokens, ...(hasCost && { cost: sum(({ cost = 0 }) => cost) }) } };
}

/** A run as it is: its report, or what is there of it already. @throws ServiceError what the run failed with. */
async function renderReport(
  tools: AgentTools,
  context: CallContext,
  { view, maxTokens }: { view: RunView; maxTokens: number },
): Promise<Answer> {
  const { kind, id, state, stage, pct, input, error } = view;
  if (kind !== RESEARCH) {
    throw new ServiceError('run_not_found', `run:${id} is not a research run.`, {
      fix: 'Ask the workflow that started it.',
    });
  }
  if (error !== null)
    throw new ServiceError(isCode(error.code) ? error.code : 'internal', error.message, { fix: error.fix });
  const request = Request.parse(input);
  const { found, engine, calls, notes, usage } = readSteps(view, request);
  // What follows the answers is for who wants all of it, or chose where to look; a model chose what stands before it.
  const isWhole = request.effort === 'deep' || request.corpora !== undefined || engine !== 'deterministic';
  const paragraphs = reportOf(found, isWhole);
  const reading = new Tools(tools, context, request.repo ?? '*');
  const verdicts = await verifyEntries(citedEntries(paragraphs), placeReader(reading));
  const isOfSeveral = reading.provenances.length > 1;
  const settled = settle(isOfSeveral ? nameRepositories(paragraphs) : paragraphs, verdicts);
  const files = new Set(found.ledger.entries.flatMap(({ path }) => path ?? []));
  const confidence = certaintyOf({ ...found, isModelled: engine !== 'deterministic' });
  const numbers = new Map(settled.sources.map((source) => [source.number, source.cited]));
  const run = { id: `run:${id}`, state, stage, pct, subquestions: found.subquestions };
  const report: Report = {
    ...settled,
    operation: NAME,
    provenances: reading.provenances,
    lead: leadOf(view, settled.sources.length),
    confidence,
    level: levelOf(confidence),
    gaps: [...lostParts(found, verdicts), ...found.gaps, ...notes],
    engine,
    lookedAt: { calls: calls.length, files: files.size },
    calls,
    next: found.actions,
    extra: { ...extraOf(found, numbers), ...usage, run },
  };
  return renderAnswer(report, maxTokens);
}

function leadOf({ id, state, stage, pct }: RunView, sources: number): string {
  if (state === 'running')
    return `The research goes on (${pct} %${stage === '' ? '' : `, ${describeStage(stage)}`}). What is there already follows; the rest: ${NAME} run_id="run:${id}"`;
  if (state === 'cancelled') return 'The research was cancelled. What was found until then:';
  return sources === 0 ? 'Nothing that was searched has an answer.' : '';
}

/** The step of a corpus is named by it; all else is said in words. */
function describeStage(stage: string): string {
  return CORPORA.some((corpus) => corpus === stage) ? `searching ${stage}` : stage;
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

/** The fields of the JSON form that only a research has. What lost its sources is not in it. */
function extraOf(found: Research, numbers: ReadonlyMap<number, number>): Record<string, unknown> {
  const citedBy = ({ sources }: Sentence): number[] => [
    ...new Set(sources.flatMap(({ number }) => numbers.get(number) ?? [])),
  ];
  const findings = found.findings.flatMap(({ claim, supported, sentence, corroboration }) => {
    const sources = citedBy(sentence);
    // What says the like is cited where it is told itself, and not for what this finding says.
    const alike = supported.flatMap(({ evidence }) => evidence.map((item) => found.ledger.add(item)));
    const supportedBy = citedBy({ text: '', sources: alike });
    const confidence = corroboration >= CORROBORATED ? 'high' : corroboration === 1 ? 'medium' : 'low';
    return sources.length === 0
      ? []
      : [{ claim: claim.text, corpus: claim.corpus, sources, confidence, corroboration, supported_by: supportedBy }];
  });
  return {
    findings,
    contradictions: found.contradictions.flatMap(({ found: { a, b, why }, a: first, b: second }) => {
      const [left, right] = [citedBy(first), citedBy(second)];
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
