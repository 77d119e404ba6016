import { readTable, tomlString } from '../../kernel/toml.ts';

/** A package as its manifest describes it. */
export interface Manifest {
  /** As it calls itself, or the name of its folder. */
  name: string;
  /** Folder it lies in, '' for the root. */
  folder: string;
  path: string;
  /** True if the manifest says that it is a program. */
  isProgram: boolean;
}

/** Command of a task, as a file of the repository states it or its kind makes usual. */
export interface Task {
  task: 'build' | 'test' | 'check' | 'run';
  command: string;
  /** The file it is read from, the one nearest to the root where several tell it. */
  path: string;
  /** Folders of the others, where the same command does the same for their packages. */
  also?: string[];
}

/** Fields that are read from a manifest. */
interface ManifestFields {
  name?: string | undefined;
  isProgram?: boolean;
}

/** The class where a jar starts, a web archive, or the plugin that makes a program of what it builds. */
const STARTS_IN_CLASS_OF_MAVEN =
  /<(?:mainClass|Main-Class)>|<packaging>\s*war\s*<|<artifactId>\s*spring-boot-maven-plugin\s*</;
const STARTS_IN_CLASS_OF_GRADLE =
  /^\s*application\s*$|\b(?:id|plugin:?)\s*\(?\s*["'](?:application|com\.android\.application|org\.springframework\.boot)["'](?![^\n]*\bapply\s+false)|\bmainClass(?:Name)?\b|["']?Main-Class["']?/m;

/** Tables of a `pyproject.toml` with the commands of a package. */
export const SCRIPT_TABLES = ['project.scripts', 'project.gui-scripts', 'tool.poetry.scripts'] as const;

const FILES: readonly [RegExp, (text: string, folder: string) => ManifestFields | undefined][] = [
  [/^package\.json$/, ofPackageJson],
  [/^pyproject\.toml$/, ofPyproject],
  [/^setup\.py$/, ofSetup],
  // Beside a `setup.py` it often only holds the settings of tools.
  [/^setup\.cfg$/, (text) => (readTable(text, 'metadata') === undefined ? undefined : ofSetup(text))],
  [/^go\.mod$/, (text) => ({ name: match(text, /^module\s+(\S+)/m) })],
  [/^Cargo\.toml$/, ofCargo],
  [
    /^pom\.xml$/,
    (text) => ({
      name: match(text.replace(/<parent>[\s\S]*?<\/parent>/, ''), /<artifactId>\s*([^<\s]+)/),
      isProgram: STARTS_IN_CLASS_OF_MAVEN.test(text.replaceAll(/<!--[\s\S]*?-->/g, '')),
    }),
  ],
  [
    /^build\.gradle(?:\.kts)?$/,
    (text) => ({
      isProgram: STARTS_IN_CLASS_OF_GRADLE.test(text.replaceAll(/^\s*\/\/.*$/gm, '')),
    }),
  ],
  [/\.(?:cs|fs|vb)proj$/, (text) => ({ isProgram: /<OutputType>\s*(?:Win)?Exe/i.test(text) })],
  [/^composer\.json$/, (text) => ({ name: match(text, /"name"\s*:\s*"([^"]+)"/) })],
  [/^[^/]+\.gemspec$/, (text) => ({ name: match(text, /\.name\s*=\s*["']([^"']+)/) })],
  [/^Package\.swift$/, (text) => ({ name: match(text, /\bname:\s*"([^"]+)"/) })],
];

/** True if a file, by its name alone, describes a package. */
export function isManifest(path: string): boolean {
  return FILES.some(([pattern]) => pattern.test(baseName(path)));
}

/** Reads a manifest; undefined when it describes no package (a workspace alone, a broken file). */
export function readManifest(path: string, text: string): Manifest | undefined {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const [, read] = FILES.find(([pattern]) => pattern.test(baseName(path))) ?? [];
  const fields = read?.(text, folder);
  if (fields === undefined) return undefined;
  const own = /\.\w+proj$/.test(path) ? baseName(path).replace(/\.\w+$/, '') : baseName(folder);
  return { name: fields.name ?? own, folder, path, isProgram: fields.isProgram ?? false };
}

function ofPackageJson(text: string): ManifestFields | undefined {
  const fields = parsedObject(text);
  if (fields === undefined) return undefined;
  const { name, bin, main, exports, workspaces, scripts } = fields;
  // A manifest may only say how the files around it are read (`{"type": "module"}`).
  if (typeof name !== 'string' && main === undefined && exports === undefined && workspaces === undefined)
    return undefined;
  // What is never published, offers no file to others and is started is an application.
  const isOffered = main !== undefined || exports !== undefined || fields['private'] !== true;
  const isStarted = typeof scripts === 'object' && scripts !== null && 'start' in scripts;
  const isProgram = bin !== undefined || (!isOffered && isStarted);
  return { ...(typeof name === 'string' && name !== '' && { name }), isProgram };
}

function ofPyproject(text: string): ManifestFields | undefined {
  const table = readTable(text, 'project') ?? readTable(text, 'tool.poetry');
  if (table === undefined) return undefined;
  return {
    name: tomlString(table.get('name')),
    isProgram: SCRIPT_TABLES.some((name) => readTable(text, name) !== undefined),
  };
}

function ofSetup(text: string): ManifestFields {
  const isProgram = /\bconsole_scripts\b|^\s*scripts\s*=/m.test(text);
  return { name: match(text, /^\s*(?:setup\(\s*)?name\s*=\s*["']?([\w.-]+)/m), isProgram };
}

function ofCargo(text: string): ManifestFields | undefined {
  const table = readTable(text, 'package');
  return table === undefined
    ? undefined
    : { name: tomlString(table.get('name')), isProgram: /^\s*\[\[bin\]\]/m.test(text) };
}

export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function match(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[1];
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
