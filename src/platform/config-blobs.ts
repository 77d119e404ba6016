import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { byteSize } from './config-schemas.ts';
import { OBJECT_URL } from './data-dir.ts';

const LEAST_CACHE_BYTES = 256 * 1024 * 1024;

/** Without object storage, the variables of AWS are those of another program. */
function isObjectStorage(values: ReadonlyMap<string, unknown>): boolean {
  return ['blobUrl', 'backupDir'].some((key) => OBJECT_URL.test(String(values.get(key))));
}

/** Settings of where index shards and uploads are stored. */
export const BLOB_VARIABLES = {
  blobUrl: {
    name: 'SVC_BLOB_URL',
    schema: z
      .string()
      .min(1)
      .refine((text) => OBJECT_URL.test(text) || !/^[a-z][a-z0-9+.-]+:/i.test(text) || text.startsWith('file:'))
      .transform((text) => {
        if (OBJECT_URL.test(text)) return text.replace(/\/+$/, '');
        return text.startsWith('file:') ? fileURLToPath(text) : resolve(text);
      }),
    allowed: 'a folder, a file: URL, or s3://bucket/prefix',
    fallback: {
      compute: (values: ReadonlyMap<string, unknown>) => join(String(values.get('dataDir')), 'blobs'),
      described: 'blobs in SVC_DATA_DIR',
    },
    meaning: 'Where index shards and uploads are stored. Processes that share the work share it.',
  },
  blobCacheBytes: {
    name: 'SVC_BLOB_CACHE',
    schema: byteSize(LEAST_CACHE_BYTES),
    allowed: 'a size of at least 256MB, such as 20GB',
    fallback: '20GB',
    meaning: 'With object storage: how much of it each replica holds on its disk, in blobs in SVC_DATA_DIR.',
  },
  s3Endpoint: {
    name: 'AWS_ENDPOINT_URL_S3',
    isUsed: isObjectStorage,
    schema: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
    allowed: 'an http or https URL',
    meaning: 'Address of an S3-compatible object storage. Without it that of AWS in AWS_REGION.',
  },
  s3Region: {
    name: 'AWS_REGION',
    isUsed: isObjectStorage,
    schema: z.string().regex(/^[a-z0-9-]{1,64}$/),
    allowed: 'the name of a region',
    fallback: 'us-east-1',
    meaning: 'Region of the object storage.',
  },
  s3PathStyle: {
    name: 'SVC_BLOB_PATH_STYLE',
    schema: z.enum(['on', 'off']),
    allowed: 'on or off',
    fallback: {
      compute: (values: ReadonlyMap<string, unknown>) => (values.get('s3Endpoint') === undefined ? 'off' : 'on'),
      described: 'on with AWS_ENDPOINT_URL_S3, otherwise off',
    },
    meaning: 'Whether the bucket is a part of the path, and not of the host name.',
  },
  s3AccessKeyId: {
    name: 'AWS_ACCESS_KEY_ID',
    isUsed: isObjectStorage,
    schema: z.string().min(1).max(200),
    allowed: 'the id of an access key',
    meaning: 'Access key for the object storage.',
  },
  s3SecretAccessKey: {
    name: 'AWS_SECRET_ACCESS_KEY',
    isUsed: isObjectStorage,
    schema: z.string().min(1).max(1000),
    allowed: 'the secret of the access key',
    meaning: 'Secret of that access key.',
    isSecret: true,
  },
  s3SessionToken: {
    name: 'AWS_SESSION_TOKEN',
    isUsed: isObjectStorage,
    schema: z.string().min(1).max(8000),
    allowed: 'the token of a temporary access key',
    meaning: 'Token of a temporary access key.',
    isSecret: true,
  },
};
