import { type AgentTools, Operations, renderBrief } from '../evidence/evidence.ts';
import { writeFeedbackBrief } from '../evidence/feedback/feedback.ts';
import { type AnyOperation, defineOperation } from '../platform/operation/operation.ts';
import { ASK_ALIASES, AskInput, checkQuestion } from './ask-input.ts';
import { writeWithModel } from './write-with-model.ts';

const NAME = 'ask_productInsightsAgent';

/** `ask_productInsightsAgent`: what customers say, in numbers and quotes, what is planned or decided, how competitors moved. */
export function askProductTool(tools: AgentTools): AnyOperation {
  return defineOperation({
    name: NAME,
    description:
      'Ask what customers want, how many, what is new, what is planned or decided, and how competitors moved. Returns evidence: computed facts, ranked places with lines, commits, gaps, next calls; prose only if a model is set.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: AskInput,
    aliases: ASK_ALIASES,
    async run(context, args) {
      const text = checkQuestion(NAME, 'message', args.message);
      const operations = new Operations(tools, context, args.repo);
      const brief = await writeFeedbackBrief(operations, text, { now: context.now(), encoder: tools.encoder });
      return renderBrief(
        NAME,
        await writeWithModel(tools, { question: text, brief, operations, context }),
        args.max_tokens,
      );
    },
  });
}
