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

/** The same of other subjects, written before the rules were tried on them. */
const MORE_CONTRADICTING = `
Store uploaded invoices in S3 | Store uploaded invoices on the local disk
Authenticate partners with mutual TLS | Authenticate partners with API keys
Use Kotlin for the Android app | Use React Native for the Android app
Keep audit entries for seven years | Keep audit entries for ninety days
Deploy on Fridays is allowed | Deploy on Fridays is forbidden
Render receipts on the server | Render receipts in the browser
Money is stored as integers of cents | Money is stored as decimals
Use RabbitMQ between billing and shipping | Use HTTP calls between billing and shipping
One repository for all services | Each service has its own repository
Feature flags are kept in LaunchDarkly | Feature flags are kept in a table of the database
Soft delete customers | Delete customers for good
Use Terraform for infrastructure | Use Pulumi for infrastructure
Run database migrations at start-up | Run database migrations in a separate job before the release
Pin all dependencies to exact versions | Use version ranges for dependencies
Expose GraphQL to partners | Expose REST only to partners
Retry payments three times | Never retry payments
Serve images through Cloudflare | Serve images through our own nginx
Write logs as JSON | Write logs as plain text
Use UUIDs as primary keys | Use sequential integers as primary keys
Test against a real PostgreSQL | Mock the database in tests
Squash pull requests when merging | Keep all commits of a pull request when merging
Search runs on Elasticsearch | Search runs on PostgreSQL full text
Sessions live in signed cookies | Sessions live in Redis
Cache prices for one hour | Cache prices for five minutes
Adopt Tailwind for styling | Adopt CSS modules for styling
Send e-mail through Amazon SES | Send e-mail through Mailgun
Background jobs run in Sidekiq | Background jobs run in the database with Que
Errors are reported to Sentry | Errors are reported to Rollbar
Timestamps are stored in UTC | Timestamps are stored in the time zone of the shop
Encrypt backups with a customer key | Backups are not encrypted
`;

const MORE_COMPATIBLE = `
Store uploaded invoices in S3 | Scan uploaded invoices with ClamAV
Authenticate partners with mutual TLS | Authenticate employees with SAML
Use Kotlin for the Android app | Use Swift for the iOS app
Keep audit entries for seven years | Keep web logs for ninety days
Deploy on Fridays is forbidden | Deploys need two approvals
Render receipts on the server | Render charts in the browser
Money is stored as integers of cents | Weights are stored as integers of grams
Use RabbitMQ between billing and shipping | Name queues after the consuming service
One repository for all services | One pipeline builds all services
Feature flags are kept in a table of the database | Settings are kept in environment variables
Soft delete customers | Archive orders after two years
Use Terraform for infrastructure | Keep the Terraform state in S3
Run database migrations in a separate job before the release | Write migrations that can be rolled back
Pin all dependencies to exact versions | Update dependencies with Renovate every week
Expose REST only to partners | Version the REST API by path
Retry payments three times | Refund failed payments within a day
Serve images through Cloudflare | Resize images at upload
Write logs as JSON | Ship logs to Loki
Use UUIDs as primary keys | Use sequential numbers on invoices
Test against a real PostgreSQL | Mock the payment provider in tests
Squash pull requests when merging | Write conventional commit messages
Search runs on PostgreSQL full text | Autocomplete runs on a trie in memory
Sessions live in signed cookies | Sessions end after eight hours
Cache prices for five minutes | Cache product pages for one hour
Adopt Tailwind for styling | Adopt Storybook for components
Send e-mail through Amazon SES | Send text messages through Twilio
Background jobs run in Sidekiq | Scheduled jobs start at night
Errors are reported to Sentry | Metrics are reported to Prometheus
Timestamps are stored in UTC | Dates of birth are stored without a time zone
Encrypt backups with a customer key | Take backups every six hours
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

test.each([
  ['the first pairs', CONTRADICTING, COMPATIBLE],
  ['pairs of other subjects', MORE_CONTRADICTING, MORE_COMPATIBLE],
])(
  'of %s seven in ten contradictions are found, and eight in ten of those found are some',
  (_, contradicting, others) => {
    const contradicted = pairs(contradicting).filter((pair) => findContradiction(pair) !== undefined);
    const wrong = pairs(others).filter((pair) => findContradiction(pair) !== undefined);

    expect(contradicted.length / pairs(contradicting).length).toBeGreaterThanOrEqual(0.7);
    expect(contradicted.length / (contradicted.length + wrong.length)).toBeGreaterThanOrEqual(0.8);
  },
);

test('what a text moves away from counts when it is what the other chooses, not a word of its title', () => {
  const decision = 'We use Mailbox.IO Send instead of Mailbox.IO Notify.';
  const moves = { ...decisionTitled('Use Mailbox.IO Send'), decision };
  const reasonFor = (title: string): string | undefined =>
    contradictionOf(moves, { ...decisionTitled(title), status: 'accepted' });

  expect(reasonFor('Use Mailbox.IO Notify for receipts')).toBe(
    'one moves away from "Mailbox.IO Notify", which the other chooses',
  );
  expect(reasonFor('Use the Mailbox.IO design system')).toBeUndefined();
  expect(reasonFor('Store letters in an API')).toBeUndefined();
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
  ['Keep backups for 30 days', 'Keep backups for 90 days', 'one says "30" and the other "90"'],
  ['The API is public', 'The API is private', 'one says "public" and the other "private"'],
  ['Encrypt backups', 'Backups are not encrypted', 'one says "not Encrypt", and the other does that'],
  [
    'Use passwords for login',
    'Use Keyring and its gem to manage login with codes',
    'one chooses "passwords" and the other "Keyring and its gem" for the same: login',
  ],
  ['Use Kafka for events', 'We will not use Kafka', 'one moves away from "Kafka", which the other chooses'],
])('%s and %s: the reason is in their own words', (first, second, reason) => {
  expect(findContradiction([first, second])).toBe(reason);
});

test('of titles that name a topic the texts decide: two answers to one question, and no two questions', () => {
  const decisionOf = (title: string, decision: string) => ({
    ...decisionTitled(title),
    decision,
    status: 'accepted' as const,
  });
  const ingress = {
    ...decisionTitled('Ingress'),
    decision: 'We run the Istio gateway in each cluster, for all tenants.',
  };

  expect(
    contradictionOf(ingress, decisionOf('Ingress', 'A load balancer of the cloud leads to one nginx per tenant.')),
  ).toBe('both decide on "Ingress", with different texts');
  expect(
    contradictionOf(ingress, decisionOf('Ingress', 'We run the Istio gateway in each cluster for all of the tenants.')),
  ).toBeUndefined();
  const language = { ...decisionTitled('Server language'), decision: 'Go, because the team knows it.' };
  expect(
    contradictionOf(language, decisionOf('Browser language', 'TypeScript, because it is checked.')),
  ).toBeUndefined();
});

test('the first sentence of a decision says what was chosen where its title does not', () => {
  const queue = { ...decisionTitled('Transport of events'), decision: 'We will use Kafka for events. It is proven.' };
  const table = {
    ...decisionTitled('Outbox'),
    decision: 'We will use PostgreSQL for events.',
    status: 'accepted' as const,
  };

  expect(contradictionOf(queue, table)).toBe('one chooses "Kafka" and the other "PostgreSQL" for the same: events');
});

test.each([
  ['Migrate from Webpack to Vite', 'Use Webpack for bundles', 'Webpack'],
  ['Replacing Harbor with the registry of the cloud', 'Harbor for images', 'Harbor'],
])('%s moves away from what %s chooses', (first, second, thing) => {
  expect(findContradiction([first, second])).toBe(`one moves away from "${thing}", which the other chooses`);
});
