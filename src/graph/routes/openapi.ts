import { isRecord, parseJson } from '../../kernel/json.ts';
import { HTTP_METHODS } from './parsed-routes.ts';

/** An operation that an OpenAPI description names. */
export interface DescribedOperation {
  method: string;
  path: string;
  line: number;
  /** Its `operationId`; '' without one. */
  operation: string;
}

const VERSION = /^\s*(?:\{\s*)?["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]/m;
/** Characters in which a description says what it is. */
const HEAD = 2_000;
const PATH = /^(["']?)(\/[^"'\s]*)\1\s*:/;
const METHOD = new RegExp(`^["']?(${HTTP_METHODS.join('|')})["']?\\s*:`, 'i');
const OPERATION = /^["']?operationId["']?\s*:\s*["']?([\w.-]+)/;

/** The operations of an OpenAPI description as YAML or JSON; none of another text. Linear. */
export function describedOperations(text: string): DescribedOperation[] {
  const head = text.slice(0, HEAD);
  if (!VERSION.test(head) && !/"(?:openapi|swagger)"\s*:\s*"[23]/.test(head)) return [];
  return text.trimStart().startsWith('{') ? operationsOfJson(text) : operationsOfYaml(text);
}

function operationsOfJson(text: string): DescribedOperation[] {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return [];
  let [at, line] = [0, 1];
  const goTo = (key: string): void => {
    const next = text.indexOf(JSON.stringify(key), at);
    if (next === -1) return;
    line += text.slice(at, next).split('\n').length - 1;
    at = next;
  };
  goTo('paths');
  return entriesOf(parsed['paths']).flatMap(([path, item]) => {
    goTo(path);
    return entriesOf(item).flatMap(([name, operation]): DescribedOperation[] => {
      const method = name.toUpperCase();
      if (!path.startsWith('/') || !HTTP_METHODS.includes(method)) return [];
      const id = entriesOf(operation).find(([key]) => key === 'operationId')?.[1];
      return [{ method, path, line, operation: typeof id === 'string' ? id : '' }];
    });
  });
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Reads by indent, as far as paths, methods and their ids need it. */
function operationsOfYaml(text: string): DescribedOperation[] {
  const operations: DescribedOperation[] = [];
  let [isInPaths, path, pathIndent, methodIndent] = [false, '', 0, 0];
  for (const [index, raw] of text.split('\n').entries()) {
    const own = raw.trim();
    if (own === '' || own.startsWith('#')) continue;
    const indent = raw.length - raw.trimStart().length;
    if (indent === 0) [isInPaths, path] = [/^["']?paths["']?\s*:/.test(own), ''];
    else if (isInPaths) {
      const named = PATH.exec(own)?.[2];
      const method = METHOD.exec(own)?.[1];
      if (named !== undefined && (path === '' || indent <= pathIndent))
        [path, pathIndent, methodIndent] = [named, indent, 0];
      else if (path !== '' && method !== undefined && (methodIndent === 0 || indent === methodIndent)) {
        methodIndent = indent;
        operations.push({ method: method.toUpperCase(), path, line: index + 1, operation: '' });
      } else {
        const id = OPERATION.exec(own)?.[1];
        const last = operations.at(-1);
        if (id !== undefined && last !== undefined && last.operation === '' && last.path === path) last.operation = id;
      }
    }
  }
  return operations;
}
