import { z } from '@hono/zod-openapi';

/** Bodies of the pages about files and symbols. Lines are 1-based, columns 0-based UTF-16. */

/** Repository and commit in which something is read. */
const Place = z.object({
  repo: z.string(),
  commit: z.string().describe('What `ref` means now'),
  indexed_commit: z.string().describe('The indexed commit; names are resolved there without waiting'),
  branch: z.string().describe('What the index follows'),
  path: z.string().describe("'' for the root"),
});

const FolderEntry = z.object({
  name: z.string(),
  kind: z.enum(['folder', 'file', 'link', 'submodule']),
  size_bytes: z.int().nullable().describe('Of files that are here'),
});

export const Folder = Place.extend({
  kind: z.literal('folder'),
  entries: z.array(FolderEntry).describe('Folders first, by name'),
  readme: z.object({ name: z.string(), text: z.string() }).nullable(),
});

export const SourceFile = Place.extend({
  kind: z.literal('file'),
  size_bytes: z.int(),
  text: z.string().nullable().describe('Null where `left_out` says why'),
  left_out: z.string().nullable(),
});

/** GET repositories/{id}/content. */
export const Content = z.union([Folder, SourceFile]);

export const NamedSymbol = z.object({
  id: z.string().describe('Its handle, as code-tool takes it'),
  name: z.string(),
  qualified: z.string(),
  kind: z.string(),
  signature: z.string(),
  doc: z.string(),
  path: z.string(),
  line: z.int(),
  refs: z.int(),
});

export const DefinedSymbol = NamedSymbol.extend({ end: z.int(), column: z.int(), depth: z.int() });

/** GET repositories/{id}/names. */
export const FileNames = z.object({
  commit: z.string(),
  symbols: z.array(NamedSymbol).describe('What the names of the file mean'),
  places: z
    .array(z.object({ line: z.int(), column: z.int(), symbol: z.int(), grade: z.string() }))
    .describe('Their positions; `symbol` is an index into `symbols`'),
  defined: z.array(DefinedSymbol).describe('What is defined in the file, by line'),
  is_cut: z.boolean().describe('There are more than are listed'),
});

export type Content = z.output<typeof Content>;
export type Folder = z.output<typeof Folder>;
export type SourceFile = z.output<typeof SourceFile>;
export type FileNames = z.output<typeof FileNames>;
