import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { defineOperation, type AnyOperation } from '../platform/operation/operation.ts';

/** Number of `waiting` calls by state so far. */
export interface Witness {
  started: number;
  cancelled: number;
}

/** Operations for tests of the doors: one that answers, one that waits to be cancelled, one that fails as asked. */
export function testOperations(witness: Witness = { started: 0, cancelled: 0 }): AnyOperation[] {
  return [echo(), waitingOperation(witness), failingOperation()];
}

/** Answers with what it was given, and reports `steps` steps of progress. */
function echo(): AnyOperation {
  return defineOperation({
    name: 'echo-tool',
    description: 'Gives back what it is given.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: z.object({
      action: z.enum(['say', 'shout']).describe('How'),
      query: z.string().optional().describe('Words'),
      kind: z.array(z.string()).optional().describe('Kinds'),
      steps: z.int().min(0).max(5).default(0).describe('Steps of progress'),
      size: z.int().min(1).max(1_000_000).default(1).describe('How often the words come'),
      format: z.enum(['text', 'json']).default('text').describe('json only for programs'),
    }),
    aliases: { query: ['q', 'text', 'kind'] },
    async run(context, args) {
      for (let step = 1; step <= args.steps; step++) context.progress(step, args.steps, `step ${step}`);
      const words = (args.query ?? '').repeat(args.size);
      const phrase = args.action === 'shout' ? words.toUpperCase() : words;
      return {
        text: `echo-tool ${args.action} · ${context.caller.productId}\n${phrase}`,
        json: { op: 'echo-tool', action: args.action, product: context.caller.productId, rows: [{ said: phrase }] },
      };
    },
  });
}

/** Ends only when its signal does. */
function waitingOperation(witness: Witness): AnyOperation {
  return defineOperation({
    name: 'run_waitingWorkflow',
    description: 'Waits until it is cancelled.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    input: z.object({}),
    aliases: {},
    async run(context) {
      witness.started++;
      context.progress(1, 10, 'waiting');
      await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve(), { once: true }));
      witness.cancelled++;
      context.signal.throwIfAborted();
      return { text: 'never', json: {} };
    },
  });
}

function failingOperation(): AnyOperation {
  return defineOperation({
    name: 'failing-tool',
    description: 'Fails as asked.',
    annotations: { readOnlyHint: false, openWorldHint: false },
    scope: 'decisions:write',
    input: z.object({ how: z.enum(['expected', 'bug', 'full']) }),
    aliases: {},
    async run(_scope, { how }) {
      if (how === 'full') throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      if (how === 'bug') throw new TypeError('a secret detail of the inside');
      throw new ServiceError('unknown_repo', 'There is no repository "shop".', {
        fix: 'code-tool outline repo="store"',
      });
    },
  });
}
