import { stem } from './stem.ts';
import { termsOf } from './terms.ts';
import { wordsOf } from './words.ts';

/**
 * Words of a question, in any of their forms, and after the colon what code is called that does it. People ask what happens to a task
 * that hangs; code has a timeout.
 */
const PLAIN_WORDS = `
wait, hold on: delay sleep timeout pause interval block poll backoff await
retry, try again, tries again, tried again, another try, second try: retry attempt backoff
again, repeat, over and over: retry repeat loop
twice, two times, duplicate, double: unique dedupe seen duplicate once visited
once, only one: once single unique singleton
hang, hung, stuck, freeze, frozen, respond: timeout deadlock block stall heartbeat
slow, too slow: timeout latency throttle
too long: timeout limit max truncate
too many, too much: limit max throttle overflow exceed
too large, too big, huge: limit max size exceed overflow
long, length: max limit size timeout
large, big, huge: size max limit length
largest, biggest, longest, most, at most: max limit
small, smallest, shortest, fewest, least, at least: min size
how many: count max limit number size
how often: interval period frequency rate every ticker
how long: timeout duration ttl delay interval expire
often: interval frequency rate period
time, clock: duration timeout now timestamp
old, age, older: expire stale ttl outdated
expire, run out: ttl expire deadline
stale, outdated: expire invalidate refresh
forget, forgotten, forgot: evict expire remove delete discard clear
remember, keep track, bookkeeping: cache store persist save memo record track
keep, kept: store retain save preserve hold cache
throw away, thrown away, get rid, dispose: discard drop delete remove evict
delete, remove, take out: delete remove drop erase purge unlink clear
clean, tidy, clean up: cleanup clear purge delete close
empty: clear flush reset
give up, gives up, gave up, giving up: abort fail exhaust max attempt
stop, halt, end: shutdown stop terminate cancel close quit abort
finish, done, complete: complete finish done end
interrupt, ctrl: signal cancel abort interrupt sigint
kill: terminate signal kill abort
quit, leave, exit: exit shutdown quit
shut down, go down, goes down: shutdown close stop graceful
start, begin, launch, come up: init start launch run boot spawn
set up, prepare: init setup configure prepare bootstrap
crash, blow up, blows up: panic recover fail error exception
die, dead: exit terminate kill dead
broken, damage, corrupt: invalid corrupt malformed checksum
wrong, bad, odd: invalid error malformed
mistake: error invalid
go wrong, goes wrong, went wrong: error fail exception
valid, check, make sure, makes sure, verify: validate verify ensure assert check
allow, permit, may: allow permit permission filter accept authorize
forbid, forbidden, refuse, reject, block, deny: deny reject forbid disallow refuse
ignore, skip, leave out, left out, pass over: skip ignore exclude filter omit
choose, chose, pick, decide, selection: select choose pick resolve determine prefer
prefer, preference, win, precedence: priority precedence override prefer
find, found, locate, look up, look for: find search lookup locate resolve get
guess, tell what, recognise, recognize, figure out, work out, worked out: detect determine infer resolve compute
calculate, compute: calculate compute
measure: elapsed duration stats metric benchmark
notice, find out, learn of, hear: detect watch monitor notify
tell, inform, let know: notify report callback emit
apart: distinguish compare equal
compare, same, equal: equal compare diff match
differ, difference, different: diff compare
change, modify, alter: modify update set mutate
edit: modify update
new, create, make, made: create new build make construct
build, built: build create compile construct assemble
copy: clone copy duplicate
move: rename move
put, insert, add: insert add append register push
order, first, come first, turn: sort order priority sequence
sort: sort order compare
line, waiting line: queue enqueue push pending
send, sent, hand out, deliver: send write publish emit dispatch deliver
receive, come in, comes in, incoming, arrive: receive recv consume handle accept listen
ask: request query prompt ask
answer, reply: response reply result answer
message: message payload packet event
talk, connect: connect dial socket open session
reach, unreachable: connect dial host
log in, sign in, who is: login authenticate auth credential session
password, secret: password credential secret token
encrypt, scramble: encrypt cipher crypto
decrypt: decrypt cipher
safe, dangerous, harmful, attack: escape sanitize unsafe safe
at the same time, simultaneous, parallel, two threads, race: concurrent parallel lock mutex sync thread atomic
several, many: multiple multi list
one after another, one by one: sequential queue iterate
wait for: await join
pass on, hand over, pass: forward delegate dispatch propagate
save, write, written, wrote: save store write persist flush dump
store: store save put persist
print, show, display, shown: print display render show format output
color, colour: color style ansi
screen, terminal: terminal console tty
read, load: read load parse
turn into, convert, translate, become: convert transform parse encode decode map
text: string text format
number: int number parse count
date: date time timestamp
list, collection: list array collection
split, cut up, break up, divide: split tokenize parse partition chunk
cut, cut off, shorten, shortened, abbreviate: truncate split trim abbreviate ellipsis
join, together, combine, merge, glue: merge combine join concat aggregate
collect, group, batch: group aggregate collect batch
setting, configure, configurable: config option setting
option, flag, switch: option flag config argument
unless: default
command line: cli args flag parse
folder, directory: directory dir path folder
place, where: path location
page: page document
link, address, web address: url href link uri
address: addr host
website, site, web: http url host html
download, fetch: fetch download get request
upload: upload post put
redirect, forward: redirect location forward
cookie: cookie jar session
compress, smaller, squeeze: compress gzip deflate encode
unpack, unzip: decode decompress extract inflate
character, letter: char rune byte unicode
capital, upper, lower: case upper lower
misspell, mistype, typo, mistyped, spelled: suggest distance similar levenshtein fuzzy correct
similar, alike, close, nearest, closest: similar distance match fuzzy nearest
suggest, suggestion, did you mean: suggest candidate complete similar
complete, completion: complete suggest candidate
match, fit: match regex pattern
wildcard: glob pattern match
nested, inside, within: nested parent child scope recursive depth
endless, forever, infinite, circular, itself: recursive loop cycle depth
room, space, full: capacity size limit full
memory: memory alloc buffer heap cache
disk: file write flush fsync storage
free, let go, give back, return to: free release dealloc close
borrow, lend, reuse: pool acquire reuse
lock: lock mutex sync
error, problem, fail, failure: error exception fail
complain: error warn raise
report: report log notify error
log: log logger
warn, warning: warning warn deprecated
turn off, switch off, disable: disable off skip
turn on, switch on: enable on
plugin, extension, add on: plugin extension hook register
own, custom, user defined: custom register user override
replace, swap, exchange: replace substitute swap override
override, overrule: override replace
unknown, unexpected: unknown unsupported unexpected
missing, absent, not there, lack: missing default empty null none
nothing: none null empty nil
hide, hidden, mask, secret: hide mask redact private
watch, observe, follow: watch monitor observe listen
alive, living: heartbeat ping keepalive alive
healthy, health: health ping
busy: lock pending active
idle, unused: idle timeout unused
job, task, work: job task worker
schedule, later, postpone, put off, plan: schedule delay timer cron enqueue defer
regularly, periodic, every: interval ticker periodic schedule
limit, restrict, cap: limit max throttle
speed, fast: rate throttle performance
rate: rate throttle interval
weight: weight priority
random, chance, spread: random shuffle rand jitter
fingerprint, digest: hash digest checksum
undo, roll back, take back: rollback undo revert restore
recover, restore, bring back, come back, survive: recover restore reload resume
all or nothing, transaction: transaction commit rollback
command, shell: command exec shell
run, execute: run execute exec invoke call
call: call invoke
handle, deal with, dealt with, take care: handle handler process
happen: handle on
react: handler on event
environment: env environment
history, past: history log
home: home dir path
alias, shortcut, nickname: alias shortcut
quote: quote escape
special: escape
width, wide, wrap: wrap width column
table: table column row
header, title: header title
fall back, falls back, instead, otherwise: fallback default alternative
lose, lost: lost drop miss
leak: leak close release
outside: external public export
internal: private internal
version, upgrade: version migrate upgrade
compatible: version compat
test: test assert
pretend, fake, simulate: mock stub fake
language: locale lang
translation: translate locale
percent, share: ratio percent fraction
average: mean average
median, spread, deviation: stddev median variance
progress: progress bar status
state, status: state status
step, stage, phase: stage step phase
wrap, around: wrapper decorator middleware
before: before pre hook
after, afterwards: after post hook
listen, port: listen bind port socket
header: header
body: body payload content
length of: length size
certificate, trust: certificate tls verify
seed: seed random
thread: thread worker goroutine
balance, distribute: balance distribute shard hash
leader, master: leader master primary
replica, copy of: replica replicate backup
snapshot, backup: snapshot backup checkpoint dump
search: search query find
filter: filter predicate
sum, total: sum total aggregate
negative: negative sign
missing value: null none nan
`;

const entries = PLAIN_WORDS.trim()
  .split('\n')
  .flatMap((line) => {
    const [plain = '', code = ''] = line.split(': ');
    const terms = [...new Set(termsOf(code))];
    return plain.split(', ').map((phrase) => [keyOf(phrase), terms] as const);
  });
const TERMS = Map.groupBy(entries, ([key]) => key);
const LONGEST = Math.max(...entries.map(([key]) => key.split(' ').length));

function keyOf(phrase: string): string {
  return wordsOf(phrase, 'asciiLetters').map(stem).join(' ');
}

/** Terms that code may have for what a question says in plain words: each once, without those of the question itself. */
export function codeTermsOf(question: string): string[] {
  const stems = wordsOf(question.toLowerCase(), 'asciiLetters').map(stem);
  const codeTerms = stems.flatMap((_, at) =>
    Array.from({ length: LONGEST }, (__, length) => stems.slice(at, at + length + 1).join(' ')).flatMap((key) =>
      (TERMS.get(key) ?? []).flatMap(([, terms]) => terms),
    ),
  );
  const own = new Set(termsOf(question));
  return [...new Set(codeTerms)].filter((term) => !own.has(term));
}
