import { readFileSync } from 'node:fs';

/** A block of commands in a document. */
export interface CommandBlock {
  /** `docs/api.md:46`, where the block begins. */
  at: string;
  script: string;
}

/** A request as a `curl` command makes it. */
export interface CurlRequest {
  /** As the document has it, for messages. */
  command: string;
  url: string;
  method: string;
  headers: Headers;
  body?: string | FormData | undefined;
  /** True if it reads a stream that does not end (`-N`). */
  isStream: boolean;
}

/** Values for the placeholders of a document. */
export interface CurlValues {
  /** Texts that are replaced wherever they stand. */
  texts: Readonly<Record<string, string>>;
  /** Variables of the shell that the document does not set, or sets by a command; made from those that it set before. */
  variables: Readonly<Record<string, (set: Readonly<Record<string, string>>) => string>>;
  /** Files that are sent, by name. */
  files: Readonly<Record<string, Buffer>>;
}

/** The blocks of a Markdown file that call `curl`. */
export function curlBlocks(root: string, path: string): CommandBlock[] {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  return [...text.matchAll(/^```(?:sh|bash|console)\n(.*?)^```/gms)].flatMap(({ 1: script = '', index }) =>
    /^(?:\S+=\S+ )*curl /m.test(script) ? [{ at: `${path}:${text.slice(0, index).split('\n').length}`, script }] : [],
  );
}

/** The requests of a block, in order. Other commands are left out; assignments count from there on. */
export function curlRequests(script: string, values: CurlValues): CurlRequest[] {
  const set: Record<string, string> = {};
  const replaced = Object.entries(values.texts).reduce((text, [from, to]) => text.replaceAll(from, to), script);
  return replaced
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((command) => {
      const words = wordsOf(command, (name) => values.variables[name]?.(set) ?? set[name]);
      for (const word of words) {
        const [, name, value = ''] = /^([A-Z_]+)=(.*)$/s.exec(word) ?? [];
        if (name === undefined) break;
        set[name] = value;
      }
      return words[0] === 'curl' ? [requestOf(command, words.slice(1), values.files)] : [];
    });
}

/** Words of a line of a shell: quotes, variables and comments are read, nothing is run. */
function wordsOf(line: string, valueOf: (name: string) => string | undefined): string[] {
  const expand = (text: string): string =>
    text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
      const value = valueOf(name);
      if (value === undefined) throw new Error(`$${name} is set nowhere: ${line}`);
      return value;
    });
  const words: string[] = [];
  let isOpen = false;
  for (const { groups = {} } of line.matchAll(
    /(?<space>\s+)|(?<comment>#.*)|\$\((?<command>(?:[^()'"]|'[^']*'|"[^"]*")*)\)|'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<bare>[^\s'"$]+|\$[A-Z_]+)/g,
  )) {
    const { space, comment, single, double, bare } = groups;
    if (space !== undefined || (comment !== undefined && !isOpen)) {
      isOpen = false;
      if (comment !== undefined) break;
      continue;
    }
    const part =
      single ?? (double === undefined ? (bare === undefined ? (comment ?? '') : expand(bare)) : expand(double));
    if (isOpen) words.push((words.pop() ?? '') + part);
    else words.push(part);
    isOpen = true;
  }
  return words;
}

function requestOf(command: string, words: readonly string[], files: CurlValues['files']): CurlRequest {
  const headers = new Headers();
  const form = new FormData();
  let [url, method, body, isStream, isForm]: [string, string, string | undefined, boolean, boolean] = [
    '',
    '',
    undefined,
    false,
    false,
  ];
  const contentOf = (name: string): Buffer => {
    const content = files[name];
    if (content === undefined) throw new Error(`No content is given for the file ${name}: ${command}`);
    return content;
  };
  const remaining = [...words];
  for (let word = remaining.shift(); word !== undefined; word = remaining.shift()) {
    const argument = (): string => remaining.shift() ?? '';
    if (word === '-N') isStream = true;
    else if (word === '-X') method = argument();
    else if (word === '-H') {
      const [name = '', ...value] = argument().split(': ');
      headers.append(name, value.join(': '));
    } else if (word === '-d') body = argument();
    else if (word === '--data-binary') body = contentOf(argument().replace(/^@/, '')).toString();
    else if (word === '-F') {
      const [name = '', file = ''] = argument().split('=@');
      form.append(name, new Blob([new Uint8Array(contentOf(file))]), file);
      isForm = true;
    } else if (word.startsWith('-')) throw new Error(`The option ${word} is not read here: ${command}`);
    else url = word;
  }
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded');
  const usual = body === undefined && !isForm ? 'GET' : 'POST';
  return { command, url, method: method || usual, headers, body: isForm ? form : body, isStream };
}
