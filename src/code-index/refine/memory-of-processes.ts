import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Memory of a process and all its children, in bytes; 0 when it is gone, or the system does not report it. */
export async function memoryOfProcesses(pid: number): Promise<number> {
  const rows = process.platform === 'linux' ? await fromProc() : await fromPs();
  const family = new Set([pid]);
  // Children have higher numbers nearly always; three rounds find those that have not.
  for (let round = 0; round < 3; round += 1) for (const row of rows) if (family.has(row.parent)) family.add(row.pid);
  return rows.reduce((sum, row) => (family.has(row.pid) ? sum + row.bytes : sum), 0);
}

interface ProcessRow {
  pid: number;
  parent: number;
  bytes: number;
}

/** The kernel's own files: no program to start, and small images have no `ps`. */
async function fromProc(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return { pid: Number(pid), parent: field('PPid'), bytes: field('VmRSS') * 1024 };
    }),
  );
  return rows;
}

async function fromPs(): Promise<ProcessRow[]> {
  if (process.platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, kilobytes = 0]) => ({ pid, parent, bytes: kilobytes * 1024 }));
}
