import { namedIn, readRoutes } from '../graph/routes/routes.ts';

/** `GET /users/:id show` for each route, then `/api < users` for each mount, then `-> GET /users` for each request. */
export function describeRoutes(
  language: string,
  text: string,
  { path = 'src/a', named = namedIn(text) } = {},
): string[] {
  const { routes, mounts, clients } = readRoutes({ path, language, text }, named);
  return [
    ...routes.map(({ method, path: url, handler }) => {
      const by =
        handler === undefined
          ? ''
          : 'name' in handler
            ? handler.name
            : 'named' in handler
              ? `${handler.named}#${handler.member}`
              : `line ${handler.definedFrom}`;
      return `${method} ${url} ${by}`.trim();
    }),
    ...mounts.map(({ prefix, name }) => `${prefix} < ${name}`),
    ...clients.map(({ method, path: url }) => `-> ${method} ${url}`),
  ];
}
