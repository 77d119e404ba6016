import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodedText } from '../../src/knowledge/encoded-text.ts';
import { classProbabilities, openWeights, type TrainedIntentHead } from '../../src/signals/language/intent-head.ts';
import { BUILT_IN_MODEL } from '../../src/text/encoder/built-in-encoder.ts';
import { loadEncoder } from '../../src/text/encoder/load-encoder.ts';
import { unitVector } from '../../src/text/encoder/vector.ts';
import { type Fit, fitSoftmax, type Softmax } from '../classify/softmax.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { readIntentMessages } from './intents.ts';

/**
 * Learns what messages want from `intents.jsonl`, messages written for it in seven languages, and writes
 * `src/signals/language/intent-head.json`: `node lab/feedback/train-intent.ts`. The figures are those of messages that a head
 * was not learnt from, in five parts. About half a minute.
 */

/** Components of vectors differ by about a fortieth of their length: weights near 1 fit the decay. */
const SCALE = 40;
const FIT: Fit = { leastExamples: 1, mostFeatures: 1_000, rounds: 30, rate: 0.05, decay: 0.05, balance: 1 };
const PARTS = 5;
/** Least probability of a class that is shown: of 600 reviews of apps that nothing was learnt from, macro F1 is highest at it. */
const LEAST = 0.45;
const LARGEST_BYTE = 127;

type Head = Omit<TrainedIntentHead, 'least'>;
interface Example {
  vector: Int8Array;
  intent: string;
}

const encode = loadEncoder(join(import.meta.dirname, '../../models'));
const messages = readIntentMessages();
const classes = [...new Set(messages.map(({ intent }) => intent))].toSorted();
const examples = messages.map(({ text, intent }): Example => {
  return { vector: encode(encodedText(text, 'query'), 'query'), intent };
});
const estimates = examples.map((): { intent: string; probability: number } => ({ intent: '', probability: 0 }));
for (let part = 0; part < PARTS; part += 1) {
  const head = learn(examples.filter((_, at) => at % PARTS !== part));
  for (const [at, { vector }] of examples.entries()) if (at % PARTS === part) estimates[at] = estimate(vector, head);
}
const corpus = { list: 'lab/feedback/intents.jsonl', sha256: sha256Of(messages) };
writeTrained({ ...learn(examples), least: LEAST } satisfies TrainedIntentHead, {
  modelFile: 'src/signals/language/intent-head.json',
  metricsFile: 'lab/feedback/intent-metrics.json',
  script: 'lab/feedback/train-intent.ts',
  corpus,
  metrics: { messages: messages.length, shown_from: LEAST, ...figuresOf() },
});
console.log(readFileSync(join(import.meta.dirname, 'intent-metrics.json'), 'utf8'));

function learn(rows: readonly Example[]): Head {
  const directions = rows.map(({ vector }) => unitVector(vector));
  const mean = Float64Array.from(directions[0] ?? [], (_, at) => {
    return directions.reduce((sum, direction) => sum + (direction[at] ?? 0), 0) / directions.length;
  });
  const labelled = rows.map(({ intent }, row) => {
    const features = new Map(
      Array.from(mean, (value, at) => [`${at}`, SCALE * ((directions[row]?.[at] ?? 0) - value)]),
    );
    return { features, label: intent };
  });
  return pack(fitSoftmax(labelled, classes, FIT), mean);
}

/** Weights in bytes; the mean that vectors were learnt without is part of the bias. */
function pack({ features, weights }: Softmax, mean: Float64Array): Head {
  const weightOf = (name: string | undefined, at: number): number => {
    const row = name === undefined ? features.size : (features.get(name) ?? -1);
    return weights[row * classes.length + at] ?? 0;
  };
  const rows = classes.flatMap((_, at) => Array.from(mean, (_value, index) => SCALE * weightOf(`${index}`, at)));
  const unit = Math.max(...rows.map(Math.abs)) / LARGEST_BYTE;
  const bytes = Int8Array.from(rows, (weight) => Math.round(weight / unit));
  const bias = classes.map((_, at) => {
    const ofMean = mean.reduce((sum, value, index) => sum + value * unit * (bytes[at * mean.length + index] ?? 0), 0);
    return Number((weightOf(undefined, at) - ofMean).toFixed(4));
  });
  return { model: BUILT_IN_MODEL, classes, weights: Buffer.from(bytes.buffer).toString('base64'), unit, bias };
}

function estimate(vector: Int8Array, head: Head): { intent: string; probability: number } {
  const probabilities = classProbabilities(vector, head, openWeights(head));
  const probability = Math.max(...probabilities);
  return { intent: classes[probabilities.indexOf(probability)] ?? '', probability };
}

function figuresOf(): { macro_f1: number; shown: number; right_of_shown: number } {
  const wants = examples.map(({ intent }) => intent);
  const shown = estimates.map((row) => (row.probability < LEAST ? 'other' : row.intent));
  const scores = classes.map((intent) => {
    const both = wants.filter((want, at) => want === intent && shown[at] === intent).length;
    const either = [...wants, ...shown].filter((other) => other === intent).length;
    return (2 * both) / Math.max(1, either);
  });
  const named = [...shown.keys()].filter((at) => shown[at] !== 'other');
  const right = named.filter((at) => shown[at] === wants[at]).length;
  const all = wants.filter((want) => want !== 'other').length;
  return {
    macro_f1: rounded(scores.reduce((sum, score) => sum + score, 0) / classes.length),
    shown: rounded(named.length / all),
    right_of_shown: rounded(right / Math.max(1, named.length)),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
