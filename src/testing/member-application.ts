import { afterAll, beforeAll } from 'vitest';
import { testPerson } from './person.ts';
import { openTestApplication, type TestApplication } from './web-application.ts';

/** One web application for the tests of a file, with a member who is signed in. */
export function useMemberApplication() {
  // Opened before the first test.
  const member = { application: undefined as unknown as TestApplication, session: '' };
  beforeAll(async () => {
    member.application = await openTestApplication();
    member.session = (await testPerson(member.application.account, 'member', new Date())).token;
  });
  afterAll(() => member.application.close());
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    member.application.send(method, `/app/api${path}`, { session: member.session, body });
  return {
    member,
    /** As a page of the member sends it, below `/app/api`. */
    send,
    /** Returns the body of the answer. */
    ask: async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
      (await (await send(method, path, body)).json()) as Body,
  };
}
