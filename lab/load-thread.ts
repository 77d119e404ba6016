import { parentPort, workerData } from 'node:worker_threads';
import { type Load, sendLoad } from './load.ts';

// As `lab/keys.ts` starts it.
const result = await sendLoad(workerData as Load);
// A port between threads; the second argument shows the linter that it is no window.
parentPort?.postMessage(result, []);
