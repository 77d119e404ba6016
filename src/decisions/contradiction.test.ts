import { expect, test } from 'vitest';
import { contradictionOf } from './contradiction.ts';
import type { DecisionText } from './similar.ts';

/** Titles of pairs of which both cannot hold. */
const CONTRADICTING = `
Use PostgreSQL for orders | Use MySQL for orders
Redis as the session cache | Memcached as the session cache
Keep sessions in Redis | Keep sessions in tables
Logs are written in JSON | Logs are written in plain text
Sessions last one hour | Sessions last two days
Keep backups for 30 days | Keep backups for 90 days
Use Kafka for events | We will not use Kafka
No feature flags | Feature flags for new pages
Services talk over gRPC | Services talk over REST
Deploy to Kubernetes | Do not deploy to Kubernetes
The API is public | The API is private
Uploads are synchronous | Uploads are asynchronous
One approval for each change | Two approvals for each change
Use React for the web application | Use Vue for the web application
Merge the mail database into the main database | Split the mail database from the main database
Store secrets in Vault | Store secrets in environment variables
Drop support for Windows | Windows installer
Enable telemetry by default | Disable telemetry by default
Tests run on GitHub Actions | Tests run on Jenkins
Render pages on the server | Render pages in the browser
Authentication: passwords | Authentication: passkeys
Abandon the monorepo | Monorepo for all packages
Terraform for infrastructure | Pulumi for infrastructure
Release weekly | Release monthly
Manual rollback of releases | Automatic rollback of releases
Requests time out after 5 seconds | Requests time out after 30 seconds
Search runs on Elasticsearch | Search runs on PostgreSQL
Avoid ORMs | Prisma and other ORMs
Send mail with SES | Send mail with Postmark
Python for the importer | Go for the importer
`;

/** Titles of pairs that are about alike things, and can both hold. */
const COMPATIBLE = `
Use PostgreSQL for orders | Use PostgreSQL for customers
Use PostgreSQL for orders | Use Redis for sessions
Keep sessions in Redis | Keep carts in tables
Logs are written in JSON | Logs are kept for 30 days
Sessions last one hour | Tokens last two days
Use Kafka for events | Events have a version
Use Kafka for events | Kafka for the events of orders
No feature flags | We do without feature flags
Services talk over gRPC | Services are written in Go
Deploy to Kubernetes | Deploy every day
The API is public | The API has versions
Uploads are asynchronous | Uploads are at most 50 MB
Two approvals for each change | Approvals expire
Use React for the web application | Use React Query for the web application
Use React for the web application | Use Vitest for tests
Store secrets in Vault | Store certificates in Vault
Drop support for Windows | Support for Linux
Enable telemetry by default | Telemetry is sent once a day
Tests run on GitHub Actions | Tests have no network
Render pages on the server | Pages have one layout
Authentication: passkeys | Authorisation: roles
Monorepo for all packages | All packages have one version
Terraform for infrastructure | Terraform modules live in one folder
Release weekly | Release notes are written by hand
Requests time out after 5 seconds | Jobs time out after 30 minutes
Search runs on PostgreSQL | Search finds word forms
Avoid ORMs | SQL is written by hand
Send mail with SES | Mail is queued
Python for the importer | The importer keeps every row
Cache pages at the edge | Cache images in the browser
`;

function pairs(text: string): [string, string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [first = '', second = ''] = line.split(' | ');
      return [first, second];
    });
}

function decisionTitled(title: string): DecisionText {
  return { title, decision: '', context: '', tags: [], options: [] };
}

function findContradiction([first, second]: readonly [string, string]): string | undefined {
  return contradictionOf(decisionTitled(first), { ...decisionTitled(second), status: 'accepted' });
}

test('of titles that contradict each other four in five are told, and seven in ten of those told do', () => {
  const found = pairs(CONTRADICTING).filter((pair) => findContradiction(pair) !== undefined);
  const wrong = pairs(COMPATIBLE).filter((pair) => findContradiction(pair) !== undefined);

  expect(found.length / pairs(CONTRADICTING).length).toBeGreaterThanOrEqual(0.8);
  expect(found.length / (found.length + wrong.length)).toBeGreaterThanOrEqual(0.7);
});

test.each([
  [
    'Use PostgreSQL for orders',
    'Use MySQL for orders',
    'one chooses "PostgreSQL" and the other "MySQL" for the same: orders',
  ],
  [
    'Keep sessions in Redis',
    'Sessions are kept in tables',
    'one chooses "Redis" and the other "tables" for the same: sessions',
  ],
  ['Keep backups for 30 days', 'Keep backups for 90 days', 'one says "30 days" and the other "90 days"'],
  ['The API is public', 'The API is private', 'one says "public" and the other "private"'],
  ['Use Kafka for events', 'We will not use Kafka', 'one moves away from "Kafka", which the other chooses'],
])('%s and %s: the reason is in their own words', (first, second, reason) => {
  expect(findContradiction([first, second])).toBe(reason);
});
