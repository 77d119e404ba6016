import type { FileFacts } from '../facts/facts.ts';
import type { Parser } from '../languages.ts';
import type { ParserHost, TreeLanguage } from '../walk/trees.ts';

/** Reads one text. Throws `NotExtracted` when it cannot be read. */
type Extraction = (text: string) => FileFacts;

/** A text has no facts. The message is a short reason, for the coverage. */
export class NotExtracted extends Error {
  override readonly name = 'NotExtracted';
}

/**
 * The extractors of a process, loaded when their first file comes: a TypeScript repository never pays for the others.
 * Hostile text can still take the whole process down or keep it busy for ever, so this runs in a process of its own.
 */
export class Extractors {
  readonly #loaded = new Map<Parser, Promise<Extraction>>();
  #host: Promise<ParserHost> | undefined;

  /**
   * The facts of a text. The same text gives the same facts, whatever its path.
   *
   * @throws NotExtracted for a text that is too deep or takes too long.
   */
  async extract(parser: Parser, text: string): Promise<FileFacts> {
    let extraction = this.#loaded.get(parser);
    if (extraction === undefined) {
      extraction = this.#load(parser);
      this.#loaded.set(parser, extraction);
    }
    return (await extraction)(text);
  }

  async #load(parser: Parser): Promise<Extraction> {
    switch (parser) {
      case 'typescript':
      case 'tsx':
      case 'javascript':
      case 'declaration':
        return loadTypeScript(parser);
      case 'vue':
      case 'svelte':
        return loadComponent(parser);
      case 'sql':
        return (await import('../sql/sql.ts')).extractSql;
      case 'markdown':
        return (await import('../markdown/markdown.ts')).extractMarkdown;
      default:
        return this.#loadTree(parser);
    }
  }

  async #loadTree(language: TreeLanguage): Promise<Extraction> {
    const { ParserHost, ParseDeadlineError } = await import('../walk/trees.ts');
    this.#host ??= ParserHost.open();
    const [host, { kinds, extract }] = await Promise.all([this.#host, treeExtractor(language)]);
    await host.load(language, kinds);
    return (text) => {
      try {
        return extract(host, text);
      } catch (error) {
        if (error instanceof ParseDeadlineError) throw new NotExtracted('takes too long to parse', { cause: error });
        if (error instanceof RangeError) throw new NotExtracted('too deeply nested', { cause: error });
        throw error;
      }
    };
  }
}

async function loadTypeScript(parser: 'typescript' | 'tsx' | 'javascript' | 'declaration'): Promise<Extraction> {
  const { extractTypeScript, TooDeep } = await import('../typescript/typescript.ts');
  const language = parser === 'declaration' ? 'typescript' : parser;
  return shallow(TooDeep, (text) => extractTypeScript(language, text, parser === 'declaration'));
}

async function loadComponent(framework: 'vue' | 'svelte'): Promise<Extraction> {
  const [{ extractComponent }, { TooDeep }] = await Promise.all([
    import('../component/component.ts'),
    import('../typescript/typescript.ts'),
  ]);
  return shallow(TooDeep, (text) => extractComponent(framework, text));
}

/** Says of a text that is too deep that it cannot be read. */
function shallow(tooDeep: new () => Error, extract: Extraction): Extraction {
  return (text) => {
    try {
      return extract(text);
    } catch (error) {
      if (error instanceof tooDeep) throw new NotExtracted('too deeply nested', { cause: error });
      throw error;
    }
  };
}

/** A language that is read with tree-sitter. */
export interface TreeExtractor {
  kinds: Readonly<Record<string, number>>;
  extract: (host: ParserHost, text: string) => FileFacts;
}

async function treeExtractor(language: TreeLanguage): Promise<TreeExtractor> {
  switch (language) {
    case 'python': {
      const { PYTHON_KINDS, extractPython } = await import('../python/python.ts');
      return { kinds: PYTHON_KINDS, extract: extractPython };
    }
    case 'go': {
      const { GO_KINDS, extractGo } = await import('../go/go.ts');
      return { kinds: GO_KINDS, extract: extractGo };
    }
    case 'java': {
      const { JAVA_KINDS, extractJava } = await import('../java/java.ts');
      return { kinds: JAVA_KINDS, extract: extractJava };
    }
    case 'rust': {
      const { RUST_KINDS, extractRust } = await import('../rust/rust.ts');
      return { kinds: RUST_KINDS, extract: extractRust };
    }
    case 'ruby':
      return (await import('../ruby/ruby.ts')).RUBY;
    case 'php':
      return (await import('../php/php.ts')).PHP;
    case 'swift':
      return (await import('../swift/swift.ts')).SWIFT;
    case 'scala':
      return (await import('../scala/scala.ts')).SCALA;
    case 'csharp':
      return (await import('../csharp/csharp.ts')).CSHARP;
    case 'kotlin':
      return (await import('../kotlin/kotlin.ts')).KOTLIN;
    case 'cpp':
      return (await import('../c/c.ts')).C;
    case 'bash':
      return (await import('../bash/bash.ts')).BASH;
  }
}
