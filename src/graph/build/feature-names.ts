import { singular } from '../../text/stem.ts';
import { identifierParts } from '../../text/terms.ts';

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

/** A name by which the same feature is known wherever it shows. */
export interface FeatureName {
  /** Its words without endings, as in an id: `order-item`. */
  key: string;
  /** As people read it: `order items`. */
  name: string;
}

const LONGEST_NAME = 4;

/**
 * Returns the subject of a folder, file, path or package: its words but those that say what kind of code it is; undefined for
 * none.
 */
export function featureName(text: string): FeatureName | undefined {
  const words = identifierParts(text).filter((word) => !ROLE_WORDS.has(word) && !/^\d+$/.test(word) && word.length > 1);
  return nameOfWords(words);
}

/**
 * True if words name the feature of a key but for endings: `hats` names `hat`. Where only features are requested
 * (`isFeatureAsked`), so does the name of a file of it: `hats_controller`.
 */
export function isFeatureCalled(key: string, text: string, isFeatureQuery: boolean): boolean {
  if (identifierParts(text).map(singular).join('-') === key) return true;
  return isFeatureQuery && featureName(text.replace(/\.[a-z]{1,4}$/i, ''))?.key === key;
}

/** The name of a command, a model or an exported symbol, all of whose words count; undefined for more than a few. */
export function wholeName(text: string): FeatureName | undefined {
  return nameOfWords(identifierParts(text));
}

/** Words that begin the paths of routes whatever they are about: prefixes, versions, who may use them and what is done. */
const PREFIX_WORDS =
  /^(?:add|apis?|create|delete|edit|get|index|list|new|remove|update|rest|v\d+|graphql|internal|public|private|shared|apps?|web|www|server|static|views?|pages?|root|services?)$/;

/**
 * Returns the subject of a part of the path of a route: its words from the first on that is no prefix; undefined for `api`,
 * `v1` and the names of files.
 */
export function routeName(segment: string): FeatureName | undefined {
  if (!/^[\w~-]+$/.test(segment)) return undefined;
  const words = identifierParts(segment).filter((word) => !/^\d+$/.test(word));
  const from = words.findIndex((word) => !PREFIX_WORDS.test(word));
  return from === -1 ? undefined : nameOfWords(words.slice(from));
}

function nameOfWords(words: readonly string[]): FeatureName | undefined {
  if (words.length === 0 || words.length > LONGEST_NAME || words.join('').length < 2) return undefined;
  return { key: words.map(singular).join('-'), name: words.join(' ') };
}

/** Features by the words of their keys: which of them a text names. */
export class NamedFeatures<Feature extends { key: string }> {
  readonly #byFirst: ReadonlyMap<string, { words: string[]; feature: Feature }[]>;

  constructor(features: readonly Feature[]) {
    const entries = features.map((feature) => ({ words: feature.key.split('-'), feature }));
    this.#byFirst = Map.groupBy(entries, ({ words: [first = ''] }) => first);
  }

  /** Those whose words follow each other in a text, each once. */
  in(text: string): Set<Feature> {
    const words = identifierParts(text).map(singular);
    const matches = new Set<Feature>();
    for (const [from, word] of words.entries())
      for (const { words: featureWords, feature } of this.#byFirst.get(word) ?? [])
        if (featureWords.every((part, at) => words[from + at] === part)) matches.add(feature);
    return matches;
  }
}
