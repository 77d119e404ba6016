import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lineReader, type ProgramReply, type ProgramRequest, writeLine } from './small-process.ts';

let ask: ((request: ProgramRequest) => ProgramReply) | undefined;

/**
 * Runs a program to its end and gives what it wrote to standard output. A small process starts it: starting one copies the page
 * tables of the process that does, which takes 70 ms with the 1.5 GB that a test process has, and tests run thousands.
 *
 * @throws Error with standard error, when it failed.
 */
export function runProgram(request: ProgramRequest): string {
  ask ??= startSmallProcess();
  const { status, stdout, stderr, problem } = ask(request);
  if (status === 0 && problem === undefined) return stdout;
  throw new Error(`Command failed: ${request.command} ${request.args.join(' ')}\n${problem ?? ''}${stderr}`);
}

function startSmallProcess(): (request: ProgramRequest) => ProgramReply {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-programs-'));
  const [requests, replies] = [join(folder, 'requests'), join(folder, 'replies')];
  execFileSync('mkfifo', [requests, replies]);
  const file = join(import.meta.dirname, 'small-process.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, requests, replies], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.unref();
  // Each waits until the other side has opened it too.
  const to = openSync(requests, 'w');
  const read = lineReader(openSync(replies, 'r'));
  rmSync(folder, { recursive: true });
  return (request) => {
    writeLine(to, request);
    const line = read();
    if (line === undefined) throw new Error('The process that runs programs for tests has ended.');
    // As the process wrote it.
    return JSON.parse(line) as ProgramReply;
  };
}
