import { type NameRules, createEndingLookup } from './names-rules.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import type { Program } from '../program/program.ts';

/** Folders in which a library of Ruby keeps what `require` names, from the folder of the library. */
const RUBY_ROOTS = ['lib', 'app', 'spec', 'test', ''];

/** Types and modules of the language, and of what most programs are built on. */
const OF_LIBRARIES: ReadonlySet<string> = new Set(
  (
    'Array Class Comparable Data Date DateTime Dir Enumerable Exception File Float Hash IO Integer Kernel Module NilClass Numeric Object ' +
    'Proc Process Random Range Regexp Set StandardError String Struct Symbol Thread Time ' +
    'ActionCable ActionController ActionDispatch ActionMailer ActionView ActiveJob ActiveModel ActiveRecord ActiveStorage ActiveSupport ' +
    'ActionText Bundler Devise ERB Erubi Faraday FactoryBot Gem I18n JSON Kramdown Liquid Minitest Net Nokogiri OpenSSL Psych Puma RSpec Rack ' +
    'Rails Rake RuboCop Sequel Sidekiq Sinatra Thor URI YAML'
  ).split(' '),
);

/** Folders of files that add to libraries. */
const ADDS_TO_LIBRARIES = /(?:^|\/)(?:core_?exts?|monkey_?patch(?:es)?|patches)\//;
const INITIALIZERS = /(?:^|\/)config\/initializers\//;

/** A library's own files are called by its name: `lib/rack/mime.rb` declares `Rack`. Initializers never do. */
function isReopened(fullName: string, paths: readonly string[]): boolean {
  if (paths.every((path) => ADDS_TO_LIBRARIES.test(path))) return true;
  if (!OF_LIBRARIES.has(fullName)) return false;
  return !paths.some((path) => !INITIALIZERS.test(path) && isCalled(path, fullName.toLowerCase()));
}

function isCalled(path: string, name: string): boolean {
  const parts = path.replace(/\.rb$/, '').split('/');
  return parts.some((part) => part.replaceAll(/[-_]/g, '') === name);
}

/** Constants go by full name over all files; a method sees the methods of its class, and what the top level defines. */
export function rubyRules(program: Program): NameRules {
  const ends = createEndingLookup(program, '.rb');
  return {
    separator: '::',
    spaceOf: () => '',
    module: ({ path }, source, at) => {
      const file = source.endsWith('.rb') ? source : `${source}.rb`;
      if (/^\.{1,2}\//.test(source)) return program.fileIds.get(joinPath(dirnameOf(path), file)) ?? -1;
      for (const root of RUBY_ROOTS) {
        const id = program.fileIds.get(joinPath(root, file));
        if (id !== undefined) return id;
      }
      return ends(`lib/${file}`) ?? at(source);
    },
    hasBareMembers: true,
    isClosed: true,
    hasSides: true,
    fallback: 'global',
    impliesSpaces: true,
    isReopened,
    // `require` names files by what stands before their extension, so none is a script without one.
    isLoaded: (path) => /\.[^./]+$/.test(path),
  };
}
