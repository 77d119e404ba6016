import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../src/testing/git.ts';
import { openTestStorage } from '../../src/testing/object-storage.ts';
import { startPostgres } from '../../src/testing/postgres-server.ts';
import { openGitServer } from './git-server.ts';
import {
  type CommandOptions,
  eventually,
  startCommand,
  startSvc,
  svcJson,
  temporaryFolder,
} from './service-process.ts';

const FILES = {
  'src/mail.ts': 'export function sendMail(): void {}\n',
  'src/order.ts': "import { sendMail } from './mail.ts';\nexport function order(): void {\n  sendMail();\n}\n",
};

test('processes that share a database and object storage, and no folder, do the work of one', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const storage = await openTestStorage(temporaryFolder());
  onTestFinished(() => storage.close());
  const repository = testRepository([{ files: FILES }]);
  onTestFinished(() => repository.remove());
  const git = await openGitServer(repository.path);
  onTestFinished(() => git.close());
  git.sendUpTo(1);
  const { settings } = storage;
  const env = {
    DATABASE_URL: `${postgres.url}/postgres`,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_PRIVATE_HOSTS: '127.0.0.1',
    SVC_BLOB_URL: settings.blobUrl,
    AWS_ENDPOINT_URL_S3: settings.s3Endpoint ?? '',
    AWS_ACCESS_KEY_ID: settings.s3AccessKeyId ?? '',
    AWS_SECRET_ACCESS_KEY: settings.s3SecretAccessKey ?? '',
  };
  const [home, workHome] = [temporaryFolder(), temporaryFolder()];
  const options = { cwd: home, env };
  await startSvc(['serve', '--no-work', '--data-dir', join(home, '.svc-data')], options);
  const worker = startCommand(['worker', '--data-dir', join(workHome, 'data')], { cwd: workHome, env });
  onTestFinished(async () => {
    worker.kill('SIGTERM');
    await new Promise((ended) => worker.once('close', ended));
  });

  await svcJson(['repo', 'add', git.url, '--wait'], options);
  writeFileSync(join(home, 'refunds.md'), '# Refunds\n\nA refund is paid within three walrus days.\n');
  await svcJson(['doc', 'add', 'refunds.md'], options);
  await eventually(async () => (await rowsOf(['texts', 'walrus'], options)).length > 0);
  // A replica that starts now has nothing but the database and the object storage.
  const later = { cwd: temporaryFolder(), env };
  await startSvc(['serve', '--no-work', '--data-dir', join(later.cwd, '.svc-data')], later);

  for (const replica of [options, later])
    expect(await rowsOf(['usages', 'sendMail'], replica)).toContainEqual(
      expect.objectContaining({ path: 'src/order.ts' }),
    );
  expect(readdirSync(join(later.cwd, '.svc-data/blobs'), { recursive: true })).toContainEqual(
    expect.stringMatching(/[0-9a-f]{64}/),
  );
});

async function rowsOf(args: readonly string[], options: CommandOptions): Promise<object[]> {
  return (await svcJson<{ rows: object[] }>(args, options)).rows;
}
