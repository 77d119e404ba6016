import { DefinitionKind } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { dirnameOf, foldersUp, joinPath } from '../program/paths.ts';
import type { Program } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Files that start a crate, behind the folder of a package. */
const ROOT = /^(?:(.*)\/)?(?:src\/(?:lib|main)|build|(?:src\/bin|tests|examples|benches)\/[^/]+(?:\/main)?)\.rs$/;

/** Locations of the modules, crates and packages of Rust among the files. */
export class RustLayout {
  readonly #program: Program;
  readonly #packages: ReadonlySet<string>;
  #declarers: ReadonlyMap<number, number> | undefined;

  /** `packages` are the folders with a manifest. */
  constructor(program: Program, packages: ReadonlySet<string>) {
    this.#program = program;
    this.#packages = packages;
  }

  /** The folder of the package that a file belongs to, '' without one. */
  packageOf(unit: Unit): string {
    return [...foldersUp(dirnameOf(unit.path))].find((folder) => this.#packages.has(folder)) ?? '';
  }

  /** The files that `mod name;` stands for: those that it names, else the one beside the file or in the folder with its name. */
  childFiles(unit: Unit, local: number): number[] {
    const { definitions, strings } = unit.facts;
    const paths = strings[definitions.imported(local)] ?? '';
    if (paths === '*' || paths === '') {
      const file = this.fileOfModule(unit, intAt(unit.definitionNames, local));
      return file < 0 ? [] : [file];
    }
    const around = (strings[definitions.source(local)] ?? '').split('::').slice(1, -1);
    const folder =
      around.length === 0 ? dirnameOf(unit.path) : joinPath(this.#moduleFolder(unit.path), around.join('/'));
    return paths.split('\n').flatMap((path) => this.#program.fileIds.get(joinPath(folder, path)) ?? []);
  }

  /** The file of `mod name;` beside a file or in the folder with its name, or -1. */
  fileOfModule(unit: Unit, name: number): number {
    const folder = joinPath(this.#moduleFolder(unit.path), this.#program.names.text(name));
    const { fileIds } = this.#program;
    return fileIds.get(`${folder}.rs`) ?? fileIds.get(`${folder}/mod.rs`) ?? -1;
  }

  /** Returns the file that declares each of the modules whose files are named. */
  #findDeclarers(): ReadonlyMap<number, number> {
    const declarers = new Map<number, number>();
    for (const unit of this.#program.units) {
      if (!unit?.path.endsWith('.rs')) continue;
      const { definitions, strings } = unit.facts;
      for (let local = 0; local < definitions.count; local += 1) {
        if (definitions.kind(local) !== DefinitionKind.module || strings[definitions.imported(local)] === '*') continue;
        for (const file of this.childFiles(unit, local)) if (file !== unit.file) declarers.set(file, unit.file);
      }
    }
    return declarers;
  }

  /** The file of the module around a file's module, or -1. */
  parentOf(unit: Unit): number {
    this.#declarers ??= this.#findDeclarers();
    const declarer = this.#declarers.get(unit.file);
    if (declarer !== undefined) return declarer;
    const folder = dirnameOf(this.#moduleFolder(unit.path.replace(/\/mod\.rs$/, '.rs')));
    const { fileIds } = this.#program;
    for (const path of [`${folder}.rs`, `${folder}/mod.rs`, `${folder}/lib.rs`, `${folder}/main.rs`]) {
      const file = fileIds.get(path);
      if (file !== undefined && file !== unit.file) return file;
    }
    return -1;
  }

  /** The root file of the crate that a file belongs to. */
  rootOf(unit: Unit): number {
    const { fileIds } = this.#program;
    if (this.isRoot(unit.path)) return unit.file;
    for (let folder = dirnameOf(unit.path); ; folder = dirnameOf(folder)) {
      const root = fileIds.get(joinPath(folder, 'lib.rs')) ?? fileIds.get(joinPath(folder, 'main.rs'));
      if (root !== undefined) return root;
      if (folder === '') return unit.file;
    }
  }

  /** True if a file starts a crate: `build.rs` and `tests/a.rs` are modules like any other where no package begins. */
  isRoot(path: string): boolean {
    const [match, folder = ''] = ROOT.exec(path) ?? [];
    return match !== undefined && (this.#packages.size === 0 || this.#packages.has(folder));
  }

  /** The folder that holds the modules inside a file: its own for roots and `mod.rs`, else the one with its name. */
  #moduleFolder(path: string): string {
    return /(^|\/)(mod|lib|main)\.rs$/.test(path) || this.isRoot(path) ? dirnameOf(path) : path.replace(/\.rs$/, '');
  }
}
