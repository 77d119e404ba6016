import type { DeadCodeRules } from '../walk/dead-code-rules.ts';

/** Endings by which React Native, Expo and bundlers choose one of several files. */
const CHOSEN =
  /\.(?:ios|android|native|web|windows|macos|tvos|visionos|browser|node|server|client|deno|bun|worker|workerd|edge)\.[cm]?[jt]sx?$/;

/** What makes a file a module, as ECMAScript and CommonJS have it. */
const MODULE = /^[ \t]*(?:import|export)\b|\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/m;

/** Dead code rules of TypeScript and JavaScript. */
export const SCRIPT_DEAD_CODE: DeadCodeRules = {
  conventions: [
    {
      name: 'configuration',
      path: /(^|\/)(\.[\w-]+rc|[\w.-]*\.(config|conf|setup|workspace|stories|story)|gulpfile|gruntfile|karma)\.[cm]?[jt]sx?$/i,
    },
    { name: 'declarations', path: /\.d\.[cm]?ts$/ },
    {
      name: 'route',
      path: /(^|\/)(pages|app|routes)\/(.+\/)?[^/]+\.[cm]?[jt]sx?$/,
      needs:
        /^(next|nuxt|astro|gatsby|expo-router|vike|@docusaurus\/.+|@remix-run\/.+|@react-router\/.+|@sveltejs\/kit|@tanstack\/.+-router|@tanstack\/.+-start|@solidjs\/start|@builder\.io\/qwik-city)$/,
    },
    {
      name: 'server route',
      path: /(^|\/)server\/(api|routes|plugins|middleware)\/.+\.[cm]?[jt]s$/,
      needs: /^(nuxt|nitro|nitropack|h3)$/,
    },
    {
      name: 'framework entry',
      path: /(^|\/)(middleware|instrumentation|root|hooks|hooks\.(client|server)|entry[.-](client|server|worker))\.[cm]?[jt]sx?$/,
      needs: /^(next|nuxt|astro|@remix-run\/.+|@react-router\/.+|@sveltejs\/kit|@solidjs\/start)$/,
    },
    {
      name: 'docusaurus',
      path: /(^|\/)(src\/(theme|pages)\/.+|sidebars)\.[cm]?[jt]sx?$/,
      needs: /^@docusaurus\//,
    },
    { name: 'sveltekit', path: /(^|\/)src\/(params\/.+|service-worker)\.[jt]s$/, needs: /^@sveltejs\/kit$/ },
    { name: 'vitepress', path: /(^|\/)\.(vitepress|vuepress)\/theme\/index\.[cm]?[jt]s$/ },
    {
      name: 'nuxt',
      path: /(^|\/)(plugins|composables|layouts|middleware|utils)\/[^/]+\.[cm]?[jt]sx?$/,
      needs: /^nuxt$/,
    },
  ],
  hasPathModules: true,
  isScript: (path, text) => /\.[jt]sx?$/.test(path) && !MODULE.test(text),
  looseNames: handlersInMarkup,
  isConditional: ({ path }) => CHOSEN.test(path),
  // A class that is not exported may be given away with its members.
  isPrivateMember: ({ isExported, name, signature }) =>
    !isExported && (name.startsWith('#') || /\bprivate\b/.test(signature)),
};

/** Yields the names of functions that event handlers of markup in strings call: `<button onclick="send()">`. */
function* handlersInMarkup(text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(/\bon[a-z]+=\\?["']([\w$]+)\(/g)) yield name;
}
