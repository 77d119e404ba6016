import { expect, test } from 'vitest';
import { ServiceError } from '../kernel/errors.ts';
import { blobFolder } from './data-dir.ts';
import { describeConfig, readConfig } from './config.ts';

function readRefusal(env: Record<string, string>, flags = {}): string {
  try {
    readConfig(env, flags);
  } catch (error) {
    if (error instanceof ServiceError) return `${error.message} ${error.fix}`;
    throw error;
  }
  return 'accepted';
}

test('without variables everything has its default', () => {
  const config = readConfig({});

  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    adminPort: 0,
    rateLimitPerMinute: 600,
    logLevel: 'info',
  });
  expect(config.baseUrl).toBe('http://127.0.0.1:4000');
  expect(config.databaseUrl).toBeUndefined();
  expect(config.dataDir).toBe(`${process.cwd()}/.svc-data`);
  expect(config.blobUrl).toBe(`${process.cwd()}/.svc-data/blobs`);
  expect(new Set(Object.values(config.sources))).toEqual(new Set(['default']));
});

test('a flag wins over a variable, a variable over the default, and empty counts as absent', () => {
  const config = readConfig({ SVC_PORT: '5000', SVC_HOST: 'example.org', SVC_LOG_LEVEL: '' }, { port: '6000' });

  expect([config.port, config.host, config.logLevel]).toEqual([6000, 'example.org', 'info']);
  expect(config.sources).toMatchObject({ port: 'flag', host: 'env', logLevel: 'default' });
});

test.each([
  [{ SVC_PORT: '70000' }, 'SVC_PORT is "70000", which is not valid. Use a whole number from 0 to 65535'],
  [{ SVC_PORT: '40x' }, 'SVC_PORT is "40x"'],
  [{ SVC_RATE_LIMIT_PER_MINUTE: '0' }, 'whole number from 1'],
  [{ SVC_BLOB_URL: 'gs://bucket' }, 'Use a folder, a file: URL, or s3://bucket/prefix'],
  [{ SVC_SSE_POST_AUTH: 'none' }, 'Use key or session'],
  [{ SVC_BASE_URL: 'ftp://x' }, 'an http or https URL'],
  [{ DATABASE_URL: 'mysql://me:secret@h/db' }, 'DATABASE_URL is "mysql://me:****@h/db"'],
])('%o is refused with what is allowed', (env, message) => {
  expect(readRefusal(env as Record<string, string>)).toContain(message);
});

test('a bad flag is named as a flag', () => {
  expect(readRefusal({}, { port: 'x' })).toContain('The flag for SVC_PORT is "x"');
});

test('the blob store is a folder, a file URL or object storage', () => {
  const objects = readConfig({ SVC_BLOB_URL: 's3://team-blobs/svc/one/', AWS_SECRET_ACCESS_KEY: 'hunter2' });
  expect(objects).toMatchObject({ blobUrl: 's3://team-blobs/svc/one', s3Region: 'us-east-1', s3PathStyle: 'off' });
  expect(blobFolder(objects)).toBe(`${process.cwd()}/.svc-data/blobs`);
  const AWS_ENDPOINT_URL_S3 = 'http://127.0.0.1:9000/';
  expect(readConfig({ SVC_BLOB_URL: 's3://team-blobs', AWS_ENDPOINT_URL_S3 })).toMatchObject({
    s3Endpoint: 'http://127.0.0.1:9000',
    s3PathStyle: 'on',
  });
  expect(JSON.stringify(describeConfig(objects))).not.toContain('hunter2');
  // Without object storage they belong to another program of the machine.
  expect(readConfig({ AWS_ENDPOINT_URL_S3: 'localhost:4566', AWS_REGION: 'none at all' })).toMatchObject({
    s3Endpoint: undefined,
    s3Region: 'us-east-1',
  });
  expect(readConfig({ SVC_BLOB_URL: 'file:///var/blobs' }).blobUrl).toBe('/var/blobs');
  expect(readConfig({ SVC_BLOB_URL: 'blobs' }).blobUrl).toBe(`${process.cwd()}/blobs`);
});

test.each([
  ['127.0.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
])('folders of the machine may be repositories on %s: %s', (host, allowed) => {
  expect(readConfig({ SVC_HOST: host }).localRepositories).toBe(allowed);
});

test.each([
  [{ SVC_BASE_URL: 'https://svc.example.org' }, false],
  [{ SVC_ALLOWED_HOSTS: 'svc.example.org' }, false],
  [{ SVC_BASE_URL: 'http://localhost:4000', SVC_ALLOWED_HOSTS: '127.0.0.2' }, true],
  [{ SVC_BASE_URL: 'https://svc.example.org', SVC_LOCAL_REPOSITORIES: 'yes' }, true],
])('folders of the machine may be repositories with %o: %s', (env, allowed) => {
  expect(readConfig(env as Record<string, string>).localRepositories).toBe(allowed);
});

test('the description masks passwords and tells the source', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://me:p@ss@db/svc?password=other&sslmode=require',
    SVC_ALLOWED_HOSTS: 'a.example, b.example',
  });

  const rows = describeConfig(config);

  expect(rows.find((row) => row.name === 'DATABASE_URL')).toMatchObject({
    value: 'postgres://me:****@db/svc?password=****&sslmode=require',
    source: 'env',
  });
  expect(rows.find((row) => row.name === 'SVC_ALLOWED_HOSTS')?.value).toBe('a.example,b.example');
  expect(rows.every((row) => row.meaning.endsWith('.'))).toBe(true);
});

test('the secret of an identity provider is never shown', () => {
  const rows = describeConfig(readConfig({ SVC_OIDC_CLIENT_SECRET: 'hush', SVC_OIDC_CLIENT_ID: 'svc' }));
  const value = (name: string): string | undefined => rows.find((row) => row.name === name)?.value;

  expect(value('SVC_OIDC_CLIENT_SECRET')).toBe('****');
  expect(value('SVC_OIDC_CLIENT_ID')).toBe('svc');
  expect(value('SVC_OIDC_GOOGLE_CLIENT_SECRET')).toBe('');
});

test('keys for secrets are checked and never shown', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const config = readConfig({ SVC_SECRET_KEY: `${key}, ${key}` });

  expect(config.secretKeys).toEqual([key, key]);
  expect(JSON.stringify(describeConfig(config))).not.toContain(key);
  expect(readRefusal({ SVC_SECRET_KEY: 'hunter2' })).toContain('SVC_SECRET_KEY is set to something which is not valid');
  expect(readRefusal({ SVC_SECRET_KEY: 'hunter2' })).not.toContain('hunter2');
});
