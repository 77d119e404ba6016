import type { AnyOperation } from '../../platform/operation/operation.ts';
import { askTool } from '../ask-tools.ts';
import type { AgentTools } from '../gather/tools.ts';
import { askProduct } from './product-agent.ts';

/** `ask_productInsightsAgent`: what customers want, what is planned or decided, how competitors moved. */
export function askProductTool(tools: AgentTools): AnyOperation {
  return askTool(tools, askProduct, {
    name: 'ask_productInsightsAgent',
    everywhere: '*',
    description:
      'Ask what customers want, what is planned or decided, and how competitors moved. Answers in short prose with [n] citations to verified sources, confidence and gaps.',
  });
}
