/** A language model as an engine of answers: how it is called, what it may cost, and what becomes of its text. */
export { ANSWER_TOOL, answerTool, formTool, type GivenAnswer, readWrittenCall } from './answer-tool.ts';
export { askModel } from './ask-model.ts';
export { modelText } from './model-text.ts';
export { ModelUsage } from './model-usage.ts';
export { ModelFailed, type Spending, tryModel } from './try-model.ts';
