import { compareTexts } from '../kernel/text-order.ts';
import { matchName, type MatchTier } from './model/name-match.ts';
import { type FeatureEdit, finalKey } from './edits/edits.ts';
import type { FeatureRule } from './queries/queries.ts';
import type { NodeKey } from './traverse.ts';

/** A feature that code suggests in one repository. */
interface SuggestedFeature {
  node: NodeKey;
  key: string;
  name: string;
}

/** The features of a product as people left them: names, merges, deletions. */
export class ProductFeatures {
  readonly #edits: ReadonlyMap<string, FeatureEdit>;
  readonly #all: readonly FeatureEdit[];
  /** Feature as which each suggested one is shown: the first of those of its repository that are one. */
  readonly #shown = new Map<NodeKey, NodeKey>();
  readonly #parts = new Map<NodeKey, NodeKey[]>();
  readonly #hidden = new Set<NodeKey>();
  readonly #keys = new Map<NodeKey, string>();
  readonly #names = new Map<string, string>();
  readonly #suggested: readonly (readonly SuggestedFeature[])[];

  /** `suggested` holds those of each repository apart. */
  constructor(edits: readonly FeatureEdit[], suggested: readonly (readonly SuggestedFeature[])[]) {
    this.#all = edits;
    this.#suggested = suggested;
    this.#edits = new Map(edits.map((edit) => [edit.key, edit]));
    for (const own of suggested) {
      for (const { key, name } of own) if (!this.#names.has(key)) this.#names.set(key, name);
      const groups = Map.groupBy(own, ({ key }) => this.finalKey(key));
      for (const [key, group] of groups) {
        // The one that has the name itself stands for the others.
        const sorted = group.toSorted(
          (a, b) => Number(b.key === key) - Number(a.key === key) || compareTexts(a.key, b.key),
        );
        const [first] = sorted;
        if (first === undefined) continue;
        const isHidden = this.isHidden(key);
        this.#keys.set(first.node, key);
        this.#parts.set(
          first.node,
          sorted.map(({ node }) => node),
        );
        for (const { node } of group) {
          this.#shown.set(node, first.node);
          if (isHidden) this.#hidden.add(node);
        }
      }
    }
  }

  finalKey(key: string): string {
    return finalKey(key, this.#all);
  }

  /** True if people removed it. */
  isHidden(key: string): boolean {
    return this.#edits.get(key)?.isDeleted ?? false;
  }

  nameOf(key: string): string {
    return this.#edits.get(key)?.name ?? this.#names.get(key) ?? key.replaceAll('-', ' ');
  }

  /** Features that people pinned and that still stand for themselves. */
  get pinned(): FeatureEdit[] {
    return this.#all.filter(({ isPinned, isDeleted, mergedInto }) => isPinned && !isDeleted && mergedInto === null);
  }

  /** Paths that people gave to a feature, or to one that was merged into it. */
  pathsOf(key: string): string[] {
    return this.#all.filter((edit) => this.finalKey(edit.key) === key).flatMap(({ paths }) => paths);
  }

  /** The node that stands for this one; undefined for one that people took away. Other nodes stand for themselves. */
  shown(node: NodeKey): NodeKey | undefined {
    return this.#hidden.has(node) ? undefined : (this.#shown.get(node) ?? node);
  }

  /** The nodes that this one stands for. */
  partsOf(node: NodeKey): readonly NodeKey[] {
    return this.#parts.get(node) ?? [node];
  }

  /** The key that a node of a feature is shown with; undefined for other nodes. */
  keyOf(node: NodeKey): string | undefined {
    return this.#keys.get(node);
  }

  /** The nodes that stand for the feature of this key, one a repository. */
  nodesOf(key: string): NodeKey[] {
    return [...this.#keys].flatMap(([node, own]) => (own === key && !this.#hidden.has(node) ? [node] : []));
  }

  /** Keys of the features that code suggests and people left, each once. */
  get shownKeys(): string[] {
    return [...new Set(this.#keys.values())].filter((key) => !this.isHidden(key));
  }

  /** The features that an id means, or that people gave a name which fits. */
  called(query: string): { node: NodeKey; tier: MatchTier }[] {
    const id = /^feature:(.+)$/.exec(query)?.[1];
    if (id !== undefined) return this.nodesOf(this.finalKey(id)).map((node) => ({ node, tier: 0 }));
    return this.#all.flatMap(({ key, name }) => {
      const tier = name === null || query === '' ? undefined : matchName(name, query);
      return tier === undefined ? [] : this.nodesOf(this.finalKey(key)).map((node) => ({ node, tier }));
    });
  }

  /** Returns the rules that queries of the repository at this place need. */
  rules(repository: number): FeatureRule[] {
    return (this.#suggested[repository] ?? []).map(({ key }) => {
      const into = this.finalKey(key);
      return { key, into, name: this.nameOf(into), isHidden: this.isHidden(into) };
    });
  }
}
