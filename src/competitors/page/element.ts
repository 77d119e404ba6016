/** Used part of the parsed page. The types of its parser refer to those of browsers, which services do not have. */
interface PageNode {
  nodeType: number;
  textContent: string | null;
}

export interface PageElement extends PageNode {
  tagName: string;
  id: string;
  children: Iterable<PageElement>;
  childNodes: Iterable<PageNode>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement> & { length: number };
  closest(selector: string): PageElement | null;
  remove(): void;
}
