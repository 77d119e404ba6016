/** Start message of a render process, as JSON in its first argument. */
export interface RenderStart {
  /** Path of Chromium. */
  chromium: string;
  isSandboxed: boolean;
  userAgent: string;
}

/** A request of a page, with those of its headers that are passed on. */
export interface ResourceRequest {
  url: string;
  headers: Record<string, string>;
  /** True if the same address answers the same a little later. */
  isScript: boolean;
}

export interface ResourceAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Uint8Array;
}

/** To the process: a page to render, or the answer to a request of it; without `answer` the request fails. */
export type RenderOrder =
  | { type: 'page'; url: string; html: string }
  | { type: 'answer'; id: number; answer?: ResourceAnswer | undefined };

/** From the process. */
export type RenderReport =
  | { type: 'request'; id: number; request: ResourceRequest }
  | { type: 'done'; html: string }
  | { type: 'failed'; message: string };
