import { Definition, DefinitionKind, ExportHow } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import { type Entity, type Program, read, unitOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';
import { expandMacro, readTokens, type Token } from './expand-macro.ts';
import { namesAmong, readItems } from './expanded-items.ts';
import type { RustLayout } from './layout-rust.ts';

/** Declarations that the macro calls among the items of a scope make there. */
export interface Expansion {
  scope: number;
  /** Files of modules by name. */
  modules: ReadonlyMap<number, number>;
  /** Paths of imported names, as seen from the scope. */
  imports: ReadonlyMap<number, string>;
  /** Paths of modules of which every name is imported. */
  stars: readonly string[];
  /** Files of modules that a macro nobody can expand may hand on with their public names. */
  offered: readonly number[];
  /** Files whose text stands in the scope. */
  included: readonly number[];
}

/** Resolves the path of a macro call in a scope of a file. */
type MacrosAt = (unit: Unit, scope: number, path: string) => readonly Entity[];

type Draft = {
  [Key in keyof Expansion]: Expansion[Key] extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : Expansion[Key] extends readonly (infer V)[]
      ? V[]
      : Expansion[Key];
};

/**
 * Modules and imports that macro calls declare. A macro of the repository that makes modules is expanded; of any other, names
 * among what it is given are modules when the layout has a file for them that nothing else declares.
 */
export class RustExpansions {
  readonly #program: Program;
  readonly #layout: RustLayout;
  readonly #macrosAt: MacrosAt;
  readonly #expansions = new Map<Unit, readonly Expansion[]>();
  #includers: ReadonlyMap<number, { unit: Unit; scope: number }> | undefined;

  constructor(program: Program, layout: RustLayout, macrosAt: MacrosAt) {
    this.#program = program;
    this.#layout = layout;
    this.#macrosAt = macrosAt;
  }

  /** Returns the expansions of the macro calls of a file; none while they are being read. */
  of(unit: Unit): readonly Expansion[] {
    const cached = this.#expansions.get(unit);
    if (cached !== undefined) return cached;
    this.#expansions.set(unit, []);
    const drafts = new Map<number, Draft>();
    const { exports, strings } = unit.facts;
    for (const row of unit.macros) {
      if (exports.how(row) !== ExportHow.expanded) continue;
      const scope = exports.b(row);
      const draft = drafts.get(scope) ?? emptyDraft(scope);
      drafts.set(scope, draft);
      this.#addCall(unit, strings[exports.a(row)] ?? '', draft);
    }
    const expansions = [...drafts.values()];
    this.#expansions.set(unit, expansions);
    return expansions;
  }

  /** Returns the file and scope that include the text of a file. */
  includerOf(unit: Unit): { unit: Unit; scope: number } | undefined {
    this.#includers ??= this.#findIncluders();
    return this.#includers.get(unit.file);
  }

  #findIncluders(): ReadonlyMap<number, { unit: Unit; scope: number }> {
    const includers = new Map<number, { unit: Unit; scope: number }>();
    for (const unit of this.#program.units) {
      if (unit === undefined || unit.macros.length === 0) continue;
      for (const { scope, included } of this.of(unit))
        for (const file of included) includers.set(file, { unit, scope });
    }
    return includers;
  }

  #addCall(unit: Unit, call: string, draft: Draft): void {
    const mark = call.indexOf('!');
    const path = call.slice(0, mark);
    const given = readTokens(call.slice(mark + 1));
    if (/^(?:(?:std|core)::)?include$/.test(path)) {
      const file = this.#includedFile(unit, given);
      if (file >= 0 && file !== unit.file) draft.included.push(file);
      return;
    }
    const items = this.#expandItems(unit, draft.scope, { path, given });
    if (items === undefined) return this.#addGuesses(unit, given, draft);
    const { names } = this.#program;
    for (const module of items.modules) {
      const name = names.find(module);
      const file = name < 0 ? -1 : this.#layout.fileOfModule(unit, name);
      if (file >= 0) draft.modules.set(name, file);
    }
    for (const { name, path: source } of items.imports)
      if (names.find(name) >= 0) draft.imports.set(names.find(name), source);
    draft.stars.push(...items.stars);
  }

  /** The items of a macro of the repository that makes modules. */
  #expandItems(
    unit: Unit,
    scope: number,
    { path, given }: { path: string; given: readonly Token[] },
  ): ReturnType<typeof readItems> | undefined {
    for (const macro of this.#macrosAt(unit, scope, path)) {
      if (read(this.#program, macro, Definition.kind) !== DefinitionKind.macro) continue;
      const holder = unitOf(this.#program, macro);
      const { exports, strings } = holder.facts;
      const row = holder.macros.find(
        (each) => exports.how(each) === ExportHow.template && exports.b(each) === macro - holder.base,
      );
      const tokens = row === undefined ? undefined : expandMacro(strings[exports.a(row)] ?? '', given);
      if (tokens !== undefined) return readItems(tokens);
    }
    return undefined;
  }

  #addGuesses(unit: Unit, given: readonly Token[], draft: Draft): void {
    const { definitions } = unit.facts;
    const declared = new Set<number>();
    for (let local = 0; local < definitions.count; local += 1)
      if (definitions.kind(local) === DefinitionKind.module) declared.add(intAt(unit.definitionNames, local));
    for (const text of namesAmong(given)) {
      const name = this.#program.names.find(text);
      const file = name < 0 || declared.has(name) ? -1 : this.#layout.fileOfModule(unit, name);
      if (file < 0 || file === unit.file || this.#layout.isRoot(this.#program.files[file]?.path ?? '')) continue;
      draft.modules.set(name, file);
      draft.offered.push(file);
    }
    for (const folder of given.flatMap((token) => textOf(token) ?? [])) this.#addFolder(unit, folder, draft);
  }

  /** The files of a folder that a macro is given, as `automod::dir!` is: each is a module, which hands on nothing. */
  #addFolder(unit: Unit, folder: string, draft: Draft): void {
    const inside = `${joinPath(this.#layout.packageOf(unit), folder)}/`;
    if (folder === '' || inside === '/') return;
    for (const [path, file] of this.#program.fileIds) {
      if (!path.startsWith(inside) || file === unit.file) continue;
      const [, module = '', isFolder] = /^([^/.]+)(?:\.rs|(\/mod\.rs))$/.exec(path.slice(inside.length)) ?? [];
      const name = this.#program.names.find(module);
      if (name >= 0 && (isFolder !== undefined || !/^(?:mod|lib|main)$/.test(module))) draft.modules.set(name, file);
    }
  }

  /** The file of `include!("a.rs")`, beside the file, or of `include!(concat!(env!("CARGO_MANIFEST_DIR"), "/a.rs"))`. */
  #includedFile(unit: Unit, given: readonly Token[]): number {
    const { fileIds } = this.#program;
    const [first, second, inner] = given;
    const own = textOf(first);
    if (own !== undefined) return fileIds.get(joinPath(dirnameOf(unit.path), own)) ?? -1;
    if (first !== 'concat' || second !== '!' || typeof inner !== 'object') return -1;
    const isOfPackage = inner.tokens.some(
      (token) => typeof token === 'object' && textOf(token.tokens[0]) === 'CARGO_MANIFEST_DIR',
    );
    const text = inner.tokens.flatMap((token) => textOf(token) ?? []).join('');
    return isOfPackage ? (fileIds.get(joinPath(this.#layout.packageOf(unit), text)) ?? -1) : -1;
  }
}

function emptyDraft(scope: number): Draft {
  return { scope, modules: new Map(), imports: new Map(), stars: [], offered: [], included: [] };
}

/** Returns the content of a string token; undefined for other tokens. */
function textOf(token: Token | undefined): string | undefined {
  return typeof token === 'string' ? /^"(.*)"$/.exec(token)?.[1] : undefined;
}
