import type { Synonyms } from '../../platform/operation/operation.ts';
import { PATH_ALIASES } from '../../platform/operation/paged-tool.ts';

/** The same arguments for each of these words. */
function words(given: string, meant: Record<string, unknown>): Record<string, Record<string, unknown>> {
  return Object.fromEntries(given.split(' ').map((word) => [word, meant]));
}

/** Names that other tools use for the arguments of `code-tool`. */
export const CODE_TOOL_ALIASES: Record<string, readonly string[]> = {
  ...PATH_ALIASES,
  kind: ['kinds'],
  ref: ['branch', 'tag', 'commit', 'revision', 'rev', 'sha'],
  depth: ['max_depth', 'hops', 'levels'],
};

/** Names that other tools and editors use for the actions and the choices of `code-tool`. */
export const CODE_TOOL_SYNONYMS: Synonyms = {
  action: {
    ...words(
      'find_symbol find_symbols search_symbol symbol_search symbols symbol lookup workspace_symbols workspace_symbol find_class find_function',
      { action: 'search_symbols' },
    ),
    ...words(
      'goto_definition go_to_definition find_definition get_definition definitions def goto get_symbol hover declaration find_declaration goto_declaration',
      { action: 'definition' },
    ),
    ...words(
      'source get_source read_symbol read read_file read_lines view view_file cat open open_file get_code show_source get_symbol_source file_content',
      { action: 'definition', detail: 'body' },
    ),
    ...words(
      'references find_references get_references refs find_refs reference usage find_usages find_uses uses find_all_references find_referencing_symbols get_usages xref xrefs where_used who_uses referenced_by',
      { action: 'usages' },
    ),
    ...words('callers find_callers get_callers incoming_calls called_by who_calls call_sites', {
      action: 'usages',
      kind: ['call', 'test'],
    }),
    ...words('callees find_callees get_callees outgoing_calls calls call_graph callgraph', {
      action: 'dependencies',
      kind: ['calls'],
    }),
    ...words('dependency deps depends_on imports get_dependencies dependency_graph', { action: 'dependencies' }),
    ...words('dependents importers imported_by used_by reverse_dependencies', {
      action: 'dependencies',
      direction: 'in',
    }),
    ...words('impact_analysis blast_radius affected analyze_impact change_impact what_breaks', { action: 'impact' }),
    ...words('search semantic find search_code code_search concept codebase_search search_codebase query ask', {
      action: 'semantic_search',
    }),
    ...words(
      'regex rg ripgrep text text_search search_text find_text search_pattern grep_search search_for_pattern regex_search find_in_files code_grep',
      { action: 'grep' },
    ),
    ...words(
      'document_symbols document_symbol file_symbols file_outline list_symbols structure skeleton get_symbols_overview symbols_overview get_outline',
      { action: 'outline' },
    ),
    ...words('list_dir list_directory list_files ls tree find_file find_files glob file', { action: 'files' }),
    ...words('test find_tests related_tests tests_for affected_tests test_impact covering_tests', { action: 'tests' }),
    ...words('comment todo todos', { action: 'comments' }),
    ...words('deadcode dead unused unused_code unreferenced find_dead_code find_unused', { action: 'dead_code' }),
    ...words('smell code_smells complexity', { action: 'smells' }),
    ...words('overview repo_map architecture', { action: 'map' }),
    ...words(
      'implementation find_implementations goto_implementation go_to_implementation implementors implementers overrides subclasses',
      { action: 'implementations' },
    ),
  },
  tests: {
    ...words('true yes all with', { tests: 'include' }),
    ...words('false no none without', { tests: 'exclude' }),
  },
  detail: {
    ...words('full source code true', { detail: 'body' }),
    ...words('names false', { detail: 'ids' }),
  },
  direction: {
    ...words('incoming inbound up reverse callers dependents', { direction: 'in' }),
    ...words('outgoing outbound down forward callees dependencies', { direction: 'out' }),
    ...words('all any', { direction: 'both' }),
  },
  format: words('markdown md plain', { format: 'text' }),
};
