import type { ActionCommand } from '../platform/operation/operation.ts';
import tools from './tools.json' with { type: 'json' };

/** An argument of an operation as `tools/list` publishes it. */
export interface Argument {
  type: string;
  description?: string;
  enum?: readonly string[];
  default?: unknown;
  items?: { type: string; enum?: readonly string[] };
}

/** An operation as `tools/list` publishes it, with its commands. */
interface PublishedTool {
  name: string;
  inputSchema: { properties: Readonly<Record<string, Argument>> };
  commands?: { heading: string; actions: Readonly<Record<string, ActionCommand>> };
}

/** A command, and the call that it makes. */
export interface OperationCommand extends ActionCommand {
  /** Heading of its group in `svc --help`. */
  heading: string;
  operation: string;
  action?: string;
  arguments: Readonly<Record<string, Argument>>;
}

/** Every action of the operations that declare commands, and each such operation without actions, as a command. */
export function operationCommands(): OperationCommand[] {
  // The tests compare the file with the declarations of the operations.
  const published: readonly PublishedTool[] = tools as readonly unknown[] as readonly PublishedTool[];
  return published.flatMap(({ name: operation, inputSchema: { properties }, commands }) =>
    Object.entries(commands?.actions ?? {}).map(([action, command]): OperationCommand => ({
      ...command,
      heading: commands?.heading ?? '',
      operation,
      ...(action !== '' && { action }),
      arguments: properties,
    })),
  );
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
