import { expect, onTestFinished, test } from 'vitest';
import { embeddingServer } from '../../src/testing/embedding-server.ts';
import { testRepository } from '../../src/testing/git.ts';
import { startSvc, temporaryFolder } from './service-process.ts';

const FILES = { 'src/mail.ts': 'export function sendMail(): void {}\n' };
const QUESTION = 'where are letters sent to customers';

test('with an embedding service the code is embedded after it is indexed, and a question is compared with it', async () => {
  const repository = testRepository([{ files: FILES }]);
  onTestFinished(() => repository.remove());
  const server = await embeddingServer();
  const env = { SVC_EMBEDDINGS_URL: server.url, SVC_EMBEDDINGS_MODEL: 'tiny', SVC_EXACT_PASS: 'off', SVC_LOG: 'json' };

  const service = await startSvc(['up', '--data-dir', temporaryFolder()], { cwd: repository.path, env });
  const [key = ''] = await service.until(/svc_live_[0-9A-Za-z]{49}/);
  await service.until(/"documents":2,"embedded":2,"sent":2,"msg":"embedded"/);
  const answer = await fetch(`${service.url}/v1/tools/code-tool`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'semantic_search', query: QUESTION }),
  });

  expect(answer.status).toBe(200);
  expect(await answer.text()).not.toContain('encoder');
  expect(server.requests.map(({ input }) => input)).toEqual([
    ['function sendMail\nexport function sendMail(): void {}', 'src/mail.ts\nexport function sendMail(): void {}'],
    [QUESTION],
  ]);
});
