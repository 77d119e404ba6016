import type { Serving } from '../serving.ts';
import type { Attack, AttackContext } from './attack.ts';

const WRONG_ATTEMPTS = 70;
const EMAIL = 'owner@example.org';
const PASSWORD = 'correct horse battery staple';

/** Wrong passwords and links from one network address. */
export const attack: Attack = {
  name: 'lock-out',
  purpose: 'Who guesses from a network address locks out nobody else behind it.',
  run: async (context) => {
    const service = await context.startService();
    const browser = await setPassword(service);
    await guess(context, service, 'stranger@example.org');
    const link = await service.owner<{ url: string }>('POST', '/v1/login-link');
    const older = await service.owner<{ url: string }>('POST', '/v1/login-link');
    await report(context, 'a link still signs in', await send(service, 'sign-in/link', { body: tokenOf(link) }));
    await report(context, 'so does a second one', await send(service, 'sign-in/link', { body: tokenOf(older) }));
    const right = { email: EMAIL, password: PASSWORD };
    await report(context, 'a colleague still signs in', await send(service, 'sign-in/password', { body: right }));
    const signedIn = await send(service, 'sign-in/password', { body: right, cookie: browser });
    const cookie = cookiesOf(signedIn);
    await guess(context, service, EMAIL);
    const locked = await send(service, 'sign-in/password', { body: right });
    context.check('guesses of a password come to an end', locked.status === 429, `status ${locked.status}`);
    const mine = await send(service, 'sign-in/password', { body: right, cookie });
    await report(context, 'their owner still signs in from a known browser', mine);
  },
};

/** Signs in by a link and sets address and password. Returns the cookies of that browser. */
async function setPassword(service: Serving): Promise<string> {
  const link = await service.owner<{ url: string }>('POST', '/v1/login-link');
  const cookie = cookiesOf(await send(service, 'sign-in/link', { body: tokenOf(link) }));
  const set = await send(service, 'account', { body: { email: EMAIL, password: PASSWORD }, cookie });
  if (!set.ok) throw new Error(`The password was not set: ${set.status} ${await set.text()}`);
  return cookie;
}

async function guess({ signal }: AttackContext, service: Serving, email: string): Promise<void> {
  const attempts = Array.from({ length: WRONG_ATTEMPTS }, async (_, at) => {
    await (
      await send(service, 'sign-in/password', { body: { email, password: `a wrong password ${at}` }, signal })
    ).text();
    await (await send(service, 'sign-in/link', { body: { token: `wrong ${at}` }, signal })).text();
  });
  await Promise.all(attempts);
}

async function report({ check }: AttackContext, name: string, answer: Response): Promise<void> {
  check(name, answer.status === 200, answer.ok ? '' : `status ${answer.status}: ${await answer.text()}`);
}

function send(
  { url }: Serving,
  path: string,
  { body, cookie = '', signal }: { body: object; cookie?: string; signal?: AbortSignal },
): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
  return fetch(`${url}/app/api/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
}

function tokenOf({ url }: { url: string }): { token: string } {
  return { token: url.split('#token=')[1] ?? '' };
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
}
