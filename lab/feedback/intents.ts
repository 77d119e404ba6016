import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A message that was written to show what messages want. */
interface IntentMessage {
  intent: string;
  language: string;
  text: string;
}

/** The messages of `intents.jsonl`, one a line. */
export function readIntentMessages(): IntentMessage[] {
  const lines = readFileSync(join(import.meta.dirname, 'intents.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as IntentMessage);
}
