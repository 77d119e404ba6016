import type { Context } from 'hono';
import { addDocumentRoutes, type DocumentRoutesParts } from '../documents/routes.ts';
import type { ProductAccess, ProductRequest } from '../knowledge/knowledge.ts';
import { addSignalRoutes, type SignalRoutesParts } from '../signals/routes.ts';
import { addWebhookRoutes } from '../signals/webhook-routes.ts';
import { newRoutes, requireOwner, requireScope, type Routes, type WebEnv } from '../platform/web.ts';

/** What people write about a product and may be found: the parts of its routes. */
export interface KnowledgeParts {
  documents: DocumentRoutesParts;
  signals: SignalRoutesParts;
}

/** `/v1/documents`, `/v1/signals` and `/v1/themes`: every key reads, keys with `decisions:write` add, the owner takes away. */
export function knowledgeRoutes({ documents, signals }: KnowledgeParts): Routes {
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
  addSignalRoutes(routes, '/v1', access, signals);
  addWebhookRoutes(routes, '/v1', access, signals);
  return routes;
}

function requestOf(c: Context<WebEnv>): ProductRequest {
  const { accountId, productId } = c.var.caller;
  return { accountId, productId, actor: c.var.actor };
}
