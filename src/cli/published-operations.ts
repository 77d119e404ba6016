import tools from './tools.json' with { type: 'json' };

/** An argument of an operation as `tools/list` publishes it. */
export interface Argument {
  type: string;
  description?: string;
  enum?: readonly string[];
  default?: unknown;
  items?: { type: string; enum?: readonly string[] };
}

/** An operation as `tools/list` publishes it. */
interface PublishedTool {
  name: string;
  inputSchema: { properties: Readonly<Record<string, Argument>> };
}

/** A command, and the call that it makes. */
export interface OperationCommand {
  name: string;
  /** Heading of its group in `svc --help`. */
  heading: string;
  description: string;
  operation: string;
  action?: string;
  /** Name of the argument that the first word of the command is. */
  subject: string;
  arguments: Readonly<Record<string, Argument>>;
}

/** Operations whose answers are rows or one text. Agents, workflows and decisions have commands of their own. */
const HEADINGS: Readonly<Record<string, string>> = {
  'code-tool': 'Code:',
  'commit-tool': 'History:',
  'search-tool': 'Knowledge:',
  'document-search-tool': 'Knowledge:',
  'spec-export-tool': 'Knowledge:',
  'competitor-tool': 'Knowledge:',
  'entity-analysis-tool': 'Graph:',
};
/** The name of a command, by operation and action: other actions are called as they are. What the list of commands says of it. */
const COMMANDS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  'code-tool map': ['map', 'Packages, entry points and central symbols of a repository or folder'],
  'code-tool search_symbols': ['search-symbols', 'Symbols by name or wildcard'],
  'code-tool definition': ['definition', 'Where a symbol is defined, with its signature or source'],
  'code-tool usages': ['usages', 'Where a symbol is used'],
  'code-tool implementations': ['implementations', 'What implements, overrides or extends a symbol'],
  'code-tool dependencies': ['dependencies', 'Imports and calls of a symbol, file or folder'],
  'code-tool impact': ['impact', 'What a change of a symbol, file or diff reaches'],
  'code-tool semantic_search': ['semantic-search', 'Symbols by what they do'],
  'code-tool grep': ['grep', 'Lines that match a regular expression'],
  'code-tool outline': ['outline', 'Symbols of a file'],
  'code-tool comments': ['comments', 'TODO, FIXME, HACK and comments with reasons'],
  'code-tool dead_code': ['dead-code', 'Symbols that nothing uses'],
  'code-tool smells': ['smells', 'Complex, long, duplicated and cyclic code'],
  'code-tool tests': ['tests', 'Tests of a symbol, file or diff, and the command that runs them'],
  'code-tool files': ['files', 'Files with language, size, last change, owner and role'],
  'commit-tool search': ['commits', 'Commits by words, author, type, path or time'],
  'commit-tool show': ['commit', 'One commit with its files or patch'],
  'commit-tool compare': ['compare', 'What differs between two refs: files, symbols, what breaks'],
  'commit-tool classify': ['commit-types', 'Commits by type'],
  'commit-tool hotspots': ['hotspots', 'Files that change often and are complex'],
  'commit-tool coupling': ['coupling', 'Files that change together'],
  'commit-tool changelog': ['changelog', 'A changelog of a range of commits: v1..v2'],
  'search-tool': ['search', 'One search over code, history and everything that people wrote'],
  'document-search-tool search': ['texts', 'Documents, plans and signals that fit words'],
  'document-search-tool get': ['text', 'One document, plan or signal'],
  'document-search-tool themes': ['themes', 'What signals are about, most customers first'],
  'document-search-tool new': ['new-subjects', 'Subjects that appeared lately'],
  'document-search-tool count': ['count', 'Signals counted by a field'],
  'spec-export-tool': ['spec', 'A plan as a task for an agent'],
  'competitor-tool list': ['competitors', 'Competitors and their watched pages'],
  'competitor-tool changes': ['competitor-changes', 'What competitors changed'],
  'competitor-tool snapshot': ['competitor-text', 'The text of a watched page'],
  'competitor-tool check': ['competitor-check', 'Check watched pages now'],
  'competitor-tool trends': ['competitor-trends', 'Changes of competitors by month'],
  'entity-analysis-tool find': ['entities', 'Entities of the graph by name'],
  'entity-analysis-tool neighbors': ['neighbors', 'What one entity is linked with'],
  'entity-analysis-tool path': ['path', 'How two entities are connected'],
  'entity-analysis-tool map': ['features', 'Features by layers'],
};
/** Actions about a file or folder as a whole. */
const OF_PATHS = new Set(['map', 'outline', 'comments', 'dead_code', 'smells', 'hotspots', 'coupling']);
/** Arguments that hold the subject of other actions. */
const SUBJECTS = ['competitor', 'query', 'entity', 'plan'];

/** Every action of the operations that answer in rows, and each such operation without actions, as a command. */
export function operationCommands(): OperationCommand[] {
  // The tests compare the file with the declarations of the operations.
  const published: readonly PublishedTool[] = tools as readonly unknown[] as readonly PublishedTool[];
  return published.flatMap(({ name: operation, inputSchema: { properties } }) => {
    const heading = HEADINGS[operation];
    if (heading === undefined) return [];
    const actions = properties['action']?.enum ?? [undefined];
    return actions.map((action): OperationCommand => {
      const call = action === undefined ? operation : `${operation} ${action}`;
      const [name, description] = COMMANDS[call] ?? [action ?? operation, call];
      const subject = SUBJECTS.find((key) => key in properties) ?? 'query';
      return {
        name,
        heading,
        description,
        operation,
        ...(action !== undefined && { action }),
        subject: OF_PATHS.has(action ?? '') ? 'path' : subject,
        arguments: properties,
      };
    });
  });
}

/** A call as answers and errors propose it: `code-tool usages query="send" repo="shop"`. */
const CALL =
  /(?<![\w-])([a-z]+(?:-[a-z]+)*-tool)(?: ([a-z_]+)(?![\w=]))?((?: [a-z_]+=(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]|-?\w+))*)/g;

/** An argument that an error proposes without a call: `Add repo="shop"`. */
const ARGUMENT = /(?<=\s)(repo|ref|max_tokens)=(?=["\d])/g;

/** A text of the service with each call that it proposes as the command that makes it, and each argument as an option. */
export function withCommands(text: string): string {
  const commands = operationCommands();
  const called = text.replaceAll(
    CALL,
    (call: string, operation: string, action: string | undefined, argumentText: string) => {
      const command = commands.find((candidate) => candidate.operation === operation && candidate.action === action);
      if (command === undefined) return call;
      const words = [...argumentText.matchAll(/ ([a-z_]+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|-?\w+)/g)].flatMap(
        ([, key = '', value = '']) =>
          key === command.subject ? [value] : listOf(value).map((one) => `--${key.replaceAll('_', '-')} ${one}`),
      );
      return [`svc ${command.name}`, ...words].join(' ');
    },
  );
  return called.replaceAll(ARGUMENT, (_, key: string) => `--${key.replaceAll('_', '-')} `);
}

/** The items of a list, as they are typed. */
function listOf(value: string): string[] {
  if (!value.startsWith('[')) return [value];
  return [...value.matchAll(/"(?:[^"\\]|\\.)*"|-?\w+/g)].map(([item]) => item);
}
