import { type ParsedRoute, HTTP_METHODS, joinPaths } from './parsed-routes.ts';

const CODE_ENDING = /\.[cm]?[jt]sx?$/;

/**
 * Routes that the place of a file makes: `app/users/[id]/route.ts` and `pages/api/users.ts` of Next, `src/routes/users/+server.ts`
 * of SvelteKit. Pages are routes with the method GET. `exported` are the names that the file offers.
 */
export function fileRoutes(
  path: string,
  exported: readonly { name: string; line: number }[],
  named: ReadonlySet<string>,
): ParsedRoute[] {
  if (named.has('next')) {
    const route = nextRoute(path);
    if (route !== undefined) return routesOf(route, exported);
  }
  const svelte = named.has('sveltekit')
    ? /(?:^|\/)src\/routes\/(.*?)\+(server\.[jt]s|page\.svelte|page\.server\.[jt]s)$/.exec(path)
    : null;
  if (svelte === null) return [];
  const [, folder = '', file = ''] = svelte;
  if (file.startsWith('page.server')) return [];
  return routesOf({ path: urlOf(folder), isPage: file === 'page.svelte' }, exported);
}

interface PlacedRoute {
  path: string;
  isPage: boolean;
}

function nextRoute(path: string): PlacedRoute | undefined {
  if (!CODE_ENDING.test(path)) return undefined;
  const app = /(?:^|\/)app\/(.*?)(route|page)\.[cm]?[jt]sx?$/.exec(path);
  if (app !== null) return { path: urlOf(app[1] ?? ''), isPage: app[2] === 'page' };
  const pages = /(?:^|\/)pages\/(.+)\.[cm]?[jt]sx?$/.exec(path)?.[1];
  if (pages === undefined || /(?:^|\/)_(?:app|document|error)$|\.(?:test|spec|d)$/.test(pages)) return undefined;
  return { path: urlOf(pages.replace(/(?:^|\/)index$/, '')), isPage: !pages.startsWith('api/') };
}

/** Groups in parentheses and slots are no part of the address; `[id]` and `[...rest]` are parameters. */
function urlOf(folders: string): string {
  const parts = folders.split('/').filter((part) => part !== '' && !/^(?:\(.*\)|@.*)$/.test(part));
  return joinPaths(...parts.map((part) => part.replaceAll(/\[+(?:\.\.\.)?([\w-]+)(?:=\w+)?\]+/g, ':$1')));
}

function routesOf({ path, isPage }: PlacedRoute, exported: readonly { name: string; line: number }[]): ParsedRoute[] {
  const own = exported.filter(({ name }) => HTTP_METHODS.includes(name));
  if (isPage || own.length === 0) {
    const handler = isPage ? undefined : exported[0];
    const served = handler === undefined ? undefined : { definedFrom: handler.line };
    return [{ method: isPage ? 'GET' : 'ANY', path, line: handler?.line ?? 1, handler: served, router: '' }];
  }
  return own.map(({ name, line }) => ({ method: name, path, line, handler: { definedFrom: line }, router: '' }));
}
