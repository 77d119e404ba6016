import { type RawBuilder, sql } from 'kysely';
import type { Condition, GroupField } from './conditions.ts';

const TONE = sql`case when polarity < 0 then 'negative' when polarity > 0 then 'positive'
  when polarity = 0 then 'neutral' end`;
/** The numbers of a version: `2.10.1` is more than `2.9`. */
const VERSION_NUMBERS = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`array(select (part[1])::bigint from regexp_matches(${text}, '[0-9]{1,15}', 'g') as part)`;
const SHARED_LANGUAGE = sql`lower(split_part(replace(language, '_', '-'), '-', 1))`;
/** A date that was given: that of an import says nothing about when something was said. */
const GIVEN_DATE = sql`case when date_given then date at time zone 'UTC' end`;

/** The value of a field that has one value at most; null where a signal lacks it. */
export function valueOf(field: Exclude<GroupField, 'tag' | 'competitor'>): RawBuilder<unknown> {
  switch (field) {
    case 'month':
      return sql`to_char(${GIVEN_DATE}, 'YYYY-MM')`;
    case 'week':
      return sql`to_char(date_trunc('week', ${GIVEN_DATE}), 'YYYY-MM-DD')`;
    case 'rating':
      return sql`rating::text`;
    case 'theme':
      return sql`(select nullif(label, '') from theme
        where theme.account_id = signal.account_id and theme.id = signal.theme_id)`;
    case 'customer':
    case 'segment':
    case 'source':
      return sql`nullif(${sql.ref(field)}, '')`;
    case 'version':
      return sql`version`;
    case 'language':
      return SHARED_LANGUAGE;
    case 'tone':
      return TONE;
    case 'intent':
      return sql`intent`;
  }
}

/** True if the text of a signal names a competitor: whole, in any case. */
export function mentions(name: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`text ~* ('(^|[^[:alnum:]])' || regexp_replace(${name}, '([^[:alnum:]])', '\\\\\\1', 'g') || '($|[^[:alnum:]])')`;
}

/**
 * A condition in SQL. A signal without the field never has it, nor another one.
 *
 * @param within signals of the product: versions are compared once each, not once a signal.
 */
export function conditionSql({ field, operator, value }: Condition, within: RawBuilder<unknown>): RawBuilder<unknown> {
  const compare = sql.raw(operator === '!=' ? '<>' : operator);
  const isNot = operator === '!=';
  switch (field) {
    case 'rating':
    case 'value':
      return sql`${sql.ref(field)} ${compare} ${Number(value)}::double precision`;
    case 'version':
      return operator === '=' || isNot
        ? sql`lower(version) ${compare} lower(${value})`
        : sql`version in (select version from signal where ${within} group by version
            having ${VERSION_NUMBERS(sql`version`)} ${compare} ${VERSION_NUMBERS(sql`${value}`)})`;
    case 'month':
    case 'week':
      return sql`${valueOf(field)} ${compare} ${value}`;
    case 'tag': {
      const has = sql`exists (select 1 from unnest(tags) as tag where lower(tag) = lower(${value}))`;
      return isNot ? sql`not ${has}` : has;
    }
    case 'competitor': {
      const has = mentions(sql`${value}`);
      return isNot ? sql`not (${has})` : sql`(${has})`;
    }
    case 'language': {
      const isExact = /[-_]/.test(value);
      const own = isExact ? sql`lower(replace(language, '_', '-'))` : SHARED_LANGUAGE;
      return sql`${own} ${compare} lower(replace(${value}, '_', '-'))`;
    }
    case 'theme':
      return sql`(lower(${valueOf(field)}) ${compare} lower(${value})
        ${isNot ? sql`and` : sql`or`} theme_id::text ${compare} ${value.replace(/^theme:/, '')})`;
    case 'customer':
    case 'segment':
    case 'source':
    case 'tone':
    case 'intent':
      return sql`lower(${valueOf(field)}) ${compare} lower(${value})`;
  }
}
