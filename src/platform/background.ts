import type { ChildProcess } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/** The kernel takes one change of a group each tenth of a second from all users together, and refuses the others. */
const GROUP_TRIES = 5;
const GROUP_WAIT_MS = 150;

/**
 * Lets a process that was just started, and all that it starts, step back behind everything else, as far as
 * `SVC_BACKGROUND_PRIORITY` says. Called at once after the start; threads that the process has already started by then
 * step back too. What the system does not allow is left as it is: priorities decide how fast something is, never whether
 * it is done.
 */
export function yieldProcessor({ pid }: ChildProcess): void {
  const priority = backgroundPriority();
  if (pid === undefined || priority === 0) return;
  lowerPriority(pid, priority);
  if (process.platform !== 'linux') return;
  lowerThreads(pid, priority);
  lowerGroup(pid, priority).catch(() => undefined);
}

/** Does the same for the thread that calls it. On Linux only, where a thread has a priority of its own. */
export function yieldThread(): void {
  const priority = backgroundPriority();
  if (process.platform === 'linux' && priority > 0) lowerPriority(0, priority);
}

/** True if this process yields itself: a process that it starts in a session of its own does not inherit that. */
export function isBackground(): boolean {
  return getPriority() > 0;
}

/**
 * Reads the priority from the environment, because processes of the background start some of their own. `config.ts` has checked
 * it.
 */
function backgroundPriority(): number {
  const text = process.env['SVC_BACKGROUND_PRIORITY'] ?? '';
  return text === '' ? constants.priority.PRIORITY_BELOW_NORMAL : Number(text);
}

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // It has ended, or the system does not allow it.
  }
}

/**
 * Lowers every thread of a process on Linux, where each has a priority of its own and takes over that of the thread that
 * starts it. A thread that is not lowered yet may start another meanwhile, so the list is read until nothing is new.
 */
function lowerThreads(pid: number, priority: number): void {
  const lowered = new Set([pid]);
  for (;;) {
    const added = threadsOf(pid).filter((id) => !lowered.has(id));
    if (added.length === 0) return;
    for (const id of added) {
      lowerPriority(id, priority);
      lowered.add(id);
    }
  }
}

/** Threads of a process; none when it has ended, or this system does not list them. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/**
 * Lowers the priority of the group of a process. Linux may group processes by session (`sched_autogroup_enabled`, the default
 * of many distributions): groups share the processor evenly, and the priority of a process counts within its group only.
 */
async function lowerGroup(pid: number, priority: number): Promise<void> {
  for (let tries = 0; tries < GROUP_TRIES; tries += 1) {
    try {
      return writeFileSync(`/proc/${pid}/autogroup`, String(priority));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
    }
    await setTimeout(GROUP_WAIT_MS, undefined, { ref: false });
  }
}
