import { messageFeatures } from '../../src/signals/language/message-features.ts';
import { MessageModel, type TrainedMessageModel } from '../../src/signals/language/message-model.ts';
import { type Fit, fitSoftmax, type Softmax } from '../classify/softmax.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { messages } from './corpus.ts';
import { type Labelled, readIntents } from './messages.ts';

/**
 * Learns what messages want, in English, and writes `src/signals/language/intent-model.json`:
 * `FEEDBACK_MIRROR=<folder of <owner>+<name>/repo> node bench/feedback/train-messages.ts`. The figures are those of the
 * fifth of the messages that a first model has not seen; it also decides from which probability on a class is said.
 * About two minutes.
 */

const FIT: Fit = { leastExamples: 4, mostFeatures: 14_000, rounds: 8, rate: 0.15, decay: 5e-4, balance: 1 };
const HELD = 5;
/** A class is said when it is right so often. */
const RIGHT = 0.5;

const mirror = process.env['FEEDBACK_MIRROR'];
if (mirror === undefined) throw new Error('Set FEEDBACK_MIRROR; the head of this script says to what.');
const hash = sha256Of(messages);
const origin = {
  script: 'bench/feedback/train-messages.ts',
  corpus: { list: 'bench/feedback/corpus.ts', sha256: hash },
};
const intent = learn(readIntents(mirror));
writeTrained(intent.model, {
  ...origin,
  metrics: intent.metrics,
  modelFile: 'src/signals/language/intent-model.json',
  metricsFile: 'bench/feedback/intent-metrics.json',
});

function learn(examples: readonly Labelled[]): { model: TrainedMessageModel; metrics: Record<string, unknown> } {
  const classes = [...new Set(examples.map(({ label }) => label))].toSorted();
  const rows = examples.map(({ text, label, source }) => ({ features: messageFeatures(text), label, source }));
  const held = rows.filter((_, at) => at % HELD === 0);
  const first = new MessageModel(
    pack(
      fitSoftmax(
        rows.filter((_, at) => at % HELD !== 0),
        classes,
        FIT,
      ),
      1,
      0,
    ),
  );
  const said = held.map(({ features, label }) => ({ ...first.verdict(features), label }));
  const least = leastOf(said);
  const metrics = {
    corpus_sha256: hash,
    messages: examples.length,
    said_from: least,
    of_messages_kept_back: figures(said, classes),
    by_source: Object.fromEntries(
      [...new Set(rows.map(({ source }) => source))].map((source) => [
        source,
        figures(
          said.filter((_, at) => held[at]?.source === source),
          classes,
        ),
      ]),
    ),
  };
  console.log(JSON.stringify(metrics, undefined, 1));
  return { model: pack(fitSoftmax(rows, classes, FIT), 1, least), metrics };
}

type Said = { said: string | undefined; probability: number; label: string };

/** The least probability at and above which the likeliest class is right often enough. */
function leastOf(said: readonly Said[]): number {
  const steps = Array.from({ length: 13 }, (_, at) => 0.35 + at / 20);
  const isRight = (least: number): boolean => {
    const near = said.filter(({ probability }) => probability >= least && probability < least + 0.1);
    return near.filter((neighbour) => neighbour.said === neighbour.label).length >= RIGHT * near.length;
  };
  return Math.round(100 * (steps.find(isRight) ?? 1)) / 100;
}

function figures(said: readonly Said[], classes: readonly string[]): Record<string, number> {
  const scores = classes.flatMap((label) => {
    const right = said.filter((row) => row.said === label && row.label === label).length;
    const [told, are] = [
      said.filter((row) => row.said === label).length,
      said.filter((row) => row.label === label).length,
    ];
    return are === 0 ? [] : [(2 * right) / Math.max(1, told + are)];
  });
  const right = said.filter((row) => row.said === row.label).length;
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  return { messages: said.length, accuracy: roundValue(right / Math.max(1, said.length)), macro_f1: roundValue(mean) };
}

function pack({ classes, features, weights }: Softmax, sharpness: number, least: number): TrainedMessageModel {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const unit = largest / 127;
  const names = [...features.keys()];
  // A line of the list is a feature: none holds a line end.
  if (names.some((name) => name.includes('\n'))) throw new Error('A feature has two lines.');
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / unit));
  return {
    classes,
    features: names.join('\n'),
    weights: Buffer.from(bytes.buffer).toString('base64'),
    unit,
    sharpness,
    least,
  };
}

function roundValue(value: number): number {
  return Math.round(1000 * value) / 1000;
}
