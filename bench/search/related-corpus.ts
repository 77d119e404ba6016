import type { Translated } from './translations.ts';

const po = (pattern: string): Translated['files'] => [{ pattern, format: 'po' }];

/**
 * What related words are learnt from: the translated interfaces of public projects at a commit. None of them is one that
 * search is measured on.
 */
export const corpus: { languages: Record<string, string>; projects: Translated[] } = {
  /** The code of each language, and how file names write it. */
  languages: {
    de: 'de(?:[_-]DE)?',
    fr: 'fr(?:[_-]FR)?',
    es: 'es(?:[_-]ES)?',
    it: 'it(?:[_-]IT)?',
    nl: 'nl(?:[_-]NL)?',
    pt: 'pt_BR',
    sv: 'sv(?:_SE)?',
    ru: 'ru(?:_RU)?',
  },
  projects: [
    {
      repository: 'git/git',
      commit: '1a3e64c6c4a623626ff0687008732a8e007e2a1c',
      files: po(String.raw`(?:.*/)?po/{}\.po`),
    },
    {
      repository: 'wagtail/wagtail',
      commit: 'c2ae43b9265d085c95142cd1a1f8563ad2eb4de9',
      files: po(String.raw`.*/locale/{}/.*\.po`),
    },
    {
      repository: 'laurent22/joplin',
      commit: 'db966f919ea51f5f32fa454a10c7a64957a4e9de',
      files: po(String.raw`.*/locales/{}\.po`),
    },
    {
      repository: 'grocy/grocy',
      commit: 'acd061e2cde09fc5bc4e34673021039b25ab7067',
      files: po(String.raw`localization/{}/.*\.po`),
    },
    {
      repository: 'paperless-ngx/paperless-ngx',
      commit: 'b0e0e8a35373a5d9d588a507cb63c79e50a23403',
      files: po(String.raw`.*/locale/{}/.*\.po`),
    },
    {
      repository: 'kimai/kimai',
      commit: '1f421c276badbf9eeff40852de305a1e4c1e829f',
      files: [{ pattern: String.raw`translations/.*\.{}\.xlf`, format: 'xlf' }],
    },
    {
      repository: 'keepassxreboot/keepassxc',
      commit: '95bae8377c88f46fda565e09fee25d7ba684fe9e',
      files: [{ pattern: String.raw`share/translations/keepassxc_{}\.ts`, format: 'ts' }],
    },
    {
      repository: 'BookStackApp/BookStack',
      commit: '6f1c54d018f7d55301eb4c31055b04769f5924d7',
      files: [{ pattern: String.raw`lang/{}/.*\.php`, format: 'php', english: 'lang/en/' }],
    },
  ],
};
