import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import type { Serving } from '../serving.ts';
import type { Attack, AttackContext } from './attack.ts';

const MESSAGES = 300;
const KILLS = 2;
const POLL_MS = 50;
const DAY_MS = 24 * 3600_000;
const SUBJECTS = ['battery', 'invoice', 'printer', 'calendar', 'parcel', 'password', 'camera'];

interface Progress {
  pending: number;
  total: number;
}

/** A service that is killed again and again while it encodes an import. */
export const attack: Attack = {
  name: 'kill-encoding',
  purpose:
    'A service that is killed while it encodes goes on where it stopped, encodes nothing twice and counts right.',
  minutes: 10,
  run: async (context) => {
    const port = await freePort();
    const settings = { SVC_ADMIN_PORT: String(port) };
    let service = await context.startService(settings);
    await addSignals(service);
    let before = await becomesPending(context, service, ({ pending, total }) => pending > 0 && pending < total);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      before = await progressOf(service);
      await service.end('SIGKILL');
      service = await context.startService(settings, 'data-1');
      const after = await progressOf(service);
      const isRight = after.total === MESSAGES && after.pending <= before.pending && after.pending > 0;
      context.check(
        `what was stored is there after kill ${kill}`,
        isRight,
        `${before.pending} pending, then ${after.pending}`,
      );
      if (kill < KILLS) await becomesPending(context, service, ({ pending }) => pending < after.pending);
      before = after;
    }
    await becomesPending(context, service, ({ pending }) => pending === 0);
    const encoded = await encodedTexts(port);
    context.check(
      'nothing is encoded twice',
      encoded <= before.pending,
      `${encoded} of ${before.pending} that were pending`,
    );
    const { counts } = await service.owner<{ counts: Record<string, number> }>('POST', '/v1/tools/search-tool', {
      query: 'Akku leer',
    });
    context.check('a question in another language has answers', (counts['signals'] ?? 0) > 0, JSON.stringify(counts));
    await service.end('SIGTERM');
  },
};

async function addSignals({ owner }: Serving): Promise<void> {
  const signals = Array.from({ length: MESSAGES }, (_, at) => ({
    external_id: `m-${at}`,
    source: 'attack',
    text: `The ${SUBJECTS[at % SUBJECTS.length]} of order ${at} causes trouble since Monday, please have a look`,
    date: new Date(Date.now() - at * DAY_MS).toISOString(),
  }));
  await owner('POST', '/v1/signals', { signals });
}

function progressOf({ owner }: Serving): Promise<Progress> {
  return owner<Progress>('GET', '/v1/vectors');
}

/** Waits until the progress is as it should be. */
async function becomesPending(
  { signal }: AttackContext,
  service: Serving,
  isReached: (progress: Progress) => boolean,
): Promise<Progress> {
  for (;;) {
    const progress = await progressOf(service);
    if (isReached(progress)) return progress;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

/** Texts that the service encoded since it started. */
async function encodedTexts(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const [, count] = /^\w*encoded_texts_total(?:\{[^}]*\})? (\d+)/m.exec(await answer.text()) ?? [];
  return Number(count);
}
