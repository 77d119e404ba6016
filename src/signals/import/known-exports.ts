/** A field of a signal, or the title, which is put before its text. */
export type ImportField =
  | 'text'
  | 'title'
  | 'external_id'
  | 'source'
  | 'customer'
  | 'segment'
  | 'value'
  | 'rating'
  | 'version'
  | 'language'
  | 'date'
  | 'tags'
  | 'link';

/** An export that is known by the names of its columns. */
interface KnownExport {
  name: string;
  /** Columns that only it has together. */
  needs: readonly string[];
  /** Columns that have other names here than elsewhere. */
  columns: Partial<Record<ImportField, readonly string[]>>;
}

const KNOWN_EXPORTS: readonly KnownExport[] = [
  {
    name: 'Google Play reviews',
    needs: ['review_text', 'star_rating', 'review_submit_date_and_time'],
    columns: {
      text: ['review_text'],
      title: ['review_title'],
      rating: ['star_rating'],
      date: ['review_submit_date_and_time'],
      language: ['reviewer_language'],
      version: ['app_version_name', 'app_version_code'],
      external_id: ['review_link'],
      link: ['review_link'],
    },
  },
  {
    // As programs write them that read the pages of the store.
    name: 'Google Play reviews',
    needs: ['review_id', 'content', 'score', 'at'],
    columns: {
      text: ['content'],
      rating: ['score'],
      date: ['at'],
      external_id: ['review_id'],
      customer: ['user_name'],
      version: ['review_created_version', 'app_version'],
    },
  },
  {
    name: 'App Store reviews',
    needs: ['review', 'rating', 'title', 'storefront'],
    columns: {
      text: ['review'],
      title: ['title'],
      customer: ['nickname', 'reviewer_nickname'],
      segment: ['storefront'],
    },
  },
  {
    name: 'Zendesk tickets',
    needs: ['subject', 'requester', 'created_at'],
    columns: {
      title: ['subject'],
      customer: ['organization', 'requester_organization', 'requester', 'requester_email'],
      text: ['description', 'comment'],
    },
  },
  {
    name: 'Zendesk tickets',
    needs: ['subject', 'requester_id', 'created_at'],
    columns: { title: ['subject'], customer: ['organization_id', 'requester_id'], text: ['description'] },
  },
  {
    name: 'Intercom conversations',
    needs: ['conversation_id', 'created_at'],
    columns: {
      external_id: ['conversation_id'],
      customer: ['company_name', 'user_name', 'user_email', 'contact_name'],
      text: ['message', 'first_message', 'conversation_parts', 'body', 'source_body'],
    },
  },
  {
    name: 'Jira issues',
    needs: ['issue_key', 'summary'],
    columns: {
      external_id: ['issue_key'],
      title: ['summary'],
      text: ['description'],
      customer: ['organizations', 'organization', 'reporter'],
      rating: ['satisfaction_rating', 'satisfaction'],
      date: ['created'],
    },
  },
  {
    name: 'Canny posts',
    needs: ['title', 'details', 'board'],
    columns: {
      text: ['details'],
      customer: ['author_company', 'company', 'author_name', 'author', 'author_email'],
      segment: ['board'],
      date: ['created', 'created_at'],
    },
  },
  {
    name: 'Productboard notes',
    needs: ['title', 'content', 'display_url'],
    columns: {
      text: ['content'],
      link: ['display_url'],
      customer: ['company_name', 'company', 'user_email', 'owner_email'],
    },
  },
  {
    name: 'GitLab issues',
    needs: ['issue_id', 'title', 'author_username'],
    columns: {
      external_id: ['issue_id'],
      text: ['description'],
      link: ['url', 'web_url'],
      customer: ['author', 'author_username'],
      date: ['created_at'],
    },
  },
  {
    name: 'Slack messages',
    needs: ['ts', 'text', 'user'],
    columns: { external_id: ['client_msg_id', 'ts'], date: ['ts'], customer: ['user_profile_real_name', 'user'] },
  },
  {
    name: 'mails',
    needs: ['message_id', 'from', 'subject', 'body'],
    columns: { text: ['body'], title: ['subject'], external_id: ['message_id'], customer: ['from'], tags: ['labels'] },
  },
];

/** Names of columns that become a field, whatever the file, the likeliest first. */
const FIELD_NAMES: Record<ImportField, readonly string[]> = {
  text: 'text body message content feedback comment comments description details review review_text verbatim response answer note notes summary rezension kommentar nachricht beschreibung rückmeldung'.split(
    ' ',
  ),
  title: 'title subject headline review_title summary titel betreff'.split(' '),
  external_id:
    'external_id externalid id key number ticket_id ticket issue_key issue_id issue review_id response_id'.split(' '),
  source: 'source channel origin via quelle kanal'.split(' '),
  customer:
    'customer company company_name account account_name organization organisation organization_name client kunde firma user_name consumer_name reviewer_name user author auteur author_name nickname reporter requester name email e_mail user_email'.split(
      ' ',
    ),
  segment: 'segment plan tier group cohort country tarif gruppe'.split(' '),
  value: 'value arr mrr revenue amount deal deal_size wert umsatz'.split(' '),
  rating: 'rating stars score star_rating nps nps_score csat satisfaction bewertung sterne note'.split(' '),
  version: 'version app_version version_name app_version_name release review_created_version'.split(' '),
  language: 'language lang locale reviewer_language sprache langue idioma taal'.split(' '),
  date: 'date created_at created createdat timestamp time submitted_at submitted submission_date published published_at day review_date datum erstellt erstellt_am'.split(
    ' ',
  ),
  tags: 'tags labels categories category topic topics stichwörter kategorie'.split(' '),
  link: 'link url permalink href web_url html_url'.split(' '),
};
export const IMPORT_FIELDS = Object.keys(FIELD_NAMES) as ImportField[];

/** The column that each field is taken from. */
export type ColumnMapping = Partial<Record<ImportField, string>>;

/** Fields that a column can be by one word of its name, `review_creation_date`, when its values fit. */
const FIELDS_BY_A_WORD = ['text', 'title', 'rating', 'date'] as const;
/** Fields whose values show whether a column can be it. */
export type FieldWithValues = (typeof FIELDS_BY_A_WORD)[number] | 'customer' | 'sentence';

/**
 * Finds the field of each column by its name, then by the last or first word of its name where `fits` says that its values are
 * those of the field; each column is used once, except that an address or a time stamp may be an id too. Of several names the
 * one whose values fit is taken, and no text without. Names alone decide without `fits`.
 */
export function mapColumns(
  columns: readonly string[],
  fits?: (field: FieldWithValues, column: string) => boolean,
): { mapping: ColumnMapping; known: string | undefined } {
  const named = columns.map((column) => ({ column, name: plainName(column) }));
  const has = (name: string): boolean => named.some((field) => field.name === name);
  const knownExport = KNOWN_EXPORTS.find(({ needs }) => needs.every(has));
  const mapping: ColumnMapping = {};
  const taken = new Set<string>();
  const take = (field: ImportField, candidates: readonly { column: string; name: string }[]): void => {
    const free = candidates.filter(({ column }) => !taken.has(column));
    const fitting = isWithValues(field) ? free.find(({ column }) => fits?.(field, column)) : undefined;
    const match = fitting ?? (field === 'text' && fits !== undefined ? undefined : free[0]);
    if (mapping[field] !== undefined || match === undefined) return;
    mapping[field] = match.column;
    if (field !== 'external_id' || !/link|url|^ts$/.test(match.name)) taken.add(match.column);
  };
  for (const names of [knownExport?.columns ?? {}, FIELD_NAMES]) {
    for (const field of IMPORT_FIELDS)
      take(
        field,
        (names[field] ?? []).flatMap((name) => named.filter((candidate) => candidate.name === name)),
      );
  }
  for (const at of [-1, 0]) {
    for (const field of FIELDS_BY_A_WORD) {
      const words = named.map((candidate) => ({ ...candidate, word: candidate.name.split('_').at(at) ?? '' }));
      take(
        field,
        FIELD_NAMES[field].flatMap((name) =>
          words.filter(
            ({ word, column }) => word === name && fits?.(field === 'text' ? 'sentence' : field, column) === true,
          ),
        ),
      );
    }
  }
  // A table of titles alone.
  if (mapping.text === undefined && mapping.title !== undefined) {
    mapping.text = mapping.title;
    delete mapping.title;
  }
  return { mapping, known: knownExport?.name };
}

function isWithValues(field: ImportField): field is Exclude<FieldWithValues, 'sentence'> {
  return field === 'customer' || (FIELDS_BY_A_WORD as readonly ImportField[]).includes(field);
}

/** `Created At (UTC)` as `created_at`, `user.login` as `user_login`. */
function plainName(column: string): string {
  return (
    column
      .normalize('NFC')
      // Jira writes fields of one's own as `Custom field (Organizations)`.
      .replace(/^custom field \((.+)\)$/i, '$1')
      .replace(/\([^)]*\)/g, '')
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '')
  );
}
