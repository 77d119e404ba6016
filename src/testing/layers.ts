import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Bottom to top. A folder may import lower layers, and in its own layer the folders it names, all of which stand before it. */
export const LAYERS: Record<string, string[]>[] = [
  { kernel: [] },
  { platform: [] },
  { text: [] },
  {
    accounts: [],
    backups: ['accounts'],
    keys: ['accounts'],
    repositories: ['accounts'],
    languages: [],
    indexes: ['repositories'],
    'code-index': ['languages', 'indexes'],
    code: ['languages', 'indexes', 'code-index'],
    commits: ['languages', 'indexes', 'code-index', 'code'],
    localise: ['languages', 'indexes', 'code', 'commits'],
    knowledge: ['accounts'],
    anchors: ['repositories', 'languages', 'indexes', 'code-index', 'code', 'commits'],
    documents: ['accounts', 'knowledge'],
    signals: ['accounts', 'repositories', 'indexes', 'localise', 'knowledge'],
    plans: ['accounts', 'repositories', 'indexes', 'code', 'commits', 'knowledge', 'anchors', 'signals'],
    decisions: ['accounts', 'repositories', 'knowledge', 'anchors', 'documents', 'signals', 'plans'],
    competitors: ['accounts', 'knowledge'],
    graph:
      'accounts repositories languages indexes code-index code anchors documents signals plans decisions competitors'.split(
        ' ',
      ),
    search: 'repositories indexes code-index code commits knowledge documents signals plans decisions'.split(' '),
    evidence: ['languages', 'indexes', 'code', 'commits', 'signals', 'competitors', 'graph', 'search'],
    answers: ['languages', 'indexes', 'code', 'commits', 'localise', 'evidence'],
    artifacts: ['indexes', 'commits', 'plans', 'graph'],
    trackers: ['accounts', 'repositories', 'plans'],
    overview: ['accounts', 'keys', 'repositories'],
  },
  { mcp: [], http: ['mcp'], worker: [], cli: [] },
  { testing: [] },
];
/** Where slices stand, and the doors that serve them. */
export const [SLICES, DOORS] = [3, 4] as const;

/** Each has a room of its own and knows no other; only the components of Vue and Svelte hold another one. */
const LANGUAGE_ROOMS = readdirSync(join(import.meta.dirname, '../languages')).filter(
  (name) => !name.includes('.') && !['facts', 'walk', 'component', 'extract'].includes(name),
);

/**
 * The rooms of a folder, bottom to top, each with those of the same folder that it may use, all of which stand before it;
 * `.` are the files that lie directly in the folder.
 */
export const ROOMS: Record<string, Record<string, string[]>> = {
  platform: { operation: [], '.': ['operation'], git: ['.'], embedded: ['.'], backup: ['.'] },
  languages: {
    facts: [],
    walk: ['facts'],
    ...Object.fromEntries(LANGUAGE_ROOMS.map((language) => [language, ['facts', 'walk']])),
    component: ['facts', 'walk', 'typescript'],
    '.': ['facts', 'walk', ...LANGUAGE_ROOMS, 'component'],
    extract: ['facts', 'walk', '.'],
  },
  indexes: { shards: [], '.': ['shards'] },
  'code-index': {
    format: [],
    program: ['format'],
    extract: ['format', 'program'],
    'offered-names': ['extract'],
    names: ['program'],
    evaluation: ['program', 'names'],
    resolve: ['format', 'program', 'names', 'evaluation'],
    'past-symbols': ['format', 'extract', 'offered-names', 'program'],
    scip: ['format', 'program'],
    refine: ['extract', 'program', 'names', 'scip'],
    shard: ['format', 'resolve'],
    '.': ['format', 'extract', 'resolve', 'refine', 'shard'],
    update: ['format', 'extract', 'program', 'names', 'evaluation', 'resolve', 'shard', '.'],
  },
  code: {
    pattern: [],
    entries: [],
    files: ['pattern'],
    comments: ['files'],
    grep: ['pattern', 'files'],
    stored: ['files'],
    usages: ['files', 'grep'],
    smells: ['files', 'stored', 'usages'],
    symbols: ['pattern', 'files', 'usages'],
    heritage: ['files', 'usages', 'symbols'],
    ranking: ['files', 'symbols'],
    units: ['files', 'symbols', 'ranking'],
    dependencies: ['entries', 'files', 'usages', 'symbols'],
    'dead-code': ['entries', 'files', 'stored', 'usages', 'symbols', 'dependencies'],
    map: ['files', 'stored', 'symbols', 'dependencies'],
    reach: ['files', 'usages', 'symbols', 'dependencies', 'dead-code', 'map'],
    summaries: ['stored', 'smells', 'dead-code', 'map'],
    localise: ['files', 'symbols', 'usages', 'ranking', 'map'],
    catalog: ['pattern', 'grep', 'symbols', 'ranking', 'units'],
    queries:
      'files comments grep smells usages symbols ranking units localise dependencies dead-code heritage map reach'.split(
        ' ',
      ),
    places: ['files', 'symbols', 'queries'],
    outputs: [],
    naming: [],
    history: [],
    answers:
      'catalog comments smells usages dependencies dead-code ranking queries outputs naming history heritage map reach'.split(
        ' ',
      ),
    embeddings: ['ranking', 'queries'],
    reading: ['files', 'usages', 'symbols', 'map'],
    '.': 'catalog files comments smells ranking localise outputs queries naming history answers embeddings'.split(' '),
  },
  commits: {
    classify: [],
    mine: ['classify'],
    queries: ['classify', 'mine'],
    removals: ['classify', 'mine', 'queries'],
    compare: ['classify', 'mine', 'queries', 'removals'],
    outputs: [],
    ask: ['classify', 'mine', 'queries', 'removals', 'compare', 'outputs'],
    files: ['classify', 'mine', 'queries'],
    '.': ['mine', 'queries', 'removals', 'outputs', 'ask', 'files'],
  },
  graph: {
    model: [],
    routes: [],
    build: ['model', 'routes'],
    queries: ['model', 'build'],
    stored: ['build', 'queries'],
    written: ['model'],
    edits: [],
    '.': ['model', 'queries', 'written', 'edits'],
  },
  anchors: { mentions: [], store: [], lookups: ['store'], '.': ['mentions', 'store', 'lookups'] },
  competitors: {
    page: [],
    detect: ['page'],
    fetch: [],
    render: ['fetch'],
    store: ['page', 'detect', 'fetch'],
    watch: ['page', 'detect', 'fetch', 'render', 'store'],
    ask: ['page', 'detect', 'store', 'watch'],
    '.': ['page', 'detect', 'fetch', 'render', 'store', 'watch', 'ask'],
  },
  evidence: { model: [], feedback: ['model'], facts: ['model'], '.': ['model', 'facts'] },
  answers: { model: [], runs: [], bugs: ['runs'], '.': ['model'], research: ['model', 'runs', '.'] },
  knowledge: { '.': [], vectors: ['.'] },
  accounts: { oidc: [], '.': ['oidc'] },
  repositories: {
    source: [],
    '.': ['source'],
    fetches: ['.'],
    runs: ['.', 'fetches'],
    webhooks: ['.'],
    organizations: ['.'],
  },
  signals: {
    language: [],
    tones: ['language'],
    grouping: ['language'],
    customers: [],
    counts: [],
    links: ['language', 'grouping'],
    '.': ['language', 'grouping', 'customers', 'links'],
    emergence: ['.'],
    import: ['.'],
    webhooks: ['.', 'import'],
    sources: ['.', 'import'],
  },
  plans: {
    text: [],
    store: ['text'],
    keep: ['text', 'store'],
    export: ['text', 'store', 'keep'],
    '.': ['text', 'store', 'keep', 'export'],
  },
};

/** Rooms that are a format: whoever reads it opens the file that says it, as a face would only repeat their names. */
export const OPEN_ROOMS = ['languages/facts', 'code-index/format', 'evidence/model'];
