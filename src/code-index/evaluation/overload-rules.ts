import type { LanguageGroup } from '../../languages/languages.ts';

/** Rules for the built-in types of a language that tells functions apart by their arguments. */
export interface OverloadRules {
  /** Types that are no classes, each with those that its values can stand for without a conversion that loses. */
  widening: ReadonlyMap<string, ReadonlySet<string>>;
  /** Classes that hold a value of such a type. */
  boxes: ReadonlyMap<string, string>;
  /** Library types all of whose supertypes are known: each with the direct ones. */
  supers: ReadonlyMap<string, readonly string[]>;
  /** Library types that nothing extends. */
  closed: ReadonlySet<string>;
  /** The types that all others extend. */
  tops: ReadonlySet<string>;
  /** Types that an array also is. */
  arrays: ReadonlySet<string>;
  /** Library types that a function can stand for, with the number of its parameters. */
  functions: ReadonlyMap<string, number>;
  /** Types that methods of the library give, by their names: those that give the same on every receiver. */
  results: ReadonlyMap<string, string>;
  /** Methods of library types that make an instance of the type they are called on. */
  makers: ReadonlySet<string>;
  /** The type of a text. */
  text: string;
  /** An extension has what it extends as its first parameter. */
  hasReceiverParameter: boolean;
  /** A function at the end of a call is given to the last parameter, whatever is left out before it. */
  hasTrailingFunction: boolean;
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** `a: b c; d: e` as lists by name. */
function parseLists(text: string): Map<string, string[]> {
  return new Map(
    text
      .split(';')
      .map((row) => row.split(':'))
      .map(([name = '', values = '']) => [name.trim(), words(values)]),
  );
}

const sets = (text: string): Map<string, ReadonlySet<string>> =>
  new Map([...parseLists(text)].map(([name, values]) => [name, new Set(values)]));
const pairs = (text: string): Map<string, string> =>
  new Map([...parseLists(text)].map(([name, [value = '']]) => [name, value]));
const numbers = (text: string): Map<string, number> =>
  new Map([...pairs(text)].map(([name, value]) => [name, Number(value)]));
/** `type: method method` as types by method. */
const byValue = (text: string): Map<string, string> =>
  new Map([...parseLists(text)].flatMap(([name, values]) => values.map((value): [string, string] => [value, name])));

const MAKERS = new Set(
  words('valueOf of parse format join getInstance now create Parse Format Concat Join Create FromSeconds FromMinutes'),
);

const JAVA: OverloadRules = {
  widening: sets(
    'byte: short int long float double; short: int long float double; char: int long float double; ' +
      'int: long float double; long: float double; float: double; double:; boolean:; void:',
  ),
  boxes: pairs(
    'byte: Byte; short: Short; char: Character; int: Integer; long: Long; float: Float; double: Double; boolean: Boolean',
  ),
  supers: parseLists(
    'String: CharSequence Comparable Serializable; StringBuilder: CharSequence Appendable Serializable; ' +
      'StringBuffer: CharSequence Appendable Serializable; Byte: Number Comparable; Short: Number Comparable; ' +
      'Integer: Number Comparable; Long: Number Comparable; Float: Number Comparable; Double: Number Comparable; ' +
      'Character: Comparable Serializable; Boolean: Comparable Serializable; Number: Serializable; CharSequence:; ' +
      'Comparable:; Serializable:; Appendable:; Closeable: AutoCloseable; AutoCloseable:; Flushable:; Iterable:; ' +
      'BigDecimal: Number Comparable; BigInteger: Number Comparable; AtomicInteger: Number; AtomicLong: Number; ' +
      'Collection: Iterable; List: Collection; Set: Collection; SortedSet: Set; NavigableSet: SortedSet; ' +
      'Queue: Collection; Deque: Queue; ArrayList: List Serializable; LinkedList: List Deque; HashSet: Set; ' +
      'LinkedHashSet: HashSet; TreeSet: NavigableSet; ArrayDeque: Deque; PriorityQueue: Queue; Vector: List; Stack: Vector; ' +
      'Map:; HashMap: Map; LinkedHashMap: HashMap; TreeMap: NavigableMap; SortedMap: Map; NavigableMap: SortedMap; ' +
      'ConcurrentMap: Map; ConcurrentHashMap: ConcurrentMap; Properties: Map; Iterator:; Enumeration:; ' +
      'Reader: Closeable; StringReader: Reader; BufferedReader: Reader; InputStreamReader: Reader; FileReader: Reader; ' +
      'Writer: Appendable Closeable Flushable; StringWriter: Writer; PrintWriter: Writer; BufferedWriter: Writer; ' +
      'OutputStreamWriter: Writer; FileWriter: Writer; CharArrayWriter: Writer; InputStream: Closeable; ' +
      'ByteArrayInputStream: InputStream; FileInputStream: InputStream; OutputStream: Closeable Flushable; ' +
      'ByteArrayOutputStream: OutputStream; PrintStream: OutputStream Appendable; FileOutputStream: OutputStream; ' +
      'Class: Type AnnotatedElement GenericDeclaration; Type:; ParameterizedType: Type; GenericArrayType: Type; ' +
      'WildcardType: Type; TypeVariable: Type GenericDeclaration; Field: AccessibleObject Member AnnotatedElement; ' +
      'Method: Executable Member AnnotatedElement; Constructor: Executable Member AnnotatedElement; ' +
      'Executable: AccessibleObject Member; Member:; AccessibleObject: AnnotatedElement; AnnotatedElement:; ' +
      'Locale: Serializable; Date: Comparable Serializable; Calendar: Comparable Serializable; ' +
      'GregorianCalendar: Calendar; TimeZone: Serializable; Duration: Comparable TemporalAmount; Instant: Temporal Comparable; ' +
      'LocalDate: Temporal Comparable; LocalDateTime: Temporal Comparable; ZoneId:; File: Comparable; Path: Iterable Comparable; ' +
      'URL:; URI: Comparable; UUID: Comparable; Charset: Comparable; Random:; Pattern:; Matcher:; BitSet:; ' +
      'Throwable: Serializable; Exception: Throwable; Error: Throwable; RuntimeException: Exception; IOException: Exception; ' +
      'IllegalArgumentException: RuntimeException; IllegalStateException: RuntimeException; ' +
      'NullPointerException: RuntimeException; NumberFormatException: IllegalArgumentException; ' +
      'UnsupportedOperationException: RuntimeException; InterruptedException: Exception; Thread: Runnable; Runnable:; ' +
      'TimeUnit:; Void:',
  ),
  closed: new Set(
    words(
      'String StringBuilder StringBuffer Byte Short Integer Long Float Double Character Boolean Class Locale UUID URL URI ' +
        'Field Method Constructor Pattern Matcher Duration Instant LocalDate LocalDateTime TimeUnit Void',
    ),
  ),
  tops: new Set(['Object']),
  arrays: new Set(['Cloneable', 'Serializable']),
  functions: numbers(
    'Runnable: 0; Callable: 0; Supplier: 0; BooleanSupplier: 0; IntSupplier: 0; LongSupplier: 0; DoubleSupplier: 0; ' +
      'Function: 1; Consumer: 1; Predicate: 1; UnaryOperator: 1; IntFunction: 1; LongFunction: 1; DoubleFunction: 1; ' +
      'ToIntFunction: 1; ToLongFunction: 1; ToDoubleFunction: 1; IntConsumer: 1; IntPredicate: 1; IntUnaryOperator: 1; ' +
      'BiFunction: 2; BiConsumer: 2; BiPredicate: 2; BinaryOperator: 2; Comparator: 2; IntBinaryOperator: 2; ToIntBiFunction: 2',
  ),
  results: byValue(
    'String: toString substring trim toLowerCase toUpperCase getName getSimpleName getMessage readLine concat repeat; ' +
      'int: length size hashCode indexOf lastIndexOf compareTo intValue ordinal; ' +
      'boolean: equals isEmpty contains containsKey startsWith endsWith hasNext equalsIgnoreCase isInstance booleanValue; ' +
      'char: charAt charValue; long: longValue currentTimeMillis nanoTime; double: doubleValue; float: floatValue; ' +
      'short: shortValue; byte: byteValue; Class: getClass; String[]: split; char[]: toCharArray; byte[]: getBytes; ' +
      'StringBuilder: append',
  ),
  makers: MAKERS,
  text: 'String',
  hasReceiverParameter: false,
  hasTrailingFunction: false,
};

const NUMBERS_OF_CSHARP =
  'byte: short ushort int uint long ulong float double decimal; sbyte: short int long float double decimal; ' +
  'short: int long float double decimal; ushort: int uint long ulong float double decimal; ' +
  'char: ushort int uint long ulong float double decimal; int: long float double decimal; ' +
  'uint: long ulong float double decimal; long: float double decimal; ulong: float double decimal; float: double; ' +
  'double:; decimal:; bool:; nint: long; void:';

const CSHARP: OverloadRules = {
  widening: sets(NUMBERS_OF_CSHARP),
  boxes: new Map(),
  supers: parseLists(
    'string: IEnumerable IComparable ICloneable; String: IEnumerable IComparable ICloneable; Exception:; ' +
      'ArgumentException: Exception; InvalidOperationException: Exception; IOException: Exception; ' +
      'IEnumerable:; ICollection: IEnumerable; IList: ICollection IReadOnlyList; IReadOnlyCollection: IEnumerable; ' +
      'IReadOnlyList: IReadOnlyCollection; List: IList; HashSet: ICollection IReadOnlyCollection ISet; ISet: ICollection; ' +
      'IDictionary: IEnumerable; IReadOnlyDictionary: IEnumerable; Dictionary: IDictionary IReadOnlyDictionary; ' +
      'IDisposable:; IFormatProvider:; CultureInfo: IFormatProvider; IFormattable:; TextWriter: IDisposable; ' +
      'StringWriter: TextWriter; StreamWriter: TextWriter; Stream: IDisposable; MemoryStream: Stream; FileStream: Stream; ' +
      'TimeSpan: IComparable IFormattable; DateTime: IComparable IFormattable; DateTimeOffset: IComparable IFormattable; ' +
      'Guid: IComparable IFormattable; Type:; StringBuilder:; Encoding:; CancellationToken:; Assembly:; Task:',
  ),
  closed: new Set(
    words('string String StringBuilder TimeSpan DateTime DateTimeOffset Guid CancellationToken CultureInfo'),
  ),
  tops: new Set(['object', 'Object', 'dynamic']),
  arrays: new Set(words('IEnumerable ICollection IList IReadOnlyList IReadOnlyCollection Array')),
  functions: numbers('Action: 0; ThreadStart: 0'),
  results: byValue(
    'string: ToString Substring Trim TrimEnd TrimStart ToLower ToUpper ToLowerInvariant ToUpperInvariant Replace ReadLine; ' +
      'int: IndexOf LastIndexOf GetHashCode CompareTo; bool: Equals IsNullOrEmpty IsNullOrWhiteSpace StartsWith EndsWith; ' +
      'Type: GetType',
  ),
  makers: MAKERS,
  text: 'string',
  hasReceiverParameter: true,
  hasTrailingFunction: false,
};

const KOTLIN: OverloadRules = {
  widening: sets('Byte:; Short:; Int: Long Short Byte; Long:; Float:; Double:; Boolean:; Char:'),
  boxes: pairs(
    'Byte: Number; Short: Number; Int: Number; Long: Number; Float: Number; Double: Number; Boolean: Comparable; Char: Comparable',
  ),
  supers: parseLists(
    'String: CharSequence Comparable; StringBuilder: CharSequence Appendable; CharSequence:; Number:; Comparable:; ' +
      'Collection: Iterable; MutableCollection: Collection; List: Collection; MutableList: List MutableCollection; ' +
      'Set: Collection; MutableSet: Set MutableCollection; ArrayList: MutableList; HashSet: MutableSet; Iterable:; Map:; ' +
      'MutableMap: Map; HashMap: MutableMap; LinkedHashMap: MutableMap; KClass:; Class: Type; Type:; ParameterizedType: Type; ' +
      'Throwable:; Exception: Throwable; RuntimeException: Exception; IOException: Exception; ByteArray:; IntArray:; Unit:',
  ),
  closed: new Set(words('String StringBuilder KClass Class ByteArray IntArray Unit')),
  tops: new Set(['Any']),
  arrays: new Set(),
  functions: numbers('Runnable: 0; Callable: 0; Supplier: 0; Function: 1; Consumer: 1; Predicate: 1; Comparator: 2'),
  results: byValue(
    'String: toString substring trim lowercase uppercase readUtf8 readLine joinToString trimIndent trimMargin; ' +
      'Int: hashCode indexOf lastIndexOf compareTo toInt; Boolean: equals isEmpty isNotEmpty contains startsWith endsWith; ' +
      'Long: toLong; Double: toDouble',
  ),
  makers: MAKERS,
  text: 'String',
  hasReceiverParameter: false,
  hasTrailingFunction: true,
};

const RULES: Partial<Record<LanguageGroup, OverloadRules>> = { java: JAVA, csharp: CSHARP, kotlin: KOTLIN };

/** The rules of a language that tells functions of one name apart by their parameters. */
export const overloadRulesOf = (group: LanguageGroup): OverloadRules | undefined => RULES[group];
