import type { Evaluation } from './evaluation.ts';
import { type Bindings, lazyContainer, type Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** A type name that no file of the repository declares, with its type arguments (nodes). */
interface BuiltinName {
  name: string;
  unit: Unit;
  generics: Int32Array;
  bindings: Bindings | undefined;
}

/** Evaluates a generic type of the language itself, by what it means for members. */
export type BuiltinTypes = (on: Evaluation, of: BuiltinName) => Type | undefined;

interface Table {
  /** As their first type argument. */
  transparent: ReadonlySet<string>;
  arrays: ReadonlySet<string>;
  /** The last type argument is the value. */
  maps: ReadonlySet<string>;
  promises: ReadonlySet<string>;
  /** Functions: their type arguments are the types of what they take. */
  functions?: ReadonlySet<string>;
  /** Functions that take two of the only type argument. */
  pairs?: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const TYPESCRIPT: Table = {
  transparent: words(
    'Partial Required Readonly Pick Omit NonNullable Mutable DeepPartial Exclude Extract MaybePromise Maybe Nullable ' +
      'Simplify Prettify NoInfer RefObject MutableRefObject WithRequired ComponentProps PropsWithChildren',
  ),
  arrays: words(
    'Array ReadonlyArray Set ReadonlySet Iterable IterableIterator Generator AsyncIterable AsyncGenerator ' +
      'AsyncIterableIterator Iterator ArrayLike',
  ),
  maps: words('Record Map ReadonlyMap WeakMap'),
  promises: words('Promise PromiseLike'),
};

const JAVA: Table = {
  transparent: new Set(),
  arrays: words(
    'List ArrayList LinkedList Set HashSet LinkedHashSet TreeSet SortedSet Collection Iterable Iterator Queue Deque ' +
      'ArrayDeque Stream PriorityQueue Stack Vector ListIterator Enumeration ImmutableList ImmutableSet',
  ),
  // An entry has a value as a map has.
  maps: words(
    'Map HashMap LinkedHashMap TreeMap ConcurrentMap ConcurrentHashMap SortedMap NavigableMap ImmutableMap Entry',
  ),
  promises: words(
    'Future CompletableFuture CompletionStage Optional Supplier Callable AtomicReference ThreadLocal WeakReference ' +
      'SoftReference Reference',
  ),
  functions: words(
    'Consumer BiConsumer Function BiFunction Predicate BiPredicate ToIntFunction ToLongFunction ToDoubleFunction ' +
      'IntFunction ObjIntConsumer',
  ),
  pairs: words('UnaryOperator BinaryOperator Comparator'),
};

const RUST: Table = {
  transparent: words(
    'Box Rc Arc Option Result RefCell Cell Mutex RwLock Cow Pin MutexGuard Ref RefMut Weak Lazy OnceCell',
  ),
  arrays: words('Vec VecDeque HashSet BTreeSet BinaryHeap Iter IntoIter Iterator IntoIterator'),
  maps: words('HashMap BTreeMap IndexMap'),
  promises: words('Future'),
};

const PHP: Table = {
  transparent: new Set(),
  arrays: words('array iterable Generator Iterator Traversable'),
  maps: new Set(),
  promises: new Set(),
};

const SWIFT: Table = {
  transparent: words('Optional'),
  arrays: words('Array Set ArraySlice Sequence Collection'),
  maps: words('Dictionary'),
  promises: new Set(),
};

const SCALA: Table = {
  transparent: words('Option Some Try Success Either Right Left Lazy'),
  arrays: words(
    'List Seq Vector Set Array Iterable Iterator IndexedSeq Stream LazyList ListBuffer ArrayBuffer Buffer Queue Stack',
  ),
  maps: words('Map HashMap TreeMap TrieMap LinkedHashMap'),
  promises: words('Future Promise'),
};

const CSHARP: Table = {
  transparent: words(
    'Nullable Lazy Ref WeakReference ThreadLocal AsyncLocal IOptions IOptionsMonitor IOptionsSnapshot Expression',
  ),
  arrays: words(
    'List IList IReadOnlyList IEnumerable ICollection IReadOnlyCollection HashSet ISet SortedSet Queue Stack LinkedList ' +
      'Collection ObservableCollection ReadOnlyCollection IQueryable IOrderedEnumerable IAsyncEnumerable IEnumerator ' +
      'ImmutableArray ImmutableList ConcurrentBag ConcurrentQueue ConcurrentStack BlockingCollection Span ReadOnlySpan ' +
      'Memory ReadOnlyMemory DbSet ArraySegment',
  ),
  maps: words(
    'Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary SortedList ImmutableDictionary',
  ),
  promises: words('Task ValueTask'),
  functions: words('Func Action Predicate Converter'),
  pairs: words('Comparison'),
};

const KOTLIN: Table = {
  transparent: words('Result Lazy Optional StateFlow MutableStateFlow LiveData State MutableState AtomicReference'),
  arrays: words(
    'List MutableList ArrayList Set MutableSet HashSet LinkedHashSet Collection MutableCollection Iterable Iterator ' +
      'Sequence Array ArrayDeque Flow Channel PersistentList ImmutableList',
  ),
  maps: words('Map MutableMap HashMap LinkedHashMap ConcurrentHashMap TreeMap'),
  promises: new Set(),
};

const CPP: Table = {
  transparent: words('unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic scoped_refptr raw_ptr'),
  arrays: words(
    'vector list forward_list set unordered_set multiset deque array queue stack priority_queue initializer_list span',
  ),
  maps: words('map unordered_map multimap unordered_multimap flat_hash_map'),
  promises: words('future shared_future promise'),
};

const GO: Table = { transparent: new Set(), arrays: new Set(), maps: new Set(), promises: new Set() };

function fromTable(table: Table): BuiltinTypes {
  return (on, { name, unit, generics, bindings }) => {
    const generic = (index: number): Type | undefined => {
      const node = generics[index];
      return node === undefined ? undefined : on.type(unit, node, bindings);
    };
    if (generics.length === 0) return undefined;
    if (table.transparent.has(name)) return generic(0);
    if (table.arrays.has(name)) return lazyContainer('array', () => generic(0));
    if (table.maps.has(name)) return lazyContainer('map', () => generic(generics.length - 1));
    if (table.promises.has(name)) return lazyContainer('promise', () => generic(0));
    if (table.functions?.has(name) === true)
      return { kind: 'callback', parameters: Array.from(generics, (_, index) => generic(index)) };
    if (table.pairs?.has(name) === true) return { kind: 'callback', parameters: [generic(0), generic(0)] };
    return undefined;
  };
}

const inTypescript = fromTable(TYPESCRIPT);
export const javaTypes = fromTable(JAVA);
export const rustTypes = fromTable(RUST);
export const goTypes = fromTable(GO);
export const phpTypes = fromTable(PHP);
export const swiftTypes = fromTable(SWIFT);
export const scalaTypes = fromTable(SCALA);
export const csharpTypes = fromTable(CSHARP);
export const kotlinTypes = fromTable(KOTLIN);
export const cppTypes = fromTable(CPP);
/** Built-in types of languages whose own types have no arguments. */
export const noTypes: BuiltinTypes = () => undefined;

/** Generic types of TypeScript's library, and those of component libraries that carry properties. */
export const typescriptTypes: BuiltinTypes = (on, of) => {
  const { name, unit, generics, bindings } = of;
  const first = generics[0];
  if (first === undefined) return undefined;
  const type = inTypescript(on, of);
  if (type !== undefined) return type;
  const argument = on.type(unit, first, bindings);
  switch (name) {
    case 'Awaited':
      return argument?.kind === 'promise' ? argument.value : argument;
    case 'ReturnType':
      return on.call(argument);
    case 'InstanceType':
      return on.construct(argument);
    case 'FC':
    case 'FunctionComponent':
      return { kind: 'component', properties: argument };
    default:
      return undefined;
  }
};
