import { expect, onTestFinished, test } from 'vitest';
import { testPerson } from '../testing/person.ts';
import { openTestApplication } from '../testing/web-application.ts';

test.each([
  [{ kind: 'github', project: 'acme/shop', token: 'two\r\nlines-of-a-token' }, 'contains characters that no token has'],
  [{ kind: 'github', project: 'the shop', token: 'token-of-a-test' }, 'is not a project of GitHub'],
  [{ kind: 'jira', project: 'SHOP', token: 'token-of-a-test' }, 'is not an address of Jira'],
])('%o cannot be connected', async (body, message) => {
  const { account, send, close } = await openTestApplication();
  onTestFinished(close);
  const { token: session } = await testPerson(account, 'admin', new Date());

  const refused = await send('POST', '/app/api/trackers', { session, body });
  const answer = await refused.text();

  expect([refused.status, answer]).toEqual([400, expect.stringContaining(message)]);
  expect(answer).not.toContain('of-a-t');
});
