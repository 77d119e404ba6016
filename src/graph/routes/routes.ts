import { readCalls } from './calls.ts';
import { clientCalls } from './clients.ts';
import { goRoutes, rustRoutes, springRoutes } from './compiled.ts';
import type { ClientRequest, ParsedRoutes, RouteSource } from './parsed-routes.ts';
import { nestRoutes, routerRoutes } from './javascript.ts';
import { decoratedRoutes, djangoRoutes } from './python.ts';
import { railsRoutes } from './rails.ts';
import { laravelRoutes } from './laravel.ts';
import { hasTokens, readTokens } from '../../languages/languages.ts';
import { type DescribedOperation, describedOperations } from './openapi.ts';
import { graphqlRequests, graphqlRoutes } from './graphql.ts';
import { trpcCalls, trpcRoutes } from './trpc.ts';

export { fitsRoute } from './clients.ts';
export { readCommands, readsCommands } from './commands.ts';
export { createdTables, tableUses } from './table-uses.ts';
export { fileRoutes } from './file-routes.ts';
export {
  CONTROLLER,
  type ClientRequest as FoundClient,
  type ParsedMount as FoundMount,
  type ParsedRoute as FoundRoute,
  type Handler,
  joinPaths,
} from './parsed-routes.ts';

/** Names in sources and manifests of the libraries whose routes are read. */
const NAMES: readonly (readonly [string, RegExp])[] = [
  ['express', /["'`]express["'`]|\bexpress\(/],
  ['fastify', /["'`]fastify["'`]/],
  ['hono', /["'`](?:hono|@hono\/[\w-]+)(?:\/[\w-]+)?["'`]/],
  ['koa', /["'`](?:koa|@koa\/router|koa-router)["'`]/],
  ['nest', /["'`]@nestjs\/common["'`]/],
  ['next', /["'`]next["'`]\s*:/],
  ['sveltekit', /["'`]@sveltejs\/kit["'`]/],
  ['flask', /^\s*(?:from|import)\s+flask\b|\bflask\b(?=\s*[=<>~"'\]])/im],
  ['fastapi', /^\s*(?:from|import)\s+fastapi\b|\bfastapi\b(?=[\s=<>~"'[\]])/im],
  ['django', /^\s*(?:from|import)\s+django\b|\bdjango\b(?=\s*[=<>~"'\]])/im],
  ['spring', /org\.springframework/],
  ['gin', /github\.com\/gin-gonic\/gin/],
  ['echo', /github\.com\/labstack\/echo/],
  ['chi', /github\.com\/go-chi\/chi/],
  ['fiber', /github\.com\/gofiber\/fiber/],
  ['net/http', /"net\/http"/],
  ['axum', /\baxum(?:::|\b\s*=)/],
  ['actix', /\bactix_web::|\bactix-web\b\s*=/],
  ['rails', /\brails\b|Rails\./],
  ['laravel', /laravel\/(?:framework|lumen)|Illuminate\\/],
  ['huma', /github\.com\/danielgtaylor\/huma/],
  ['trpc', /@trpc\/|\btrpc\b/i],
  [
    'graphql',
    /["'`/@](?:(?:type-)?graphql|apollo|mercurius|urql|ariadne)\b|graphql\.data\.|^\s*(?:from|import)\s+(?:ariadne|strawberry|graphene)(?:_django)?\b/m,
  ],
  ['pothos', /["'`]@pothos\/core["'`]/],
  ['requests', /^\s*(?:from|import)\s+requests\b/m],
  ['httpx', /^\s*(?:from|import)\s+httpx\b/m],
];

/** Returns those of them that a text names. */
export function namedIn(text: string): Set<string> {
  return new Set(NAMES.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])));
}

/**
 * Patterns of routes by language: texts without a match are not read closer. Many calls are named `get`; few are handed a text
 * that begins so.
 */
const MAY_HOLD: Readonly<Record<string, RegExp>> = {
  TypeScript:
    /\.(?:get|post|put|patch|delete|del|head|options|all|on|route|use|register)\s*(?:<[^>]*>)?\(\s*(?:["'`[{]|\w+\s*,\s*\{)|@(?:Controller|Get|Post|Put|Patch|Delete)\(|\.setGlobalPrefix\(|\.enableVersioning\(|\b[rR]outer\(\)|[pP]rocedure\b|\bcreateTRPCRouter\(/,
  Python:
    /@[\w.]+\.(?:get|post|put|patch|delete|head|options|route|api_route)\(|\b(?:urlpatterns|include_router|register_blueprint|add_url_rule|add_api_route|APIRouter|Blueprint)\b/,
  Java: /@\w*Mapping\b/,
  GraphQL: /\w/,
  Go: /\.(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options|Handle|HandleFunc|Method|MethodFunc|Add|Route|Group|Mount)\(\s*(?:"|http\.Method)|\bhuma\.(?:Register|Get|Post|Put|Patch|Delete)\(/,
  Rust: /\.(?:route|nest|nest_service)\(\s*"|\b(?:resource|scope)\(\s*"|#\[(?:get|post|put|patch|delete|head|options)\(/,
  Ruby: /\broutes\.draw\b/,
  PHP: /\bRoute::/,
};

function mayHold(language: string): RegExp | undefined {
  const same: Readonly<Record<string, string>> = { JavaScript: 'TypeScript', Kotlin: 'Java' };
  return MAY_HOLD[same[language] ?? language];
}

/** Routes and requests that are read in one file. */
interface FileRoutes extends Required<ParsedRoutes> {
  clients: ClientRequest[];
}

/** Routes, mounts and requests of a source. `named` are the frameworks that the repository names anywhere. Linear in the text. */
export function readRoutes(
  { path, language, text }: { path: string; language: string; text: string },
  named: ReadonlySet<string>,
): FileRoutes {
  const tokens = readTokens(language, text);
  const calls = readCalls(tokens, language === 'Ruby');
  const source: RouteSource = { path, language, tokens, calls, named, own: namedIn(text) };
  const results = (READERS[language] ?? []).map((read) => read(source));
  const routes = results.flatMap((part) => part.routes);
  // A router may be named as clients are: `api.get('/users', list)`.
  const defined = new Set(routes.map(({ method, line }) => `${method} ${line}`));
  return {
    routes,
    mounts: results.flatMap(({ mounts }) => mounts),
    fields: results.flatMap(({ fields = [] }) => fields),
    clients: [...clientCalls(source), ...trpcCalls(source), ...graphqlRequests(source)].filter(
      ({ method, line }) => !defined.has(`${method} ${line}`),
    ),
  };
}

/** Frameworks by the language of their routes. */
const FRAMEWORKS: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ['express', 'fastify', 'hono', 'koa', 'nest', 'trpc'],
  JavaScript: ['express', 'fastify', 'hono', 'koa', 'nest', 'trpc'],
  Python: ['flask', 'fastapi', 'django'],
  Java: ['spring'],
  Kotlin: ['spring'],
  Go: ['gin', 'echo', 'chi', 'fiber', 'huma', 'net/http'],
  Rust: ['axum', 'actix'],
  Ruby: ['rails'],
  PHP: ['laravel'],
};

/** Matches a text that may hold a schema, an operation or a resolver of GraphQL. */
const MAY_HOLD_GRAPHQL =
  /\btype\s+(?:Query|Mutation|Subscription)\b|\b(?:query|mutation|subscription)\b[^{}"'`]{0,200}\{\s*[\w.]|\bgql\b|\b(?:Query|Mutation|Subscription)(?:\s*:\s*\{|\b[^\n]{0,60}=\s*\{|Mapping\b|\()|(?:Schema|Batch)Mapping\b|@(?:FieldResolver|ResolveField)\(|ObjectType\b|strawberry|[rR]esolvers\b|Resolver\) [A-Z]|^class \w*(?:Query|Mutation|Subscription)\s*[(:]|\.(?:query|mutation|subscription)(?:Type|Fields?)\(|\.(?:objectType|objectRef|(?:prisma|drizzle|simple|loadable)(?:Object|Node))\b/m;

/** Matches a text that may hold a request by path. */
const MAY_REQUEST =
  /\b(?:trpc|fetch\w*|\w+Fetch|ofetch|useSWR|axios\w*|\w+Axios|ky|got|requests|httpx)\b|(?:[cC]lient|[hH]ttp|\b(?:api|session))\s*\.(?:get|post|put|patch|delete)\b|\.(?:GET|POST|PUT|PATCH|DELETE)\(|\b(?:url|path)\s*:\s*["'`]\/|\b(?:http|\w*[rR]equest|\w*[cC]lient)\.(?:Get|Post|Put|Patch|Delete|NewRequest|NewRequestWithContext)\(/;

/** True if a text may hold a route or a request of the frameworks that the repository names. One or two passes of a pattern. */
export function mayHoldRoutes(
  { language, text }: { language: string; text: string },
  named: ReadonlySet<string>,
): boolean {
  const isServed = FRAMEWORKS[language]?.some((framework) => named.has(framework)) ?? false;
  return (
    (isServed && mayHold(language)?.test(text) === true) ||
    language === 'GraphQL' ||
    (hasTokens(language) && (MAY_REQUEST.test(text) || MAY_HOLD_GRAPHQL.test(text)))
  );
}

/** True if a text may hold the names of frameworks. */
export function mayName({ language, text }: { language: string; text: string }): boolean {
  return mayHold(language)?.test(text) === true || MAY_HOLD_GRAPHQL.test(text);
}

/** Names of files and folders that hold descriptions. */
const DESCRIPTION =
  /(?:openapi|swagger|api)[^/]*\.(?:ya?ml|json)$|(?:^|\/)(?:openapi|swagger|api|specs?)\/[^/]*\.(?:ya?ml|json)$/i;

/** True for a file whose name says that it may describe an interface. */
export function mayDescribe(path: string): boolean {
  return DESCRIPTION.test(path);
}

/** The operations of an OpenAPI description as YAML or JSON; none of another text. Linear in the text. */
export function readOperations(text: string): DescribedOperation[] {
  return describedOperations(text);
}

const WEB = [routerRoutes, nestRoutes, trpcRoutes, graphqlRoutes];
const JVM = [springRoutes, graphqlRoutes];

const READERS: Readonly<Record<string, readonly ((source: RouteSource) => ParsedRoutes)[]>> = {
  TypeScript: WEB,
  JavaScript: WEB,
  Python: [decoratedRoutes, djangoRoutes, graphqlRoutes],
  Java: JVM,
  Kotlin: JVM,
  Go: [goRoutes, graphqlRoutes],
  Rust: [rustRoutes],
  Ruby: [railsRoutes],
  PHP: [laravelRoutes],
  GraphQL: [graphqlRoutes],
};
