/** JSON as configuration files write it: with comments and commas before a closing bracket. Undefined when it is none. */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(withoutComments(text));
    } catch {
      return undefined;
    }
  }
}

/** Two passes, each of which takes every character once: hostile text must not make it try all ways to read itself. */
function withoutComments(text: string): string {
  const bare = text.replace(/^\uFEFF/, '').replace(/"(?:[^"\\]|\\[^])*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, onlyString);
  return bare.replace(/"(?:[^"\\]|\\[^])*"?|,(?=\s*[}\]])/g, onlyString);
}

const onlyString = (token: string): string => (token.startsWith('"') ? token : '');

export type JsonObject = Readonly<Record<string, unknown>>;

/** A value as an object; anything else is empty. */
export function asObject(value: unknown): JsonObject {
  // Checked to be an object with string keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The strings in a value that is a string or a list. */
export function asStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
