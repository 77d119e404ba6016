import { expect, test } from 'vitest';
import { identifierWords } from './identifier-parts.ts';
import { stem } from './stem.ts';
import { identifierParts, partsOf, termFinder, termsOf, WordCache } from './terms.ts';

/** Words as people write them, each with the words that find them: one a line. */
const WORDS_AND_QUERIES = `
PDFs: pdf pdfs PDF
GPUs: gpu gpus GPU
CPUs: cpu cpus CPU
IDs: id ids ID
URLs: url urls URL
APIs: api apis API
VMs: vm vms VM
TVs: tv tvs TV
PCs: pc pcs PC
CSVs: csv csvs CSV
JPEGs: jpeg jpegs JPEG
PRs: pr prs PR
ADRs: adr adrs ADR
SDKs: sdk sdks SDK
DNSs: dnss DNS
FAQs: faq faqs FAQ
KPIs: kpi kpis KPI
LEDs: led leds LED
ORMs: orm orms ORM
SLAs: sla slas SLA
MP3s: mp3 MP3
getURLsFor: url urls URL
userIDs: id ids user
parsePDFs: pdf pdfs PDF parse
PDFsToMerge: pdf merge
listVMsByName: vm name VM
CPUs_per_node: cpu node CPU
iOS: ios iOS IOS
iPhone: iphone iPhone
iPhones: iphone iPhone iphones
iPad: ipad iPad
iPadOS: ipados iPad ipad
iCloud: icloud iCloud
iMessage: imessage iMessage
iTunes: itunes iTunes
eBay: ebay eBay
eBook: ebook eBook
eSIM: esim eSIM
mTLS: mtls mTLS TLS
gRPC: grpc gRPC rpc
jQuery: jquery jQuery
nGinx: nginx
xAxis: axis
macOS: macos macOS
tvOS: tvos tvOS
watchOS: watchos watchOS
webOS: webos webOS
kHz: khz kHz
pH: ph pH
iOSApp: ios iOS app
iOSVersion: ios iOS version
iPhoneSync: iphone iPhone sync
gRPCServer: grpc gRPC server
jQueryPlugin: jquery plugin
mTLSConfig: mtls config
macOSBuild: macos macOS build
tvOSTarget: tvos target
is_iOS: ios iOS
OAuth: oauth OAuth auth
OAuth2: oauth2 oauth OAuth2 OAuth auth
getOAuthToken: oauth OAuth token
OAuthClient: oauth OAuth client
OAuthURL: oauth OAuth url
OAuth2Flow: oauth2 oauth OAuth flow
OData: odata OData
OCaml: ocaml OCaml
TShirt: tshirt
XAxis: xaxis XAxis axis
getXAxis: xaxis XAxis axis
GraphQL: graphql GraphQL
getGraphQLSchema: graphql GraphQL schema
GraphQLError: graphql error
PostgreSQL: postgresql PostgreSQL
MySQL: mysql MySQL
MySQLs: mysql MySQL
NoSQL: nosql NoSQL
MongoDB: mongodb MongoDB
DynamoDBTable: dynamodb DynamoDB table
InfluxDB: influxdb InfluxDB
OpenSSL: openssl OpenSSL
OpenSSLSocket: openssl OpenSSL socket
OpenGL: opengl OpenGL
WebRTC: webrtc WebRTC
WebRTCPeer: webrtc peer
LibreSSL: libressl LibreSSL
FreeBSD: freebsd FreeBSD
FreeBSDPort: freebsd port
JavaFX: javafx JavaFX
LaTeX: latex LaTeX
WinRAR: winrar WinRAR
DevOps: devops DevOps
GitHub: github GitHub git
GitLab: gitlab GitLab
YouTube: youtube YouTube
JavaScript: javascript JavaScript
TypeScript: typescript TypeScript
PayPal: paypal PayPal
LinkedIn: linkedin LinkedIn
WordPress: wordpress WordPress
QuickBooks: quickbooks QuickBooks
HubSpot: hubspot HubSpot
WhatsApp: whatsapp WhatsApp
WiFi: wifi WiFi
LoRa: lora LoRa
IoT: iot IoT
SaaS: saas SaaS
IaaS: iaas IaaS
PaaS: paas PaaS
PhD: phd PhD
BitTorrent: bittorrent BitTorrent
CloudFormation: cloudformation CloudFormation
ActiveX: activex ActiveX
IPv6: ipv6 IPv6 ip
IPv4: ipv4 IPv4 ip
IPv6Address: ipv6 IPv6 address
isIPv4: ipv4 IPv4
parseIPv6: ipv6 IPv6
TLSv1: tlsv1 tls
SSLv3: sslv3 ssl
HTTPv2: httpv2 http
UUIDv7: uuidv7 uuid UUIDv7
UUIDv4s: uuid
k8s: k8s K8s
K8s: k8s
k8sClient: k8s client
K8sCluster: k8s cluster
my_k8s_pod: k8s pod
k3s: k3s
e2e: e2e E2E
e2eTests: e2e test tests
runE2E: e2e E2E
E2ETest: e2e test
i18n: i18n I18n
I18nProvider: i18n provider
l10n: l10n
a11y: a11y
a11yAudit: a11y audit
b2b: b2b B2B
B2B: b2b B2B
B2BCustomer: b2b B2B customer
P2P: p2p P2P
p2pNetwork: p2p network
C2C: c2c
x86: x86
x64Build: x64 build
arm64: arm64 arm
int32: int32 int
uint8Array: uint8 array
float64: float64 float
base64: base64
base64Encode: base64 encode
Base64Decoder: base64 decoder
utf8: utf8 UTF8
UTF8: utf8
UTF8Decoder: utf8 decoder
utf16le: utf16le
latin1: latin1
sha1: sha1
sha256: sha256 SHA256 sha
SHA256: sha256
sha256Hash: sha256 SHA256 hash
createSha256: sha256
md5: md5 MD5
MD5Sum: md5 sum
aes128: aes128
ed25519: ed25519
s3: s3 S3
S3: s3
S3Bucket: s3 S3 bucket
EC2: ec2
EC2Instance: ec2 instance
h264: h264 H264
H265Encoder: h265 encoder
mp3: mp3
mp4: mp4 MP4
Mp4Player: mp4 player
web3: web3
Web3Provider: web3 provider
log4j: log4j
Log4jAppender: log4j appender
neo4j: neo4j
auth0: auth0
Auth0Client: auth0 client
es2022: es2022
ES6Module: es6 module
http2: http2 HTTP2
HTTP2Server: http2 server
v2: v2 V2
apiV2: v2 api
v1beta1: v1beta1
log2: log2 log
atan2: atan2
vec3: vec3 vec
vec3D: vec
2FA: 2fa 2FA
3D: 3d 3D
3DModel: 3d model
5G: 5g 5G
4K: 4k 4K
7zip: 7zip zip
1Password: password
32bit: 32bit bit
2faCode: 2fa code
enable2FA: enable
useState: usestate useState state
toString: tostring toString string
isOn: ison isOn
sendMail: sendmail sendMail mail
XMLHttpRequest: xmlhttprequest xml http request
parseXMLIn: xml parse
URLId: url id
HTTPServer: http server
readJSON: json read
snake_case_name: snake case name
SCREAMING_ID: screaming id
größePDFs: größe pdf PDF
данныеAPI: данные api
`;

test('words are found by the forms in which people write them', () => {
  const lines = WORDS_AND_QUERIES.trim().split('\n');

  const missed = lines.flatMap((line) => {
    const [written = '', queries = ''] = line.split(': ');
    const terms = new Set(termsOf(`The ${written} page.`));
    return queries
      .split(' ')
      .filter((query) => !terms.has(termsOf(query).at(-1) ?? ''))
      .map((query) => `${written} by ${query}`);
  });

  expect(lines.length).toBeGreaterThanOrEqual(200);
  expect(missed).toEqual([]);
});

test('a plural of capitals is no part of its own, and two-letter words behind capitals stay words', () => {
  expect(termsOf('PDFs')).toEqual(['pdf']);
  expect(termsOf('GPUs')).toEqual(['gpu', 'gpus']);
  expect(identifierParts('readXMLIn')).toEqual(['read', 'xml', 'in']);
  expect(identifierParts('userIDs')).toEqual(['user', 'ids']);
});

test('identifiers are split at humps, digits and underscores, and are terms as a whole', () => {
  expect(identifierParts('parseHTTPRequest2_now')).toEqual(['parse', 'http', 'request', '2', 'now']);
  expect(termsOf('parseXmlRequest')).toEqual(['pars', 'xml', 'request', 'parsexmlrequest']);
  expect(partsOf('the Größe of snake_case')).toEqual(['größ', 'snak', 'case']);
  expect(identifierParts('данныеÜber9')).toEqual(['данные', 'über', '9']);
});

test('a word for a theme is a product name as a whole, or a part of an identifier', () => {
  expect(identifierWords('iOSApp')).toEqual(['iOS', 'App']);
  expect(identifierWords('sendMail')).toEqual(['send', 'Mail']);
  expect(identifierWords('getOAuthToken')).toEqual(['get', 'OAuth', 'Token']);
});

test('forms of a word meet in one stem', () => {
  for (const forms of [
    ['connect', 'connects', 'connected', 'connecting'],
    ['cache', 'caches', 'cached', 'caching'],
    ['retry', 'retries', 'retried', 'retrying'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['validate', 'validates', 'validation', 'validator'],
  ])
    expect([forms[0], new Set(forms.map(stem)).size]).toEqual([forms[0], 1]);
});

test('a word is taken apart once, until as many are remembered as may be', () => {
  const read: string[] = [];
  const cache = new WordCache(
    (word) => {
      read.push(word);
      return [word];
    },
    2,
    (word) => word !== 'rare',
  );

  for (const word of ['a', 'a', 'rare', 'rare', 'b', 'c', 'a']) expect(cache.of(word)).toEqual([word]);

  expect(read).toEqual(['a', 'rare', 'rare', 'b', 'c', 'a']);
  expect([cache.forget(), cache.forget()]).toEqual([true, false]);
});

test('of the terms of a word those are found that are accepted', () => {
  expect(termFinder((term) => term !== 'user')('getUserName')).toEqual(['get', 'name', 'getusernam']);
});
