import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { knowledgeEntry } from '../testing/knowledge.ts';
import { TermCounter } from './entry-terms.ts';
import { FORMAT_HASH, IndexFile } from './index-file.ts';
import { applyUpdate } from './index-writer.ts';
import { PostingBuffer } from './postings.ts';

/** Every rule by which terms are made of words has some here: endings, plurals, identifiers, joined words, numbers, scripts. */
const WORDS = `
  A query that was running is cancelled when its caller hangs up; the organization's authorization fails rationally.
  Classes, glasses, parties, boxes and bus stops. Hoping, hopped, enabled, sized, stated, sing, red, agreed, falling.
  Helpfulness, massiveness, organizer, advertiser, creation, creator, addition, action, payment, portable, sensible,
  kindness, option, version, advise, realize, worker, sensor, quickly, personal, by 2FA and 128 of 7 in v24 on 3D or H2O
  useState getOAuthToken parseHTTPRequest user_id MAX_RETRIES fooBarBAZ IDs URLs APIs iPhone $scope _private __init__
  utf8 base64Encode sha256 x86_64 log-in log in sign-up signup set up setup roll back rollback time out timeout e-mail
  Größe naïve café Straße señor über façade 日本語 поиск αβγ עברית
  a very-long-word-that-goes-on abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz 3f786850e387550fdab836ed7e6dc881de23001b
  don't won't it's users' customer's and/or http://example.com/path?query=1 foo.bar.baz() a::b::C obj->method @decorator`;

test('an index has a new format number when its tables, or the terms of words, are others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-format-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'index.db');
  const file = new IndexFile(path, 1e6);
  const entry = knowledgeEntry(WORDS, {
    title: WORDS.slice(0, 200),
    section: WORDS.slice(300, 500),
    tags: ['Sign Up'],
  });
  const change = { corpus: 'signals' as const, id: 'sig:1', revision: 1, entries: [entry] };
  const position = { revision: 2, corpus: '', id: '' };
  const tools = { counter: new TermCounter(), postings: new PostingBuffer(), checkMemory: () => undefined };
  applyUpdate(file, { sequence: 0, changes: [change], position }, tools);
  file.close();
  const database = new DatabaseSync(path);
  const tables = ['posting', 'block', 'thing', 'entry', 'name', 'pragma_user_version'];
  const queries = [
    'select name, sql from sqlite_schema order by name',
    ...tables.map((name) => `select * from ${name}`),
  ];
  const stored = queries.map((query) => database.prepare(query).all());
  database.close();
  const hash = createHash('sha256').update(JSON.stringify(stored)).digest('hex').slice(0, 16);

  expect(hash, 'Raise FORMAT in index-file.ts by one, then set FORMAT_HASH to what this test received.').toBe(
    FORMAT_HASH,
  );
});
