import { z } from 'zod';
import type { Indexes } from '../../indexes/indexes.ts';
import { ServiceError } from '../../kernel/errors.ts';
import {
  type Answer,
  type AnyOperation,
  type CallContext,
  defineOperation,
} from '../../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../../platform/operation/paged-tool.ts';
import { checkRun, type Runs, type RunView } from '../runs/runs.ts';
import { analysisOf, BUG_ANALYSIS, BugRequest } from './analyse.ts';
import { BUG_OPERATION, type RunLine, renderAnalysis, renderWaiting } from './bug-answer.ts';
import { chooseRepository } from './choose-repository.ts';
import { readReport } from '../../localise/localise.ts';

/** Longest report, in characters: a megabyte of log holds no more than its ends. */
const LONGEST_REPORT = 1_000_000;
/** Clients give up at 60 s and calls end at 45: a longer analysis is reported in its current state. */
const WAIT_MS = 35_000;

const BugInput = z.object({
  report: z.string().optional().describe('Bug report, stack trace or failing test output'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  since: z.string().optional().describe('Last good ref or date'),
  paths: z.array(z.string()).optional().describe('Suspected paths'),
  top_k: z.int().min(1).max(20).default(5).describe('Suspects'),
  run_id: z.string().optional().describe('Fetch or continue a run'),
  max_tokens: z.int().min(500).max(20_000).default(4000).describe('Response budget'),
  format: FORMAT_FIELD,
});

type BugArguments = z.output<typeof BugInput>;

/** `run_bugAnalysisWorkflow`: from a report to ranked suspects, who wrote them, hypotheses and a plan. */
export function bugAnalysisTool(parts: { indexes: Indexes; runs: Runs }): AnyOperation {
  return defineOperation({
    name: BUG_OPERATION,
    description:
      'Localise a bug: ranked suspect files and symbols, suspect commits, hypotheses with evidence for and against and a test for each, similar past fixes, fix plan. Slow runs return run_id; call again with it.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: BugInput,
    aliases: {
      report: ['message', 'bug', 'error', 'description', 'query', 'text', 'issue', 'trace', 'stack_trace', 'log'],
      repo: ['repository', 'repo_name', 'project'],
      paths: ['path', 'files'],
      top_k: ['limit', 'k'],
      max_tokens: ['maxTokens'],
    },
    run: (context, args) => answer(parts, context, args),
  });
}

async function answer(
  { indexes, runs }: { indexes: Indexes; runs: Runs },
  { caller, signal, progress }: CallContext,
  args: BugArguments,
): Promise<Answer> {
  const { run_id: given = '', repo, since, paths = [], top_k: suspects } = args;
  let id = given;
  if (given === '') {
    const report = reportOf(args);
    // What cannot be analysed fails before a run begins.
    const { provenance } = await chooseRepository(indexes, { caller, signal }, { report: readReport(report), repo });
    signal.throwIfAborted();
    const request: BugRequest = {
      report,
      repo: provenance.repo,
      since: since === '' ? undefined : since,
      paths,
      suspects,
    };
    id = await runs.start(caller, BUG_ANALYSIS, request);
  }
  return renderView(await runs.wait(id, { caller, signal, waitMs: WAIT_MS, progress }), args.max_tokens);
}

/** @throws ServiceError what the run failed with, and `run_not_found` for a run of something else. */
function renderView(view: RunView, maxTokens: number): Answer {
  checkRun(view, { kind: BUG_ANALYSIS, what: 'a bug analysis' });
  const run: RunLine = { id: `run:${view.id}`, state: view.state, stage: view.stage, pct: view.pct };
  const analysis = analysisOf(BugRequest.parse(view.input), view.steps);
  return analysis === undefined ? renderWaiting(run) : renderAnalysis(analysis, run, maxTokens);
}

/** @throws ServiceError `bad_argument` for a report without words, and for one that is too long. */
function reportOf({ report = '' }: BugArguments): string {
  const fix = `Send what was reported: ${BUG_OPERATION} report="TypeError: cannot read …"`;
  if (!/[\p{L}\p{N}]/u.test(report)) throw new ServiceError('bad_argument', 'The report has no words.', { fix });
  if (report.length <= LONGEST_REPORT) return report;
  throw new ServiceError('bad_argument', `The report is longer than ${LONGEST_REPORT} characters.`, {
    fix: 'Send the part with the error, its trace and the steps to reproduce it.',
  });
}
