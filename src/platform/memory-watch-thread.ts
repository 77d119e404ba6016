import { workerData } from 'node:worker_threads';

/** Ends the whole process once it holds more memory than it may, also while its main thread is busy. */
const { limitBytes, everyMs } = workerData as { limitBytes: number; everyMs: number };
setInterval(() => {
  if (process.memoryUsage.rss() > limitBytes) process.kill(process.pid, 'SIGKILL');
}, everyMs);
