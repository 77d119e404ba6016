import type { Synonyms } from '../../platform/operation/operation.ts';

/** The same arguments for each of these words. */
function words(given: string, meant: Record<string, unknown>): Record<string, Record<string, unknown>> {
  return Object.fromEntries(given.split(' ').map((word) => [word, meant]));
}

/** What other tools and editors call the actions and the choices of `code-tool`. */
export const CODE_TOOL_SYNONYMS: Synonyms = {
  action: {
    ...words('find_symbol find_symbols search_symbol symbol_search symbols symbol lookup workspace_symbols', {
      action: 'search_symbols',
    }),
    ...words('goto_definition go_to_definition find_definition get_definition definitions def goto get_symbol', {
      action: 'definition',
    }),
    ...words('source get_source read_symbol read', { action: 'definition', detail: 'body' }),
    ...words('references find_references get_references refs find_refs reference usage find_usages find_uses uses', {
      action: 'usages',
    }),
    ...words('callers find_callers get_callers incoming_calls called_by', { action: 'usages', kind: ['call'] }),
    ...words('callees find_callees get_callees outgoing_calls calls', { action: 'dependencies', kind: ['calls'] }),
    ...words('dependency deps depends_on imports', { action: 'dependencies' }),
    ...words('dependents importers imported_by used_by reverse_dependencies', {
      action: 'dependencies',
      direction: 'in',
    }),
    ...words('impact_analysis blast_radius affected analyze_impact', { action: 'impact' }),
    ...words('search semantic find search_code code_search concept', { action: 'semantic_search' }),
    ...words('regex rg ripgrep text text_search search_text find_text search_pattern', { action: 'grep' }),
    ...words('document_symbols file_symbols file_outline list_symbols structure skeleton', { action: 'outline' }),
    ...words('comment todo todos', { action: 'comments' }),
    ...words('deadcode dead unused unused_code unreferenced', { action: 'dead_code' }),
    ...words('smell code_smells complexity', { action: 'smells' }),
    ...words('overview repo_map architecture', { action: 'map' }),
    ...words('implementation find_implementations goto_implementation implementors implementers overrides subclasses', {
      action: 'implementations',
    }),
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
