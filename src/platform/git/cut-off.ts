import { endAllGit } from './git.ts';

/**
 * Ends this process now, whatever hangs in it. `process.exit` would wait for its threads, and one that waits for a disk or for
 * the other side of a FIFO never comes back. The parent process sees that it was killed.
 */
export function cutOff(): void {
  endAllGit();
  process.kill(process.pid, 'SIGKILL');
}
