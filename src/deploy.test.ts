import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { BlobStore } from './platform/blobs.ts';
import { readConfig, describeConfig } from './platform/config.ts';
import { createMetrics } from './platform/metrics.ts';
import { addStateMetrics } from './service-metrics.ts';
import { keyQuotasUsed, quotasUsed } from './testing/quotas.ts';

const FOLDER = join(import.meta.dirname, '../deploy');
const files = readdirSync(FOLDER);
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

const execute = async (): Promise<never> => Promise.reject(new Error('There is no database here.'));

/** Metrics of the service, with those that a histogram adds. */

async function metricNames(): Promise<Set<string>> {
  const metrics = createMetrics();
  const database = { execute, connections: () => undefined } as unknown as Parameters<
    typeof addStateMetrics
  >[0]['database'];
  const blobs = {} as BlobStore;
  const quotas = quotasUsed({});
  const config = { dataDir: FOLDER, blobUrl: FOLDER };
  const readers = { traffic: { asked: 0, opened: 0 } };
  addStateMetrics({ metrics, database, config, blobs, readers, quotas, ...keyQuotasUsed({}), now: () => new Date() });
  const { body } = await metrics.render();
  const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
}

/** The names in a query that are followed by labels, a range or nothing: neither functions nor labels. */
function metricsOf(query: string): string[] {
  const plain = query
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b(?:by|without)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\{[^}]*\}/g, ' ');
  return [...plain.matchAll(/\b[a-z_]+\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => /_|^repositories$/.test(name));
}

test('rules for alerts and the dashboard ask for metrics that the service has', async () => {
  const names = await metricNames();
  const { groups } = parse(read('alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const queries = [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  const queried = queries.flatMap(metricsOf);

  expect(queries.length).toBeGreaterThan(15);
  expect(new Set(queried).size).toBeGreaterThan(12);
  expect(queried.filter((name) => !names.has(name))).toEqual([]);
});

test('files for deployment set only settings that exist, and start commands that exist', () => {
  const settings = new Set(describeConfig(readConfig({})).map(({ name }) => name));
  const named = files.flatMap((name) =>
    [...read(name).matchAll(/\b(?:SVC_[A-Z_]+|DATABASE_URL)\b/g)].map(([setting]) => setting),
  );
  const compose = files
    .filter((name) => name.startsWith('compose'))
    .map((name) => parse(read(name), { merge: true }) as Compose);
  const commands = compose.flatMap(({ services }) =>
    Object.values(services).flatMap(({ command }) => (command === undefined ? [] : [command])),
  );

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !settings.has(name))).toEqual([]);
  expect(commands).toEqual([['serve', '--no-work'], ['serve', '--no-work'], ['worker'], ['worker']]);
  expect(
    compose.flatMap(({ services }) => Object.values(services)).filter(({ volumes }) => volumes === undefined),
  ).toEqual([]);
});

interface Compose {
  services: Record<string, { command?: string[]; volumes?: string[] }>;
}

test('the image has what the package has', () => {
  const { files: packed } = JSON.parse(readFileSync(join(FOLDER, '../package.json'), 'utf8')) as { files: string[] };
  const copied = new Set(
    [...read('Dockerfile').matchAll(/^COPY --from=build \/build\/(\S+) (\S+)$/gm)].map(([, from]) => from),
  );

  expect(copied).toEqual(new Set([...packed, 'node_modules', 'package.json']));
  expect(read('Dockerfile')).toMatch(/^USER svc$/m);
  // Parsers and the compiler are optional packages.
  expect(read('Dockerfile')).not.toMatch(/--omit=optional/);
});

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd accepts the unit and calls its exposure low', () => {
  const unit = join(FOLDER, 'svc.service');

  expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
  const report = execFileSync('systemd-analyze', ['security', '--offline=yes', unit], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(Number(/Overall exposure level for svc\.service: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(2.5);
});
