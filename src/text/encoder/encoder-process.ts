import { fileURLToPath } from 'node:url';
import { serveProcessTasks } from '../../platform/processes.ts';
import type { TextKind } from './encoder.ts';
import { loadEncoder } from './load-encoder.ts';

const MODELS = fileURLToPath(new URL('../../../models/', import.meta.url));

export interface EncoderTask {
  texts: readonly string[];
  kind: TextKind;
}

let encode: ReturnType<typeof loadEncoder> | undefined;

serveProcessTasks(({ texts, kind }: EncoderTask): Int8Array[] => {
  const loaded = (encode ??= loadEncoder(MODELS));
  return texts.map((text) => loaded(text, kind));
});
