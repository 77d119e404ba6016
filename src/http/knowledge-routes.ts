import type { Context } from 'hono';
import { addDocumentRoutes, type DocumentRoutesParts } from '../documents/routes.ts';
import type { ProductAccess, ProductRequest } from '../knowledge/knowledge.ts';
import { newRoutes, requireOwner, requireScope, type Routes, type WebEnv } from '../platform/web.ts';

/** What people write about a product and may be found: the parts of its routes. */
export interface KnowledgeParts {
  documents: DocumentRoutesParts;
}

/** `/v1/documents`: every key reads, keys with `decisions:write` add, the owner takes away. */
export function knowledgeRoutes({ documents }: KnowledgeParts): Routes {
  const routes = newRoutes();
  const access: ProductAccess<WebEnv> = {
    read: async (c) => {
      requireScope(c.var, 'read');
      return requestOf(c);
    },
    write: async (c) => {
      requireScope(c.var, 'decisions:write');
      return requestOf(c);
    },
    manage: async (c) => {
      requireOwner(c.var);
      return requestOf(c);
    },
  };
  addDocumentRoutes(routes, '/v1', access, documents);
  return routes;
}

function requestOf(c: Context<WebEnv>): ProductRequest {
  const { accountId, productId } = c.var.caller;
  return { accountId, productId, actor: c.var.actor };
}
