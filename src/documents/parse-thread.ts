import { workerData } from 'node:worker_threads';
import { serveTasks } from '../platform/threads.ts';
import { parseDocument, type ParseTask } from './parse-document.ts';

serveTasks(workerData as { data: undefined; stop: Int32Array }, () => (task: ParseTask) => parseDocument(task));
