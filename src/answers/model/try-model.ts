import type { ModelProvider, TokenCount } from '../../platform/language-model.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { AgentTools } from '../../evidence/evidence.ts';

/** A model did not answer as it should. Its message holds nothing that was sent, and no key. */
export class ModelFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelFailed';
  }
}

/** Cost limit of one task of a model, and the recipient of its usage. */
export interface Spending {
  /** In the currency of the price: no round begins beyond it. */
  mostCost: number;
  /** Receives the usage once, also when the task failed or was cancelled. */
  record: (spent: TokenCount) => Promise<void>;
}

/**
 * Has a model do a task with what the API key may still spend. Gives nothing, and a note that says why, when the model fails: what
 * is made without it takes its place. That its cost could not be stored is noted and logged, and fails nothing.
 *
 * @throws the reason of the signal, and what is no failure of the model.
 */
export async function tryModel<Result>(
  { budget, onFault }: Pick<AgentTools, 'budget' | 'onFault'>,
  { model, caller }: { model: ModelProvider; caller: CallContext['caller'] },
  task: (spending: Spending) => Promise<Result>,
): Promise<{ result?: Result; notes: string[] }> {
  const notes: string[] = [];
  const record: Spending['record'] = async (spent) => {
    try {
      await budget.record(caller, model, spent);
    } catch (error) {
      onFault(error, 'what a language model cost could not be stored');
      notes.push(`the tokens that ${model.model} took could not be stored, and do not count`);
    }
  };
  try {
    const mostCost = await moneyLeft(() => budget.left(caller, model), onFault);
    const result = await task({ mostCost, record });
    return { result, notes };
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    return { notes: [`answered without the model ${model.model}: ${error.message}`, ...notes] };
  }
}

async function moneyLeft(read: () => Promise<number>, onFault: AgentTools['onFault']): Promise<number> {
  try {
    return await read();
  } catch (error) {
    onFault(error, 'what an API key may still spend could not be read');
    throw new ModelFailed('what the API key may still spend could not be read');
  }
}
