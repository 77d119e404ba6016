import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { testRepository } from '../../src/testing/git.ts';
import { openTestStorage } from '../../src/testing/object-storage.ts';
import { startPostgres } from '../../src/testing/postgres-server.ts';
import { openGitServer } from './git-server.ts';
import { builtProgram, readManifest } from './program.ts';
import { temporaryFolder } from './service-process.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
}

const FILES = {
  'src/mail.ts': 'export function sendMail(): void {}\n',
  'src/order.ts': "import { sendMail } from './mail.ts';\nexport function order(): void {\n  sendMail();\n}\n",
};
/** Settings of processes that share a database and object storage, and no folder. */
export async function sharedSettings(): Promise<Record<string, string>> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const { settings, close } = await openTestStorage(temporaryFolder());
  onTestFinished(close);
  return {
    DATABASE_URL: `${postgres.url}/postgres`,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_PRIVATE_HOSTS: '127.0.0.1',
    SVC_BLOB_URL: settings.blobUrl,
    AWS_ENDPOINT_URL_S3: settings.s3Endpoint ?? '',
    AWS_ACCESS_KEY_ID: settings.s3AccessKeyId ?? '',
    AWS_SECRET_ACCESS_KEY: settings.s3SecretAccessKey ?? '',
  };
}

/** The address of a repository with a function and its caller. */
export async function servedRepository(): Promise<string> {
  const repository = testRepository([{ files: FILES }]);
  onTestFinished(() => repository.remove());
  const git = await openGitServer(repository.path);
  onTestFinished(() => git.close());
  git.sendUpTo(1);
  return git.url;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/** A folder as an installed package has it: the files that are packed, the built program, packages for production alone. */
export async function installedPackage(): Promise<string> {
  const folder = temporaryFolder();
  const program = await builtProgram();
  for (const name of [...readManifest().files, 'package.json'])
    cpSync(join(program, name), join(folder, name), { recursive: true });
  const { packages } = readJson('package-lock.json') as Lock;
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const isTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || dev === true || devOptional === true || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  return folder;
}
