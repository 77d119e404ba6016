import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^svc-(?:git|past)-(\d+)-/;

/** Makes a temporary folder of this process; the caller removes it. What a killed process leaves is swept later. */
export function makeTemporaryFolder(kind: 'git' | 'past'): Promise<string> {
  return mkdtemp(join(tmpdir(), `svc-${kind}-${process.pid}-`));
}

/** Removes temporary folders of this user whose process is gone, and gives their number. Safe beside other services. */
export async function sweepTemporaryFolders(): Promise<number> {
  let swept = 0;
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const state = await lstat(path).catch(() => undefined);
    if (state?.isDirectory() !== true || state.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
