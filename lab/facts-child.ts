import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { decodeFacts } from '../src/languages/facts/facts-codec.ts';
import { readByName, readByOffset } from './facts-reading.ts';

/** Output of a process that only reads facts. */
export interface FactsReading {
  /** Depends on every number that was read. */
  sum: number;
  /** Processor time of the first time that all files are read, and of that and all other passes. */
  firstMs: number;
  allMs: number;
}

/** `node facts-child.ts names|offsets <file> <passes>`: reads encoded facts that many times. */
const [method, file = '', passes = '1'] = process.argv.slice(2);
const encoded = deserialize(readFileSync(file)) as Uint8Array[];
const all = encoded.map(decodeFacts).filter((facts) => facts !== undefined);
const readFile = method === 'names' ? readByName : readByOffset;
const before = process.cpuUsage();
const passed = (): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const reading: FactsReading = { sum: 0, firstMs: 0, allMs: 0 };
for (let pass = 0; pass < Number(passes); pass += 1) {
  for (const facts of all) reading.sum = (reading.sum + readFile(facts)) | 0;
  if (pass === 0) reading.firstMs = passed();
}
reading.allMs = passed();
console.log(JSON.stringify(reading));
