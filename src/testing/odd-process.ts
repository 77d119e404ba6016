import { ServiceError } from '../kernel/errors.ts';
import { serveProcessTasks } from '../platform/processes.ts';

/** Tasks of the process. */
type OddTask = 'echo' | 'memory' | 'loop' | 'exit' | 'refuse' | { hold: number };

const held: Buffer[] = [];

/** A process for the tests of the pool that does what hostile files make parsers do. */
serveProcessTasks((task: OddTask): unknown => {
  if (task === 'echo') return process.pid;
  if (task === 'exit') process.exit(3);
  if (task === 'refuse') throw new ServiceError('too_large', 'It is too large.', { fix: 'Make it smaller.' });
  if (task === 'loop') for (;;);
  if (task === 'memory') for (;;) held.push(Buffer.alloc(1024 * 1024, 1));
  held.push(Buffer.alloc(task.hold * 1024 * 1024, 1));
  return process.pid;
});
