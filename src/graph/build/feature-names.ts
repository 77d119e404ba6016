import { identifierParts, stem } from '../../kernel/terms.ts';

/** Words that say what a file is, not what it is about: roles, layers and places of code. */
const ROLE_WORDS: ReadonlySet<string> = new Set(
  (
    'action actions adapter adapters api app application apps bin build builder cli client clients cmd code command commands common component ' +
    'components config configs configuration console constant constants consts container containers context contexts controller ' +
    'controllers core crate crates dao data database db decorator decorators def default delivery dist domain domains dto dtos ' +
    'endpoint endpoints engine entities entity entry entrypoint entrypoints enum enums error errors event events example examples ' +
    'exception exceptions extension extensions facade factories factory feature features fixture fixtures form forms frontend ' +
    'function functions gateway gateways global globals go graphql guard guards handler handlers helper helpers hook hooks http ' +
    'impl implementation in index infra infrastructure init input inputs integration interceptor interface interfaces internal java job jobs js kotlin ' +
    'lib libraries library libs list listener listeners main manager managers mapper mappers middleware middlewares migration ' +
    'migrations misc mock mocks mod model models module modules node op out output outputs package packages page pages pkg plugin ' +
    'plugins port ports presentation presenter private provider providers public py python query queries react repo repos repositories ' +
    'repository request requests resolver resolvers resource resources response responses rest root route router routers routes ' +
    'routing rust schema schemas screen screens script scripts serializer serializers server service services setup shared site ' +
    'source sources spec src state static storage store stores style styles support svc swift system task tasks template templates ' +
    'test testing tests tool tools ts type types ui url urls usecase usecases util utilities utils v1 v2 v3 validator validators ' +
    'abstract base generic initial jest locale locales logger macro macros management option options simple standard templatetags vitest ' +
    'asgi composable composables dependencies dependency footer header layout layouts modal modals navbar parser parsers processor ' +
    'processors sidebar subscriber subscribers toast toasts wsgi ' +
    'add create delete dialog dialogs edit env environment eslint get html icon icons id ids img partial partials pkgs prettier remove tab tabs ' +
    'toggle update use xml ' +
    'blade erb haml jbuilder twig all any auto button buttons current first last new next old other own same snackbar spinner tooltip ' +
    'value vendor version view viewmodel views web widget widgets worker workers www'
  ).split(' '),
);

/** What code does on the way, and what programs are made of: features only where a package, a route, a command or a heading says so. */
const STEP_WORDS: ReadonlySet<string> = new Set(
  (
    'body call collect convert definition expression extract fetch find fix format gather grouping keep line load lookup name node ' +
    'parameter parse part path pipe refine resolve rewrite save statement transform walk'
  ).split(' '),
);

/** Whether a key says what code does, not what it is about. */
export function isStep(key: string): boolean {
  return STEP_WORDS.has(key);
}

/** A name by which the same feature is known wherever it shows. */
export interface FeatureName {
  /** Its words without endings, as in an id: `order-item`. */
  key: string;
  /** As people read it: `order items`. */
  name: string;
}

const LONGEST_NAME = 4;

/** What a folder, file, path or package is about: its words but those that say what kind of code it is; undefined for nothing. */
export function featureName(text: string): FeatureName | undefined {
  const words = identifierParts(text).filter((word) => !ROLE_WORDS.has(word) && !/^\d+$/.test(word) && word.length > 1);
  if (words.length === 0 || words.length > LONGEST_NAME) return undefined;
  return { key: words.map(singular).join('-'), name: words.join(' ') };
}

/**
 * Whether words call the feature of a key but for endings: `hats` calls `hat`. Where nothing but features is asked for
 * (`isFeatureAsked`), so does the name of a file of it: `hats_controller`.
 */
export function isFeatureCalled(key: string, text: string, isFeatureAsked: boolean): boolean {
  if (identifierParts(text).map(singular).join('-') === key) return true;
  return isFeatureAsked && featureName(text.replace(/\.[a-z]{1,4}$/i, ''))?.key === key;
}

/** Role words that stand before all routes, say who may use them or what is done: no service is about them. */
const PREFIX_WORDS =
  /^(?:add|apis?|create|delete|edit|get|list|remove|update|rest|v\d+|graphql|internal|public|private|shared|apps?|web|www|server|static|views?|pages?|root|services?)$/;

/** A role word as what a service is about, where its routes say so: `plugin` of `/plugin/:id`. */
export function subjectName(text: string): FeatureName | undefined {
  const [word, ...rest] = identifierParts(text);
  if (word === undefined || rest.length > 0 || !ROLE_WORDS.has(word) || PREFIX_WORDS.test(word)) return undefined;
  return { key: singular(word), name: word };
}

/** Features by the words of their keys: which of them a text names. */
export class NamedFeatures<Feature extends { key: string }> {
  readonly #byFirst: ReadonlyMap<string, { words: string[]; feature: Feature }[]>;

  constructor(features: readonly Feature[]) {
    const known = features.map((feature) => ({ words: feature.key.split('-'), feature }));
    this.#byFirst = Map.groupBy(known, ({ words: [first = ''] }) => first);
  }

  /** Those whose words follow each other in a text, each once. */
  in(text: string): Set<Feature> {
    const words = identifierParts(text).map(singular);
    const found = new Set<Feature>();
    for (const [from, word] of words.entries())
      for (const { words: wanted, feature } of this.#byFirst.get(word) ?? [])
        if (wanted.every((part, at) => words[from + at] === part)) found.add(feature);
    return found;
  }
}

/** `categories` is `category`, `statuses` `status`; `news` and `analysis` stay. */
function singular(word: string): string {
  if (word.length < 4 || stem(word) === word) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|us)es$/.test(word)) return word.slice(0, -2);
  return /[^isu]s$/.test(word) && word !== 'news' ? word.slice(0, -1) : word;
}
