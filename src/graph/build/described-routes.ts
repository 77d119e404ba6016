import { mayDescribe, readOperations } from '../routes/routes.ts';
import type { RouteNode } from './add-routes.ts';
import { routesFor } from './link-requests.ts';
import { fileNode, type GraphDraft } from './repository-graph.ts';
import type { SymbolLookup } from './symbol-lookup.ts';
import type { TextFindings } from './text-findings.ts';

type DescribedOperation = ReturnType<typeof readOperations>[number];

/**
 * Routes that an OpenAPI description has and no code states, each served by the function that is called as its operation. Of
 * those that code states the description is another place. What nothing here serves is somebody else's interface.
 */
export function describedRoutes(
  draft: GraphDraft,
  lookup: SymbolLookup,
  { findings, routes }: { findings: TextFindings; routes: readonly RouteNode[] },
): RouteNode[] {
  const described = new Map<string, RouteNode>();
  for (const file of draft.input.files.filter(({ path, isTest }) => !isTest && mayDescribe(path))) {
    const operations = findings.of('operations', file.id, (text) => {
      const own = readOperations(text);
      return own.length === 0 ? undefined : own;
    });
    const serving = servingFunctions(draft, lookup, operations ?? []);
    for (const operation of operations ?? []) {
      const { method, path, line } = operation;
      const key = `${method} ${path}`;
      const source = `${file.path}:${line}`;
      const [earlier, symbol] = [described.get(key), serving.get(operation)];
      const stated = earlier === undefined ? routesFor(operation, routes) : [earlier];
      const home = symbol === undefined ? undefined : draft.input.files[draft.input.fileOfSymbol(symbol)];
      if (stated.length === 0 && symbol !== undefined && home !== undefined) {
        const node = draft.add({ kind: 'route', key, name: key, path: file.path, line });
        draft.link({ from: node, to: symbol, relation: 'routes', grade: 'name', source });
        const route = { method, path, node, files: [home], isServed: true };
        described.set(key, route);
        stated.push(route);
      }
      for (const { node } of stated)
        draft.link({ from: fileNode(draft.input, file.id), to: node, relation: 'contains', grade: 'stated', source });
    }
  }
  return [...described.values()];
}

/**
 * The functions that are called as operations: of several of one name the one in a file that serves another operation by the
 * only function of its name.
 */
function servingFunctions(
  { input }: GraphDraft,
  lookup: SymbolLookup,
  operations: readonly DescribedOperation[],
): Map<DescribedOperation, number> {
  const candidates = operations.map((operation) => {
    const { operation: id } = operation;
    const named = id === '' ? [] : lookup.functionsNamed(camelCased(id));
    return { operation, symbols: named.length > 0 || id === '' ? named : lookup.functionsNamed(id) };
  });
  const alone = candidates.flatMap(({ symbols }) => (symbols.length === 1 ? symbols : []));
  const homes = new Set(alone.map((symbol) => input.fileOfSymbol(symbol)));
  return new Map(
    candidates.flatMap(({ operation, symbols }) => {
      const inHomes = symbols.filter((symbol) => homes.has(input.fileOfSymbol(symbol)));
      const [symbol, other] = symbols.length === 1 ? symbols : inHomes;
      return symbol === undefined || other !== undefined ? [] : [[operation, symbol] as const];
    }),
  );
}

/** `list_owners` and `list-owners` as generated code spells them. */
function camelCased(id: string): string {
  return id.replaceAll(/[-_.](\w)/g, (_, letter: string) => letter.toUpperCase());
}
