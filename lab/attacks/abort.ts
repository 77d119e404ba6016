import {
  abortAtMoments,
  type CallTarget,
  type Door,
  DOORS,
  makeCall,
  SAMPLE_CALLS,
  type SampleCall,
} from '../../src/testing/aborted-calls.ts';
import type { Attack, AttackContext } from './attack.ts';

const MOMENTS = 20;
/** An answer that takes longer is aborted within this time. */
const LATEST_MS = 1_000;
const SERVICES = 12;

const SIGNALS = Array.from({ length: 20 }, (_, at) => ({
  external_id: `mail-${at}`,
  text: `The mail about my order came ${at + 2} times; sendMail should not retry a mail that was delivered.`,
  date: '2026-11-01',
}));

/** Clients that close the connection in the middle of a call. */
export const attack: Attack = {
  name: 'abort',
  purpose: 'A client that disconnects ends its own call and nothing else.',
  minutes: 10,
  run: async (context) => {
    const service = await context.startService();
    await context.addRepository(service, context.createRepository('shop', shopFiles()));
    await service.owner('POST', '/v1/signals', { signals: SIGNALS });
    const target = { url: service.url, key: await context.createKey(service) };
    for (const call of SAMPLE_CALLS) {
      const { action } = call.args;
      const about = typeof action === 'string' ? `${call.operation} ${action}` : call.operation;
      for (const door of DOORS) {
        context.signal.throwIfAborted();
        await abort(context, { about: `${about} over ${door}`, target, door, call });
      }
    }
    checkService(context, service);
  },
};

async function abort(
  context: AttackContext,
  { about, target, door, call }: { about: string; target: CallTarget; door: Door; call: SampleCall },
): Promise<void> {
  try {
    const options = { call, moments: MOMENTS, random: context.random, mostMs: LATEST_MS };
    const { aborted, answered } = await abortAtMoments(target, door, options);
    await makeCall(target, door, { call, signal: AbortSignal.timeout(60_000) });
    context.check(about, true, `${aborted} aborted, ${answered} answered before`);
  } catch (error) {
    const { message, cause } = error as Error;
    context.check(about, false, `${message} ${cause instanceof Error ? cause.message : ''}`);
  }
}

function checkService({ check }: AttackContext, { pid, log }: { pid: number; log: () => string[] }): void {
  let isAlive = true;
  try {
    process.kill(pid, 0);
  } catch {
    isAlive = false;
  }
  check('the process that served lives', isAlive, `pid ${pid}`);
  const faults = log().filter((line) => /\b(?:warn|error|fatal)\b/.test(line));
  check('no fault was logged', faults.length === 0, faults.slice(0, 3).join(' | ').slice(0, 600));
}

/** A product of some modules that call each other, so that agents have something to follow. */
function shopFiles(): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': '{"name":"shop","version":"1.0.0","dependencies":{"pg":"8.0.0"}}\n',
    'README.md': '# Shop\n\nSends mails about orders, and tries again when the server refuses.\n',
    'docs/mails.md': `# Mails\n\n## How sendMail retries\n\n${'The function sendMail tries three times, because servers refuse mails when they are busy. '.repeat(4)}\n\n## Limits\n\nOne mail a second.\n`,
    'docs/adr/0001-retry.md':
      '# 1. Retry mails\n\nStatus: accepted\n\n## Context\n\nMails were lost when sendMail failed.\n\n## Decision\n\nsendMail tries three times.\n',
    'src/mail.ts': `/** Sends one mail. Tries three times, because servers refuse when they are busy. */
export async function sendMail(to: string, text: string): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) if (await deliver(to, text)) return;
  throw new Error('The mail was not sent.');
}

async function deliver(to: string, text: string): Promise<boolean> {
  return to.length > 0 && text.length > 0;
}
`,
  };
  for (let at = 0; at < SERVICES; at += 1) {
    const next = (at + 1) % SERVICES;
    files[`src/services/service-${at}.ts`] = `import { sendMail } from '../mail.ts';
import { notify${next} } from './service-${next}.ts';

/** Notifies the customer of step ${at}. */
export async function notify${at}(to: string, depth: number): Promise<void> {
  await sendMail(to, 'step ${at}');
  if (depth > 0) await notify${next}(to, depth - 1);
}
`;
  }
  return files;
}
