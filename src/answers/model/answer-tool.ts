import { parseJson } from '../../kernel/json.ts';
import type { Tool } from 'ai';
import { z } from 'zod';

const GivenAnswer = z.object({
  paragraphs: z
    .array(
      z.object({
        sentences: z.array(
          z.object({
            text: z.string().describe('One sentence, without numbers of evidence'),
            sources: z.array(z.int()).describe('Numbers of the evidence that says it'),
          }),
        ),
      }),
    )
    .describe('At most 250 words in all'),
});

/** Answer of a model: sentences, each with the numbers of its evidence. */
export type GivenAnswer = z.output<typeof GivenAnswer>;

/** An answer as text: what the tool takes, alone or in the call. */
const WrittenAnswer = z.union([
  GivenAnswer,
  z.object({ arguments: GivenAnswer }).transform((call) => call.arguments),
  z.object({ parameters: GivenAnswer }).transform((call) => call.parameters),
]);

/** The answer of a model that writes its call out instead of making it, as small ones do; undefined for prose. */
export function readWrittenCall(text: string): GivenAnswer | undefined {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return WrittenAnswer.safeParse(parseJson(json)).data;
}

export const ANSWER_TOOL = 'answer';

/** The tool by which a model gives its answer. */
export function answerTool(take: (answer: GivenAnswer) => void): Tool {
  return formTool('Give the answer. Call it once, when the evidence suffices.', GivenAnswer, take);
}

/**
 * A tool that takes what a model gives in a shape. A tool and no format of the reply: services that answer in a format that is asked
 * for often call no tools then, and some refuse it; whatever calls tools can call this one. What has another shape is refused by
 * the client, which tells the model why.
 */
export function formTool<Form extends z.ZodType>(
  description: string,
  form: Form,
  take: (given: z.output<Form>) => void,
): Tool {
  const tool: Tool<z.output<Form>, string> = {
    description,
    inputSchema: form as z.ZodType<z.output<Form>>,
    execute: async (given) => {
      take(given);
      return 'It is taken.';
    },
  };
  return tool;
}
