import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process that this one has started and that is alive. */
export interface ChildProcessState {
  pid: number;
  /** Its command line, separated by spaces. */
  command: string;
  /** Memory that it holds now. */
  memoryKb: number;
}

/** Living processes that this one has started and whose command has `part` in it. Asks `ps` where there is no `/proc`. */
export function childProcesses(part: string): ChildProcessState[] {
  const all = existsSync('/proc/self/stat') ? fromProc() : fromPs();
  return all.filter(({ command }) => command.includes(part));
}

/** Returns what lists those of `childProcesses` that were started after this call: helpers of tests keep some for all files. */
export function childProcessesFromNow(part: string): () => ChildProcessState[] {
  const standing = new Set(childProcesses(part).map(({ pid }) => pid));
  return () => childProcesses(part).filter(({ pid }) => !standing.has(pid));
}

function fromProc(): ChildProcessState[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // State and parent stand behind the name of the program, which may hold anything.
        const [state, parent] = readFileSync(`/proc/${name}/stat`, 'latin1')
          .replace(/^.*\) /s, '')
          .split(' ');
        if (Number(parent) !== process.pid || state === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
        return [{ pid: Number(name), command, memoryKb: Number(resident ?? 0) }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}

function fromPs(): ChildProcessState[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,stat=,args='], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => {
    const [pid, parent, memoryKb, state = '', ...command] = line.trim().split(/\s+/);
    if (Number(parent) !== process.pid || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), command: command.join(' '), memoryKb: Number(memoryKb) }];
  });
}
