import { expect, onTestFinished, test } from 'vitest';
import { testPerson } from '../testing/person.ts';
import { openTestApplication } from '../testing/web-application.ts';

test('without a key for secrets the page is told so, and connecting says what to do without repeating the token', async () => {
  const { account, send, close } = await openTestApplication();
  onTestFinished(close);
  const { token: session } = await testPerson(account, 'admin', new Date());
  const body = { kind: 'github', project: 'acme/shop', token: 'token-of-a-test' };

  const listed = await send('GET', '/app/api/trackers', { session });
  const refused = await send('POST', '/app/api/trackers', { session, body });
  const answer = await refused.text();

  expect(await listed.json()).toEqual({ trackers: [], can_connect: false });
  expect([refused.status, answer]).toEqual([409, expect.stringContaining('SVC_SECRET_KEY')]);
  expect(answer).not.toContain('token-of-a-test');
});

test.each([
  [{ kind: 'github', project: 'acme/shop', token: 'two\r\nlines-of-a-token' }, 'has characters that no token has'],
  [{ kind: 'github', project: 'the shop', token: 'token-of-a-test' }, 'is no project of GitHub'],
  [{ kind: 'jira', project: 'SHOP', token: 'token-of-a-test' }, 'is no address of Jira'],
])('%o cannot be connected', async (body, message) => {
  const { account, send, close } = await openTestApplication();
  onTestFinished(close);
  const { token: session } = await testPerson(account, 'admin', new Date());

  const refused = await send('POST', '/app/api/trackers', { session, body });
  const answer = await refused.text();

  expect([refused.status, answer]).toEqual([400, expect.stringContaining(message)]);
  expect(answer).not.toContain('of-a-t');
});
