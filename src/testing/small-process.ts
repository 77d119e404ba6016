// Runs programs for a test process: requests come through one FIFO, a line each, and replies go through another.
// Ends when no process holds the other ends any more.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** A program to run, with its input. */
export interface ProgramRequest {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
  input: string;
}

/** Output and status of a program; `problem` when it could not be started. */
export interface ProgramReply {
  status: number | null;
  stdout: string;
  stderr: string;
  problem?: string;
}

const READ_BYTES = 65_536;
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads lines, waiting for each. Gives undefined at the end. */
export function lineReader(file: number): () => string | undefined {
  const buffer = Buffer.alloc(READ_BYTES);
  const decoder = new StringDecoder('utf8');
  let text = '';
  return () => {
    let end = text.indexOf('\n');
    while (end === -1) {
      const bytes = readSync(file, buffer);
      if (bytes === 0) return undefined;
      const from = text.length;
      text += decoder.write(buffer.subarray(0, bytes));
      end = text.indexOf('\n', from);
    }
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return line;
  };
}

/** Writes all of a line, however little a pipe takes at once. */
export function writeLine(file: number, value: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

function answer({ command, args, cwd, env, input }: ProgramRequest): ProgramReply {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], {
    cwd,
    env,
    input,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  return { status, stdout, stderr, ...(error && { problem: error.message }) };
}

function serve(requests: string, replies: string): void {
  const from = openSync(requests, 'r');
  const to = openSync(replies, 'w');
  const read = lineReader(from);
  for (let line = read(); line !== undefined; line = read()) {
    // As `runProgram` wrote it.
    writeLine(to, answer(JSON.parse(line) as ProgramRequest));
  }
  closeSync(to);
}

const [requests, replies] = process.argv.slice(2);
if (import.meta.main && requests !== undefined && replies !== undefined) serve(requests, replies);
