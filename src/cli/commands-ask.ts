import { type Command, Option } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visible, visibleLines } from '../kernel/visible.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { ownCommand } from './own-command.ts';
import { wordsOf } from '../text/words.ts';

/** Fields that the command reads of an answer of an agent. */
interface AnswerJson {
  answer: string;
  sources: {
    n: number;
    id: string;
    path?: string;
    lines?: string;
    symbol?: string;
    /** Its lines. */
    text: string;
  }[];
  confidence: string;
  gaps: string[];
  engine: string;
  next?: string[];
  actions?: string[];
}

const OPERATIONS = {
  code: 'ask_codeIntelligenceAgent',
  product: 'ask_productInsightsAgent',
  architecture: 'ask_architectureInvestigationAgent',
  research: 'run_deepResearchWorkflow',
} as const;
type About = keyof typeof OPERATIONS;
/** Questions that stay in the repository of the checkout; others are about the product. */
const ABOUT_CODE: ReadonlySet<About> = new Set(['code', 'architecture']);

interface AskFlags {
  about: About;
  repo?: string;
  effort: string;
  quotes?: boolean;
}

/** The most that the agents take, for people who do not count tokens. */
const MOST_TOKENS = 8_000;
/** Number of sources whose lines are shown unless all are requested: the first ones of an answer. */
const QUOTES_SHOWN = 3;

/** `svc ask <question>`. */
export function addAskCommand<Flags>(program: Command, tools: PlanCommandTools<Flags>): void {
  const { common, repositoryHere, show, withClient } = tools;
  common(program.command('ask'))
    .argument('<question>', 'in quotation marks')
    .description('Ask about code, product or architecture; answers with sources')
    .addOption(new Option('--about <what>', 'who answers').choices(Object.keys(OPERATIONS)).default('code'))
    .option('--repo <name>', 'name or id, * for all of the product; default: the one of the checkout, if it has one')
    .addOption(
      new Option('--effort <effort>', 'how far to look').choices(['quick', 'standard', 'deep']).default('standard'),
    )
    .option('--quotes', 'show the lines of every source')
    .action((question: string, flags: Flags & AskFlags) =>
      withClient(flags, async (client) => {
        const { about, effort } = flags;
        const repo = ABOUT_CODE.has(about) ? await repositoryHere(client, { repo: flags.repo }) : flags.repo;
        const prompt = about === 'research' ? { question } : { message: question };
        const given = { ...prompt, effort, max_tokens: MOST_TOKENS, ...(repo !== undefined && { repo }) };
        const answer = await client
          .send<AnswerJson>('POST', `/v1/tools/${OPERATIONS[about]}`, given)
          .catch((error: unknown) => {
            throw ABOUT_CODE.has(about) ? withoutCode(error) : error;
          });
        show(flags, answer, () => answerText(answer, flags.quotes === true ? Infinity : QUOTES_SHOWN));
      }),
    );
}

/** Says, where there is no index to ask about, that customers and plans can be. */
function withoutCode(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'conflict') return error;
  const fix = `${error.fix} For what customers and plans say: ${ownCommand('ask --about product')}`;
  return new ServiceError(error.code, error.message, { fix });
}

/**
 * An answer as people read it in a terminal: the prose, what it rests on, what is missing, what to ask next. The first `shown`
 * sources that say more than their sentence does have their lines below them.
 */
export function answerText(result: AnswerJson, shown: number): string {
  const { answer, sources, confidence, gaps, engine, next = [], actions = [] } = result;
  const telling = new Set(sources.filter((source) => !saysAll(answer, source.text)).slice(0, shown));
  const listed = sources.map((source) => {
    const { n, id, path, lines, symbol = '' } = source;
    const within = lines === undefined ? path : `${path}:${lines}`;
    const location = path === undefined || id.startsWith(path) ? id : within;
    const head = visible(`[${n}] ${location}${symbol === '' ? '' : ` ${symbol}`}`);
    return telling.has(source) ? `${head}\n${visibleLines(source.text).replaceAll(/^/gm, '    ')}` : head;
  });
  const missing = gaps.map((gap) => visible(`- ${gap}`));
  const ahead = [...new Set([...next, ...actions])].map((action) => visible(`- ${action}`));
  return [
    visibleLines(answer),
    ...(listed.length === 0 ? [] : [listed.join('\n')]),
    ...(missing.length === 0 ? [] : [`Not known:\n${missing.join('\n')}`]),
    ...(ahead.length === 0 ? [] : [`Next:\n${ahead.join('\n')}`]),
    `Confidence: ${visible(confidence)} (${visible(engine)})`,
  ].join('\n\n');
}

/** True if a sentence has all words of a text: quoting the text below it would repeat it. */
function saysAll(sentence: string, text: string): boolean {
  return wordsIn(text).isSubsetOf(wordsIn(sentence));
}

function wordsIn(text: string): Set<string> {
  return new Set(wordsOf(text, 'word'));
}
