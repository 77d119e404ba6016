import { z } from 'zod';
import { ServiceError } from '../../kernel/errors.ts';
import { type Answer, type AnyOperation, type CallScope, defineOperation } from '../../platform/operation/operation.ts';
import { FORMAT_FIELD } from '../../platform/operation/paged-tool.ts';
import { renderAnswer, type Report } from '../answer.ts';
import { placeReader } from '../gather/place-reader.ts';
import { type AgentTools, Tools } from '../gather/tools.ts';
import { verifyEntries } from '../ledger/verify.ts';
import type { Sentence } from '../prose/prose.ts';
import { settle } from '../prose/settle.ts';
import { levelOf } from '../confidence.ts';
import { CORPORA } from './collect.ts';
import { reportOf, research, type Research } from './research.ts';

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

const NAME = 'run_deepResearchWorkflow';
const LONGEST_QUESTION = 4_000;
/** So many voices that say the like make a finding certain, and one makes it likely. */
const CORROBORATED = 2;

/** `run_deepResearchWorkflow`: a question over all corpora, with what speaks for and against, when, and what is not known. */
export function deepResearchTool(tools: AgentTools): AnyOperation {
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
    run: (scope, args) => answer(tools, scope, args),
  });
}

async function answer(tools: AgentTools, scope: CallScope, args: ResearchArguments): Promise<Answer> {
  const { corpora, since, effort, max_tokens: maxTokens } = args;
  const repo = args.repo === '' ? undefined : args.repo;
  const used = new Tools(tools, scope, repo);
  const request = { question: questionOf(args), corpora, since: since === '' ? undefined : since, effort };
  const found = await research(used, request, (_name, work) => work());
  const verdicts = await verifyEntries(found.ledger.entries, placeReader(new Tools(tools, scope, repo)));
  const settled = settle({ paragraphs: reportOf(found) }, verdicts);
  const confidence = confidenceOf(found);
  const files = new Set(found.ledger.entries.flatMap(({ path }) => path ?? []));
  const report: Report = {
    ...settled,
    operation: NAME,
    provenances: used.provenances,
    lead: settled.sources.length === 0 ? 'Nothing that was searched has an answer.' : '',
    confidence,
    level: levelOf(confidence),
    gaps: found.gaps,
    engine: 'deterministic',
    lookedAt: { calls: used.calls.length, files: files.size },
    calls: used.calls,
    next: found.actions,
    extra: extraOf(found, new Map(settled.sources.map((source) => [source.number, source.cited]))),
  };
  return renderAnswer(report, maxTokens);
}

/** @throws ServiceError `run_not_found`, and `bad_argument` for a question without words or a long one. */
function questionOf({ question = '', run_id: run = '' }: ResearchArguments): string {
  const fix = `Ask in a sentence: ${NAME} question="How are refunds paid, and what do customers say?"`;
  if (run !== '') throw new ServiceError('run_not_found', `There is no run "${run.slice(0, 80)}".`, { fix });
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
    run: { state: 'done', subquestions: found.subquestions },
  };
}
