import { classifyCommit } from '../../src/commits/classify/classify.ts';
import type { CommitFile } from '../../src/commits/classify/classify-features.ts';
import { openGraders } from '../eval/graders.ts';

const USAGE = `EVAL_DIR=<folder of the graders> EVAL_MIRROR=<folder of mirrors> node lab/classify/grade.ts

Classifies the development cases of the graders, whose messages have lost their types, and prints one line: ours, then each
baseline. Of an unclassified commit the likelier type is taken, because the graders want an answer.`;

/** A case: `add` and `del` are lines. */
interface ClassifyInput {
  id: string;
  subject: string;
  body: string;
  files: { path: string; status: string; add: number; del: number }[];
}

const folder = process.env['EVAL_DIR'];
if (folder === undefined) {
  console.log(USAGE);
  process.exitCode = 1;
} else await main(folder);

async function main(graders: string): Promise<void> {
  const task = await openGraders(graders, 'classify');
  // The inputs of this task have other fields than those about a snapshot.
  const inputs = (await task.inputs()) as unknown as ClassifyInput[];
  const predictions = inputs.map(({ id, subject, body, files }) => {
    const changed = files.map(({ path, status, add, del }): CommitFile => ({ path, status, added: add, deleted: del }));
    return { id, ...classifyCommit({ subject, body, files: changed }) };
  });
  const graded = await task.grade(predictions.map(({ id, type, best }) => ({ id, type: best?.[0] ?? type })));
  console.log(`classify ours: ${graded.line}`);
  for (const baseline of task.baselines()) console.log(`classify baseline ${baseline}`);
  const right = new Map(graded.rows.map(({ id, v }) => [id, v]));
  const sure = predictions.filter(({ confidence }) => confidence >= 0.8);
  const correct = sure.filter(({ id }) => right.get(id) === 1).length;
  console.log(`at a confidence of 0.8 or more: ${sure.length} of ${predictions.length}, ${correct} as the author says`);
  if (task.absent.length > 0) console.log(`not here, left out: ${task.absent.join(', ')}`);
}
