import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Origin of weights. It is in their file, so that neither is changed without the other. */
interface ModelOrigin {
  /** Script that learnt them, from the top of the project. */
  script: string;
  /** Training data: the file that lists the projects, and a hash, of that list or of what was read from them. */
  corpus: { list: string; sha256: string };
  /** The day, UTC. */
  date: string;
  /** Measured quality. The script writes the same beside itself, with the hash of the weights. */
  metrics: Record<string, unknown>;
}

/** Hash of weights, without what is said about them. */
export function modelHash(model: object): string {
  const { origin: _, ...weights }: { origin?: unknown } = model;
  return sha256Of(weights);
}

/** Hash of a value as JSON, in its own order of keys. */
export function sha256Of(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Writes weights with their origin, and their figures with the hash of the weights to a file of their own. */
export function writeTrained(
  model: object,
  { modelFile, metricsFile, ...origin }: Omit<ModelOrigin, 'date'> & { modelFile: string; metricsFile: string },
): void {
  const date = new Date().toISOString().slice(0, 10);
  const { script, corpus, metrics } = origin;
  writeJson(modelFile, { origin: { script, corpus, date, metrics }, ...model });
  writeJson(metricsFile, { model_sha256: modelHash(model), ...metrics });
}

function writeJson(file: string, value: object): void {
  writeFileSync(join(ROOT, file), `${JSON.stringify(value, undefined, 2)}\n`);
}
