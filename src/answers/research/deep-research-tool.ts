import { z } from 'zod';
import { Operations, renderBrief } from '../../evidence/evidence.ts';
import type { Brief } from '../../evidence/model/brief.ts';
import { Citations } from '../../evidence/model/citations.ts';
import { type AnyOperation, type CallContext, defineOperation } from '../../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../../platform/operation/paged-tool.ts';
import { checkQuestion } from '../ask-input.ts';
import type { AskParts } from '../ask-tools.ts';
import { checkRun, type Runs, type RunView, type Workflow } from '../runs/runs.ts';
import { writeWithModel } from '../write-with-model.ts';
import { requestedCorpora, collect, CORPORA, type CorpusResult } from './collect.ts';
import { conclude, type Conclusion } from './conclude.ts';
import { sentencesOf, type Split, splitWithModel } from './split-question.ts';

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

/** Request that begins a run and is stored with it. */
const Request = ResearchInput.pick({ corpora: true, repo: true, since: true, effort: true }).extend({
  question: z.string(),
});
type Request = z.output<typeof Request>;

const NAME = 'run_deepResearchWorkflow';
const RESEARCH = 'deep_research';
/** The steps of a model, as people read them. */
const SPLITTING = 'splitting the question';
const WRITING = 'writing the answer';
/** Clients give up at 60 s and calls end at 45: a run that takes longer is shown as far as it is then. */
const WAIT_MS = 30_000;

/** Text that a model wrote from the sources. Plain data: a step of a run stores it. */
type Written = Pick<Brief, 'answer' | 'sources' | 'gaps' | 'engine'> & { usage?: Record<string, number> };

/** `run_deepResearchWorkflow`: a question over all corpora: findings, what supports them, what differs, when, what is missing. */
export function deepResearchTool({ parts, runs }: { parts: AskParts; runs: Runs }): AnyOperation {
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
        given === ''
          ? await runs.start(context.caller, RESEARCH, {
              ...request,
              question: checkQuestion(NAME, 'question', args.question ?? ''),
            })
          : given;
      const progress: typeof context.progress = (done, total, stage) =>
        context.progress(done, total, describeStage(stage));
      const view = await runs.wait(id, { ...context, progress, waitMs: WAIT_MS });
      return renderBrief(NAME, await briefOf(parts, context, view), args.max_tokens);
    },
  });
}

/**
 * The work of a research: a step a corpus, and with a model one before them that splits the question and one behind them that writes
 * from what was found. A run that goes on after its process ended searches no corpus twice.
 */
export function researchWorkflow(parts: AskParts, now: () => Date): Workflow {
  const { tools, indexes } = parts;
  const { model } = tools;
  return {
    kind: RESEARCH,
    steps: model === undefined ? CORPORA : [SPLITTING, ...CORPORA, WRITING],
    run: async ({ input, caller, signal, step }) => {
      const request = Request.parse(input);
      const { question, effort, repo } = request;
      const context = { caller, signal, now, progress: () => undefined };
      const split = model && (await step(SPLITTING, () => splitWithModel(tools, question, { model, caller, signal })));
      const subquestions = split?.parts ?? sentencesOf(question);
      const results: CorpusResult[] = [];
      for (const corpus of requestedCorpora(request))
        results.push(await step(corpus, () => collect(parts, context, { corpus, request, subquestions })));
      if (model === undefined) return {};
      await step(WRITING, async (): Promise<Written> => {
        const repositories = await indexes.repositories(caller, repo ?? '*');
        const provenances = repositories.map(({ provenance }) => provenance);
        const brief = conclude({ question, subquestions, effort, results, provenances });
        const operations = new Operations(tools, context, repo ?? '*');
        const { answer, sources, gaps, engine, extra } = await writeWithModel(tools, {
          question,
          brief,
          operations,
          context,
        });
        const usage = extra?.['usage'] as Written['usage'];
        return { answer, sources, gaps, engine, ...(usage !== undefined && { usage }) };
      });
      return {};
    },
  };
}

/** A run as far as it is. @throws ServiceError what it failed with, and `run_not_found` for a run of something else. */
async function briefOf({ indexes }: AskParts, { caller }: CallContext, view: RunView): Promise<Brief> {
  const { id, input, steps } = view;
  checkRun(view, { kind: RESEARCH, what: 'a research run' });
  const request = Request.parse(input);
  const repositories = await indexes.repositories(caller, request.repo ?? '*');
  // Steps hold what the workflow stored.
  const split = steps.get(SPLITTING) as Split | undefined;
  const written = steps.get(WRITING) as Written | undefined;
  const subquestions = split?.parts ?? sentencesOf(request.question);
  const brief = conclude({
    ...request,
    subquestions,
    results: requestedCorpora(request).flatMap((corpus) => (steps.get(corpus) as CorpusResult | undefined) ?? []),
    provenances: repositories.map(({ provenance }) => provenance),
  });
  const lead = leadOf(view);
  const { answer, sources, engine } = written ?? brief;
  return {
    ...brief,
    answer: lead === '' ? answer : [{ sentence: lead, cites: [] }, ...answer],
    sources,
    engine,
    gaps: [...(written?.gaps ?? brief.gaps), ...(split?.notes ?? [])],
    extra: {
      ...(written === undefined || engine === 'evidence' ? brief.extra : withWritten(brief.extra, brief, written)),
      ...sumUsage(split?.usage, written?.usage),
      run: { id: `run:${id}`, state: view.state, stage: view.stage, pct: view.pct, subquestions },
    },
  };
}

/** Returns the conclusion in the numbers of a model's sources, with its verified sentences as the first findings. */
function withWritten(conclusion: Conclusion, brief: Brief, { answer, sources }: Written): Conclusion {
  const citations = new Citations(sources);
  const renumber = (old: readonly number[]): number[] =>
    old.flatMap((number) => {
      const source = brief.sources[number - 1];
      return source === undefined ? [] : (citations.numberOf(source) ?? []);
    });
  const cited = <Item extends { claim: string; sources: number[] }>(item: Item): Item => ({
    ...item,
    sources: renumber(item.sources),
  });
  const claims = answer
    .filter(({ sentence, cites }) => cites.length > 0 && !sentence.startsWith('unverified:'))
    .map(({ sentence, cites }) => ({
      claim: sentence,
      sources: [...cites],
      confidence: cites.length > 1 ? ('high' as const) : ('medium' as const),
      corroboration: cites.length - 1,
      supported_by: [],
    }));
  return {
    ...conclusion,
    findings: [
      ...claims,
      ...conclusion.findings.map((finding) => ({ ...cited(finding), supported_by: renumber(finding.supported_by) })),
    ],
    contradictions: conclusion.contradictions.map(({ a, b, why }) => ({ a: cited(a), b: cited(b), why })),
    timeline: conclusion.timeline.map(cited),
  };
}

/** Sums tokens and cost of all tasks of a model; nothing without one. */
function sumUsage(...tasks: readonly (Record<string, number> | undefined)[]): { usage?: Record<string, number> } {
  const usage: Record<string, number> = {};
  for (const [field, value] of tasks.flatMap((task) => Object.entries(task ?? {})))
    usage[field] = (usage[field] ?? 0) + value;
  return Object.keys(usage).length === 0 ? {} : { usage };
}

function leadOf({ id, state, stage, pct }: RunView): string {
  if (state === 'running')
    return `The research goes on (${pct} %${stage === '' ? '' : `, ${describeStage(stage)}`}). What is there already follows; for the rest: ${NAME} run_id="run:${id}"`;
  return state === 'cancelled' ? 'The research was cancelled. What was found until then:' : '';
}

/** Describes a stage: the step of a corpus has its name; all others are in words. */
function describeStage(stage: string): string {
  return CORPORA.some((corpus) => corpus === stage) ? `searching ${stage}` : stage;
}
