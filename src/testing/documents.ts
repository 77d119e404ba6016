import { type Documents, openDocuments } from '../documents/documents.ts';

type DocumentsParts = Pick<Documents, 'db' | 'blobs' | 'workDir' | 'now'>;

/** The process that reads files for all test files: it takes longer to start than a file to be read. It ends with this one. */
let pool: Documents['pool'] | undefined;

/** Documents of a bench, whose files are read by the process of all benches. */
export function testDocuments(parts: DocumentsParts): Documents {
  pool ??= openDocuments({ ...parts, readers: 1 }).pool;
  return { ...parts, pool, close: () => Promise.resolve() };
}
