import { z } from 'zod';
import { FileFacts } from '../../commits/commits.ts';
import type { Indexes } from '../../indexes/indexes.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { type AnyOperation, type AskOperation, defineOperation } from '../../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../../platform/operation/paged-tool.ts';
import { analyse } from './analyse.ts';
import { BUG_OPERATION, renderAnalysis } from './bug-answer.ts';

/** Longest report, in characters: a megabyte of log holds no more than its ends. */
const LONGEST_REPORT = 1_000_000;

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
export function bugAnalysisTool({ indexes, tools }: { indexes: Indexes; tools: { ask: AskOperation } }): AnyOperation {
  const facts = new FileFacts(indexes);
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
    async run(scope, args) {
      const report = reportOf(args);
      const [repository, other] = await indexes.repositories(scope.caller, args.repo);
      if (repository === undefined || other !== undefined) {
        throw new ServiceError('bad_argument', 'A report is analysed in one repository.', {
          fix: `Name it: ${BUG_OPERATION} repo="${repository?.provenance.repo ?? ''}" report="…"`,
        });
      }
      const { since, paths = [], top_k: suspects } = args;
      const analysis = await analyse({ indexes, ask: tools.ask, facts }, scope, {
        repository,
        request: { report, since: since === '' ? undefined : since, paths, suspects },
      });
      return renderAnalysis(analysis, args.max_tokens);
    },
  });
}

/** @throws ServiceError `bad_argument` for a report without words, and for one that is too long; `run_not_found`. */
function reportOf({ report = '', run_id: runId = '' }: BugArguments): string {
  if (runId !== '') {
    throw new ServiceError('run_not_found', `There is no run ${runId}.`, {
      fix: `Send the report again: ${BUG_OPERATION} report="…"`,
    });
  }
  const fix = `Send what was reported: ${BUG_OPERATION} report="TypeError: cannot read …"`;
  if (!/[\p{L}\p{N}]/u.test(report)) throw new ServiceError('bad_argument', 'The report has no words.', { fix });
  if (report.length <= LONGEST_REPORT) return report;
  throw new ServiceError('bad_argument', `The report is longer than ${LONGEST_REPORT} characters.`, {
    fix: 'Send the part with the error, its trace and the steps that lead there.',
  });
}
