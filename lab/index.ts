import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBlobStore } from '../src/platform/blobs.ts';
import { benchIndexing, indexOnce } from './indexing.ts';
import { type DoneJob, doJobs, jobRows } from './jobs/jobs.ts';
import { benchKeys } from './keys.ts';
import { benchService } from './mcp.ts';
import { benchGrowth } from './peers/growth.ts';
import { benchPeers } from './peers/peers.ts';
import { benchQueries } from './queries.ts';
import { type Row, tableOf } from './report.ts';
import { benchReplicas } from './replicas.ts';
import { benchScale } from './scale.ts';
import { benchSearches } from './searches.ts';
import { benchSoak } from './soak.ts';
import { sourceAt } from './source.ts';
import { benchWeb } from './web.ts';

const USAGE = `npm run bench [-- [--json] [--only index,query,service,searches,keys,web,soak,scale,replicas,jobs] [--minutes 60] [--sizes 25,100,500] [--peers [--growth]] <git repository> ...]

Measures this checkout, or the repositories given (checkouts or bare ones, which are only read). It uses no network and
takes one to three minutes a repository, and two for keys and the web application. Read ratios: times depend on the
machine and on what else it does.

Left out without \`--only\`: \`soak\`, which does everything at once for as long as \`--minutes\` says, and counts what failed or
was lost; \`searches\`, which searches while 10,000 signals come in; \`scale\`, which serves so many generated repositories
(\`--sizes\`) beside those given, and 100,000 signals;
\`replicas\`, which asks three replicas on one database and object storage, and holds 2,000 idle streams; and
\`jobs\`, which takes clones of the repositories of lab/jobs/jobs.json with the commits that it names.

\`--peers\` measures nothing else: it installs svc, as packed from here, and other programs into a scratch folder (\`--scratch\`,
which stays; \`--only svc,ctags\` picks) and prints one table a checkout: what they cost, without a running service, and how
right they are on the cases that the graders of \`EVAL_DIR\` and lab/jobs have for it. It needs the package registries. With
\`--growth\` it indexes an eighth, a quarter, half and all of the files of each repository instead, and prints one table of all.`;

/** Measured for each repository. */
const REPOSITORY_TOPICS = ['index', 'query', 'service'];
const TOPICS = [...REPOSITORY_TOPICS, 'keys', 'web'];
const SOAK = 'soak';
const SEARCHES = 'searches';
const JOBS = 'jobs';
const SCALE = 'scale';
const REPLICAS = 'replicas';

// As bin/svc.mjs sets it for the service: what was compiled is kept.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compile');

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    sizes: { type: 'string', default: '25,100,500' },
    peers: { type: 'boolean' },
    growth: { type: 'boolean' },
    scratch: { type: 'string' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
const topics = new Set(values.only?.split(',') ?? TOPICS);
const unknown = (values.peers === true ? [] : [...topics]).filter(
  (topic) => ![...TOPICS, SOAK, SEARCHES, JOBS, SCALE, REPLICAS].includes(topic),
);
if (values.help === true || unknown.length > 0) {
  console.log(USAGE);
  process.exitCode = unknown.length > 0 ? 1 : 0;
} else await main(positionals.length > 0 ? positionals : [join(import.meta.dirname, '..')]);

async function main(paths: readonly string[]): Promise<void> {
  const results: { repository: string; commit: string; rows: Row[] }[] = [];
  const show = (repository: string, commit: string, rows: Row[]): void => {
    results.push({ repository, commit, rows });
    if (values.json !== true) console.log(tableOf(`${repository} ${commit.slice(0, 12)}`.trim(), rows));
  };
  if (values.json !== true) console.log(describe(machine()));
  if (values.peers === true) {
    const options = { scratch: values.scratch, names: values.only?.split(','), graders: process.env['EVAL_DIR'] };
    if (values.growth === true) console.log(await benchGrowth(paths, options));
    else for (const path of paths) console.log(await benchPeers(path, options));
    return;
  }
  for (const path of [...REPOSITORY_TOPICS, SOAK].some((topic) => topics.has(topic)) ? paths : []) {
    const source = sourceAt(path);
    show(source.name, source.commit, await benchRepository(path));
  }
  for (const path of topics.has(SEARCHES) ? paths : []) {
    const { name, commit, gitDir } = sourceAt(path);
    show(name, commit, await benchSearches(gitDir));
  }
  if (topics.has(JOBS)) show('jobs', '', await benchJobs(paths));
  if (topics.has(SCALE))
    show(
      'scale',
      '',
      await benchScale(
        values.sizes.split(',').map(Number),
        positionals.map((path) => sourceAt(path).gitDir),
      ),
    );
  if (topics.has(REPLICAS)) show('replicas', '', await benchReplicas());
  if (topics.has('keys')) show('keys', '', await benchKeys());
  if (topics.has('web')) show('web application', '', await benchWeb());
  if (values.json === true) console.log(JSON.stringify({ machine: machine(), results }));
  else console.log(describe(machine()));
}

async function benchJobs(paths: readonly string[]): Promise<Row[]> {
  const done: DoneJob[] = [];
  for (const path of paths) done.push(...(await doJobs(path)));
  return jobRows(done);
}

async function benchRepository(path: string): Promise<Row[]> {
  const source = sourceAt(path);
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  try {
    const workspace = { folder, blobs: await openBlobStore(join(folder, 'blobs')) };
    const indexed = topics.has('index')
      ? await benchIndexing(workspace, source)
      : { rows: [], ...(await indexOnce(workspace, source)) };
    const { shard, sourceBytes } = indexed;
    const rows: Row[] = indexed.rows;
    if (topics.has('query')) rows.push(...(await benchQueries(workspace, { ...source, shard, sourceBytes })));
    if (topics.has('service'))
      rows.push(...(await benchService(source.gitDir, await workspace.blobs.path(shard.hash))));
    if (topics.has(SOAK))
      rows.push(...(await benchSoak(source.gitDir, await workspace.blobs.path(shard.hash), Number(values.minutes))));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Machine {
  date: string;
  node: string;
  cores: number;
  processor: string;
  memoryGb: number;
  load: number;
}

/** The class of the machine, and how busy it is. */
function machine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1e9),
    load: loadavg()[0] ?? 0,
  };
}

function describe({ date, node, cores, processor, memoryGb, load }: Machine): string {
  return `${date}, Node ${node}, ${cores} cores (${processor}), ${memoryGb} GB of memory, load ${load.toFixed(1)}`;
}
