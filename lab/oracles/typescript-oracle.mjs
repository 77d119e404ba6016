// What the language service of TypeScript 5.9 says of a checkout without its packages.
// node typescript-oracle.mjs <folder of typescript> <checkout> <folder of @types> <output> <symbols of each kind to search>
import { readFileSync, readdirSync, writeFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const [, , tools, checkout, typeRoot, output, searched = '120'] = process.argv;
const root = resolve(checkout);
const ts = createRequire(join(resolve(tools), 'package.json'))('typescript');

const CODE = /\.[mc]?[jt]sx?$/;
const TEST = /(^|\/)(tests?|__tests__|__mocks__|fixtures?|e2e|examples?|playground)\/|[.-](test|spec|test-d)\./;
const SKIPPED = /^(node_modules|dist|\.git)$/;

/** All files of the checkout. */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

/** What names of workspace packages mean: their sources, in the places where sources are kept. */
function workspacePaths(files) {
  const paths = {};
  for (const file of files.filter((one) => one.endsWith('/package.json'))) {
    const { name, exports } = JSON.parse(readFileSync(file, 'utf8').trim() || '{}');
    const folder = relative(root, dirname(file)) || '.';
    if (typeof name !== 'string' || name === '' || /(^|\/)(__tests__|fixtures?)\//.test(`${folder}/`)) continue;
    const entry = ['src/index', 'src/main', 'index', 'lib/index'].map((one) => `./${folder}/${one}`);
    paths[name] ??= entry;
    for (const sub of Object.keys(typeof exports === 'object' && exports !== null ? exports : {})) {
      const inner = sub.replace(/^\.\/?/, '').replace(/\.js$/, '');
      if (inner === '' || inner.includes('*') || !sub.startsWith('.')) continue;
      paths[`${name}/${inner}`] ??= [`src/${inner}`, `src/${inner}/index`, inner].map((one) => `./${folder}/${one}`);
    }
    paths[`${name}/*`] ??= ['src/*', '*'].map((one) => `./${folder}/${one}`);
  }
  return paths;
}

/** `paths` of the configuration at the root. */
function rootPaths() {
  const found = {};
  for (const name of ['tsconfig.base.json', 'tsconfig.json']) {
    if (!existsSync(join(root, name))) continue;
    const options = ts.parseConfigFileTextToJson(name, readFileSync(join(root, name), 'utf8')).config?.compilerOptions;
    const base = options?.baseUrl ?? '.';
    for (const [from, to] of Object.entries(options?.paths ?? {}))
      found[from] = to.map((one) => `./${join(base, one)}`);
  }
  return found;
}

const all = filesIn(root).toSorted();
const texts = new Map();
// Minified and very large files are read by nobody.
const isRead = (path) => {
  const text = readFileSync(path, 'utf8');
  texts.set(path, text);
  return text.length < 1_000_000 && text.length / (text.split('\n').length + 1) < 400;
};
const packages = workspacePaths(all);
/** Whether a script declares a package of the workspace anew, for those who use it as it is built: it would hide the sources. */
function replacesPackage(text) {
  const declared = [...text.matchAll(/^\s*declare\s+module\s+['"]([^'"]+)['"]/gm)];
  return declared.some(([, name]) => name in packages) && !/^(?:import|export)\b/m.test(text);
}
const sources = all.filter((path) => CODE.test(path) && isRead(path) && !replacesPackage(texts.get(path)));
const options = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  noEmit: true,
  allowJs: true,
  checkJs: false,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  experimentalDecorators: true,
  types: ['node'],
  typeRoots: [resolve(typeRoot)],
  baseUrl: root,
  paths: { ...packages, ...rootPaths() },
  lib: ['lib.esnext.full.d.ts'],
};

const snapshots = new Map();
const host = {
  getScriptFileNames: () => sources,
  getScriptVersion: () => '1',
  getScriptSnapshot: (file) => {
    if (!snapshots.has(file)) {
      const text = texts.get(file) ?? ts.sys.readFile(file);
      snapshots.set(file, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text));
    }
    return snapshots.get(file);
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (one) => ts.getDefaultLibFilePath(one),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
};
const service = ts.createLanguageService(host, ts.createDocumentRegistry());
const program = service.getProgram();
const checker = program.getTypeChecker();
const known = new Set(sources);
const pathOf = (file) => relative(root, file);

/** Files with an import of the repository that the oracle cannot follow: it does not see all that they use. */
function blind() {
  const paths = Object.keys(options.paths).map((one) => one.replace(/\*$/, ''));
  const isOurs = (name) =>
    name.startsWith('.') || paths.some((one) => name === one || (one.endsWith('/') && name.startsWith(one)));
  return new Set(
    sources.filter((file) =>
      ts
        .preProcessFile(texts.get(file), true, true)
        .importedFiles.some(
          ({ fileName }) =>
            isOurs(fileName) &&
            !/\.(json|css|scss|less|vue|svelte|html|wasm|svg|png|txt|md|node)$|\?/.test(fileName) &&
            ts.resolveModuleName(fileName, file, options, ts.sys).resolvedModule === undefined,
        ),
    ),
  );
}

const symbols = [];
/** Places of identifiers in code: a search also finds names in documentation, which count for nobody. */
const inCode = new Set();
const byDeclaration = new Map();
const placeOf = (source, start) => {
  const { line, character } = source.getLineAndCharacterOfPosition(start);
  return [pathOf(source.fileName), line + 1, character];
};
const isNamed = (name) =>
  name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name));
const nameStart = (name, source) => name.getStart(source) + (ts.isStringLiteral(name) ? 1 : 0);
const isTop = (node) => ts.isSourceFile(node) || (ts.isModuleBlock(node) && isTop(node.parent.parent));
const isFunctionLike = (node) => node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** `require('x')`, which makes an import of what it is given to. */
const isRequire = (node) =>
  node !== undefined &&
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'require';

/** `module` and `exports` of CommonJS, which name the file itself. */
const isModuleItself = (name) =>
  /^(module|exports)$/.test(name.text) && ts.isPropertyAccessExpression(name.parent) && name.parent.expression === name;

/** What a declaration is to a reader, undefined for locals, parameters, imports and members of literals. */
function kindOf(node) {
  if (!isNamed(node.name)) return undefined;
  if (ts.isFunctionDeclaration(node)) return 'function';
  if (ts.isClassDeclaration(node)) return 'class';
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) return 'type';
  const isMember =
    ts.isClassLike(node.parent) || ts.isInterfaceDeclaration(node.parent) || ts.isTypeLiteralNode(node.parent);
  const isAccessor = ts.isGetAccessorDeclaration(node) || ts.isSetAccessorDeclaration(node);
  if (isMember && (ts.isMethodDeclaration(node) || ts.isMethodSignature(node) || isAccessor)) return 'method';
  if (isMember && (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node))) return 'property';
  if (ts.isEnumMember(node)) return 'property';
  if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) return 'property';
  if (!ts.isVariableDeclaration(node) || !ts.isVariableStatement(node.parent.parent)) return undefined;
  if (!isTop(node.parent.parent.parent) || isRequire(node.initializer)) return undefined;
  return isFunctionLike(node.initializer) ? 'function' : 'variable';
}

/** One symbol for all declarations that the checker takes for one. */
function addSymbol(node, source) {
  const kind = kindOf(node);
  if (kind === undefined) return;
  const symbol = checker.getSymbolAtLocation(node.name);
  const declarations = symbol?.declarations ?? [node];
  const first = declarations.find((one) => byDeclaration.has(one));
  const place = placeOf(source, nameStart(node.name, source));
  if (first !== undefined) {
    const id = byDeclaration.get(first);
    byDeclaration.set(node, id);
    symbols[id].places.push(place);
    return;
  }
  byDeclaration.set(node, symbols.length);
  symbols.push({ kind, name: node.name.text, places: [place], isTest: TEST.test(place[0]) });
}

function eachNode(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}

/** Indexes of symbols, -1 for what is bound to something else, none for what is not bound. */
function targetsOf(symbol) {
  if (symbol === undefined) return [];
  let meant = symbol;
  if (meant.flags & ts.SymbolFlags.Alias) meant = checker.getAliasedSymbol(meant);
  if (checker.isUnknownSymbol(meant) || meant.escapedName === 'unknown') return [];
  const found = new Set();
  let isBound = false;
  for (const original of checker.getRootSymbols(meant))
    for (const declaration of original.declarations ?? []) {
      isBound = true;
      // `module.exports = { a }` gives on what `a` is.
      const given = ts.isShorthandPropertyAssignment(declaration)
        ? checker.getShorthandAssignmentValueSymbol(declaration)
        : undefined;
      if (given !== undefined && given !== symbol) for (const one of targetsOf(given)) found.add(one);
      else found.add(byDeclaration.get(declaration) ?? -1);
    }
  if (!isBound) return [];
  if (found.size > 1) found.delete(-1);
  return [...found];
}

/** What an identifier names; of a shorthand or a pattern the variable and the member. Undefined when a type is not known. */
function meanings(name) {
  const { parent } = name;
  const isShorthand = ts.isShorthandPropertyAssignment(parent) && parent.name === name;
  const isKey = ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isJsxAttribute(parent);
  const isOfLiteral = ts.isObjectLiteralExpression(parent.parent) || ts.isJsxAttributes(parent.parent);
  const isKeyOfLiteral = (isShorthand || isKey) && parent.name === name && isOfLiteral;
  // A key declares a member of its literal; what it uses is told by the type that is expected there.
  const found = isShorthand
    ? [checker.getShorthandAssignmentValueSymbol(parent)]
    : isKeyOfLiteral
      ? []
      : [checker.getSymbolAtLocation(name)];
  if (
    ts.isBindingElement(parent) &&
    ts.isObjectBindingPattern(parent.parent) &&
    (parent.propertyName ?? parent.name) === name
  ) {
    const taken = checker.getTypeAtLocation(parent.parent);
    if (isUnknown(taken)) return undefined;
    found.push(checker.getPropertyOfType(taken, name.text));
  }
  if (isKeyOfLiteral) {
    const expected = checker.getContextualType(parent.parent);
    if (expected !== undefined && isUnknown(expected)) return undefined;
    const types = expected === undefined ? [] : expected.isUnion() ? expected.types : [expected];
    for (const type of types) found.push(checker.getPropertyOfType(type, name.text));
  }
  return found;
}

const isUnknown = (type) => (type.flags & ts.TypeFlags.Any) !== 0;

const CALLEE_WRAPS = (node) =>
  ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isExpressionWithTypeArguments(node);

function isCallee(name) {
  let node = name;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) node = node.parent;
  while (CALLEE_WRAPS(node.parent)) node = node.parent;
  const { parent } = node;
  // Tags of templates and of components are called too.
  const isTag = ts.isJsxOpeningLikeElement(parent) && parent.tagName === node && !/^[a-z]/.test(node.getText());
  const isCalled = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node;
  return isCalled || isTag || (ts.isTaggedTemplateExpression(parent) && parent.tag === node);
}

function enclosing(name) {
  for (let node = name.parent; node !== undefined; node = node.parent) {
    const id = byDeclaration.get(node);
    if (id !== undefined && node.name !== name) return id;
  }
  return -1;
}

function declaresSymbol(name) {
  return name.parent.name === name && byDeclaration.has(name.parent);
}

function namesOf(source) {
  const rows = [];
  eachNode(source, (name) => {
    if (!ts.isIdentifier(name) && !ts.isPrivateIdentifier(name)) return;
    if (name.text === '' || isModuleItself(name)) return;
    const place = placeOf(source, name.getStart(source));
    const [, line, column] = place;
    inCode.add(place.join(':'));
    const { parent } = name;
    const isImport = ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent);
    const isCall = isCallee(name);
    const flags = (declaresSymbol(name) ? 1 : 0) | (isCall ? 2 : 0) | (isImport ? 8 : 0);
    const targets = new Set((meanings(name) ?? []).flatMap(targetsOf));
    if (targets.size > 1) targets.delete(-1);
    rows.push([line, column, flags, isCall ? enclosing(name) : -1, ...targets]);
  });
  return rows;
}

function random(seed) {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff) / 0x7f_ff_ff_ff;
}

/** A sample of symbols outside of tests with the places where the service finds them used. */
function searches(seen, count) {
  const next = random(12_345);
  const found = [];
  const kinds = Map.groupBy(
    symbols
      .map((one, id) => ({ id, ...one }))
      .filter(({ isTest, places }) => !isTest && !places[0][0].endsWith('.d.ts') && seen.has(places[0][0])),
    ({ kind }) => kind,
  );
  for (const list of kinds.values()) {
    const shuffled = list
      .map((one) => [next(), one])
      .toSorted(([a], [b]) => a - b)
      .map(([, one]) => one);
    for (const { id, places } of shuffled.slice(0, count)) {
      // What is a type and a value at once is searched for as both.
      const groups = places.flatMap(([path, line, column]) => {
        const source = program.getSourceFile(join(root, path));
        return service.findReferences(join(root, path), source.getPositionOfLineAndCharacter(line - 1, column)) ?? [];
      });
      const uses = new Map();
      for (const { fileName, textSpan } of groups.flatMap(({ references }) => references)) {
        const file = program.getSourceFile(fileName);
        if (!known.has(fileName) || file === undefined) continue;
        const quote = /['"`]/.test(file.text[textSpan.start] ?? '') ? 1 : 0;
        const place = placeOf(file, textSpan.start + quote);
        if (quote === 1 || inCode.has(place.join(':'))) uses.set(place.join(':'), place);
      }
      found.push({ symbol: id, uses: [...uses.values()] });
    }
  }
  return found;
}

const unseen = blind();
const files = program.getSourceFiles().filter(({ fileName }) => known.has(fileName));
for (const source of files) eachNode(source, (node) => addSymbol(node, source));
const names = {};
for (const source of files) if (!unseen.has(source.fileName)) names[pathOf(source.fileName)] = namesOf(source);
const account = { symbols, names, families: [], searches: searches(new Set(Object.keys(names)), Number(searched)) };
writeFileSync(output, JSON.stringify(account));
console.log(
  `TypeScript ${ts.version}: ${files.length} files, of which ${unseen.size} import what it cannot find and are left out`,
);
