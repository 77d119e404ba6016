import type { FileFacts } from '../facts/facts.ts';
import { languageOf, type Parser } from '../languages.ts';
import { type Extraction, NotExtracted } from '../walk/language.ts';
import type { ParserHost, TreeExtractor, TreeLanguage } from '../walk/trees.ts';

export { NotExtracted } from '../walk/language.ts';

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
   * @throws NotExtracted for a text that is too deep, or takes too long or too much memory.
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
    const { reader } = languageOf(parser);
    // What is read from a tree is named after its grammar.
    return 'text' in reader ? reader.text() : this.#loadTree(parser as TreeLanguage, reader.tree());
  }

  async #loadTree(language: TreeLanguage, loaded: Promise<TreeExtractor>): Promise<Extraction> {
    const [{ ParserHost, ParseLimitError }, { extractRecovering }] = await Promise.all([
      import('../walk/trees.ts'),
      import('../walk/recovery.ts'),
    ]);
    this.#host ??= ParserHost.open();
    const [host, extractor] = await Promise.all([this.#host, loaded]);
    await host.load(language, extractor.kinds);
    return (text) => {
      try {
        return extractRecovering(host, extractor, text);
      } catch (error) {
        if (error instanceof ParseLimitError) throw new NotExtracted(error.message, { cause: error });
        if (error instanceof RangeError) throw new NotExtracted('too deeply nested', { cause: error });
        throw error;
      }
    };
  }
}
