import { describe, expect, it } from 'vitest'
import { refusalWords } from '../../../src/api/console/kit/refusals.ts'
import { ruleText, ruleWords } from '../../../src/api/console/kit/rules.ts'
import { CreateUnit } from '../../../src/contract/admin/unit.ts'
import { CreateCallback } from '../../../src/contract/callbacks/callback.ts'
import { keysOf } from '../../../src/contract/enums.ts'
import { errorStatus } from '../../../src/contract/errors.ts'
import { CreateMessage } from '../../../src/contract/messages/create.ts'
import { readValue } from '../../../src/contract/read-value.ts'
import { type Broken, broken, type FactsOf, type Rule, rules } from '../../../src/contract/rules.ts'
import { TopicListQuery } from '../../../src/contract/topics.ts'
import { issuesFound } from '../../../src/services/validation-error.ts'

const because = { 'zh-TW': '標籤沒有結束', en: 'tag not closed' }

/** Facts of every rule, in each of its forms. */
const samples: { [R in Rule]: FactsOf<R>[] } = {
  invalid: [{}],
  missing: [{}, { values: ['a', 'b'] }, { values: ['a'] }, { type: 'once' }, { reason: 'capacity' }],
  empty: [{}, { reason: 'all_categories' }],
  wrong_type: [{ expected: 'integer', actual: 'fraction' }, { expected: 'number' }],
  wrong_format: [{ format: 'url' }, { format: 'cron' }],
  wrong_media_type: [{ values: ['text/csv'], actual: null }],
  not_one_of: [{ values: ['a', 'b'] }, { values: ['seats'], of: 'template_variables' }],
  not_https: [{ of: 'url' }, { of: 'address' }],
  not_public: [{ of: 'address' }, { of: 'icon' }],
  has_credentials: [{ of: 'address' }, { of: 'icon' }],
  has_fragment: [{}],
  too_long: [
    { limit: 60, unit: 'characters' },
    { limit: 64, unit: 'characters_before_at' },
  ],
  too_short: [{ limit: 3, unit: 'characters' }],
  too_long_together: [
    { limit: 500, unit: 'characters' },
    { limit: 500, unit: 'characters', count: 501, remedy: 'jump' },
  ],
  too_many: [
    { limit: 3, unit: 'entries' },
    { limit: 90, unit: 'pixels' },
  ],
  too_few: [{ limit: 2, unit: 'entries' }],
  too_many_marks: [{ limit: 200, unit: 'marks', count: 201 }],
  too_large: [{ limit: 9 }, { limit: 64, unit: 'KiB' }],
  too_small: [{ limit: 1 }, { limit: 7, reason: 'places' }],
  too_deep: [
    { limit: 32, unit: 'levels' },
    { limit: 32, unit: 'levels', of: 'answer' },
  ],
  limit_reached: [
    { limit: 10, of: 'callbacks' },
    { limit: 50, of: 'members' },
    { limit: 2, of: 'active_keys' },
  ],
  inexact_number: [{}],
  unstorable_text: [{}, { of: 'key' }, { of: 'path' }],
  forbidden_key: [{}, { key: '__proto__' }],
  invalid_key: [{ because: broken('too_long', { limit: 200, unit: 'characters' }) }],
  object_as_length: [{}],
  too_slow: [{}],
  unknown_field: [{ fields: ['colour'] }, { fields: ['colour'], others: 3 }],
  unknown_parameter: [{ fields: ['colour'], values: ['limit'] }],
  unexpected: [{ without: 'remindAt' }, { type: 'once' }, { reason: 'survey' }],
  not_exactly_one: [
    { fields: ['templateId', 'messages'] },
    { fields: ['seconds', 'until', 'untilVariable'] },
  ],
  not_both: [{ fields: ['templateId', 'messages'] }],
  nothing_given: [{ of: 'fields' }],
  added_and_removed: [{ of: 'role' }, { of: 'uid' }],
  mismatch: [{ of: 'scope' }, { of: 'category', value: 'news' }, { of: 'unit', value: 'u1' }],
  repeated: [
    { of: 'channel' },
    { of: 'column' },
    { of: 'id', value: 'yes' },
    { of: 'variable', value: 'who' },
  ],
  taken: [{ of: 'unit' }, { of: 'topic', id: 't1' }],
  reserved: [
    { of: 'key', values: ['__proto__'] },
    { of: 'query', values: ['uid'] },
  ],
  in_the_past: [{}, { of: 'deadline' }],
  not_after: [{ than: 'start' }, { than: 'sendTime' }],
  not_before: [{ than: 'expiresAt' }],
  not_less: [{ than: 'expiresAfterSeconds' }],
  same_time: [{}],
  too_far_ahead: [{ limit: 366, unit: 'days' }],
  too_frequent: [{ limit: 5, unit: 'minutes' }],
  no_such_day: [{}, { of: 'cron' }],
  year_out_of_range: [{}],
  offset_too_large: [{}],
  too_precise: [{}],
  unknown_time_zone: [{ value: 'Asia/Taipai' }],
  has_liquid: [{ of: 'calendar' }],
  invalid_template: [{ because }],
  unlisted_variable: [{ value: 'who' }],
  unknown_name: [{ value: 'who' }, { value: 'age', values: ['locale'] }],
  not_given_by_people: [{ because }],
  invisible_character: [{ of: 'text', value: 'U+202E' }],
  answer_button: [{ of: 'button' }, { of: 'quickReply' }],
  malformed_json: [
    { line: 2, column: 7, isCutOff: false },
    { line: 2, column: 7, isCutOff: true },
  ],
  malformed_csv: [{}, { line: 7, limit: 1_000, unit: 'bytes' }],
  unknown_reference: [{ to: 'template' }],
  not_a_static_group: [{}, { id: 'g1' }],
  inactive: [{ of: 'topic' }, { of: 'scenario' }, { of: 'category', id: 'news' }],
  mandatory_category: [{}, { id: 'safety' }],
  wider_than_plan: [{ mode: 'all', values: ['chat'] }],
  no_dimension: [{}, { besides: 'exclude' }],
  unknown_dimension: [{ of: 'history', values: ['seen'] }],
  uid_not_named: [{}],
  query_with_scenario: [{}],
  no_own_address: [{ of: 'channel' }, { of: 'session' }],
  no_question: [{}],
  no_attendance: [{ value: 'yes' }],
  not_skippable: [{}],
  not_registered: [{ value: 'https://orders.example.edu' }],
  not_trackable: [{}],
  last_administrator: [{}],
}

const every = keysOf(rules).flatMap((rule) =>
  samples[rule].map((facts): Broken => {
    const build = broken as (rule: Rule, facts: object) => Broken
    return build(rule, facts)
  }),
)

describe.each(every)('$rule: $message', (one) => {
  it('says in English what the value must be', () => {
    expect(one.message).toMatch(/^(must|may only|is missing|is required|every key must) ?/)
    expect(one.message).not.toMatch(/undefined|\[object/)
  })

  it('says in Chinese what to do, with its limit', () => {
    const text = ruleText('zh-TW', one)
    expect(text).toMatch(/\p{Script=Han}{2}/u)
    expect(text).not.toMatch(/undefined|\[object|must|missing|。$/)
    if ('limit' in one) expect(text.replaceAll(',', '')).toContain(String(one.limit))
  })
})

describe('the words of Chinese pages', () => {
  it('have no English beside names and addresses, whatever the form of the rule', () => {
    const fixed = Object.values(ruleWords).filter((words) => typeof words === 'string')
    const names = /https?:\/\/|JSON|CSV|UTF-8|JPEG|PNG|WebP/g
    expect(
      [...fixed, ...Object.values(refusalWords['zh-TW'])].filter((text) =>
        /[A-Za-z]{2}/.test(text.replace(names, '')),
      ),
    ).toEqual([])
  })

  it('say of every error what happened', () => {
    for (const code of keysOf(errorStatus))
      expect(refusalWords['zh-TW'][code]).toMatch(/\p{Script=Han}.*。$/u)
  })
})

describe('an issue of a schema', () => {
  const issuesOf = (schema: Parameters<typeof readValue>[0], value: unknown) => {
    const { error } = readValue(schema, value)
    return error ? issuesFound(error) : []
  }

  it('has the rule of what zod finds by itself', () => {
    expect(issuesOf(TopicListQuery, { limit: '1000' })).toMatchObject([
      { path: 'limit', rule: 'too_large', limit: 200 },
    ])
    expect(issuesOf(CreateUnit, { name: 3, kind: 'x', colour: 1 })).toMatchObject([
      { path: '', rule: 'unknown_field', fields: ['colour'] },
      { path: 'name', rule: 'wrong_type', expected: 'string', actual: 'number' },
      { path: 'kind', rule: 'not_one_of' },
    ])
  })

  it('has the rule of a format with a sentence of its own, and of a check', () => {
    expect(issuesOf(CreateCallback, { url: 'ftp://x', types: ['message.answered'] })).toMatchObject([
      { path: 'url', message: 'must be an https URL', rule: 'not_https', of: 'url' },
    ])
    const body = { categoryId: 'c', audience: { kind: 'query' }, scheduleAt: 'soon', remindTo: 'all' }
    expect(issuesOf(CreateMessage, body)).toMatchObject([
      { path: 'audience', rule: 'no_dimension', besides: 'exclude' },
      { path: 'scheduleAt', rule: 'wrong_format', format: 'datetime' },
    ])
    const pace = { perMinute: 1.5 }
    expect(issuesOf(CreateMessage, { ...body, pace })).toContainEqual(
      expect.objectContaining({ path: 'pace', rule: 'wrong_type', expected: 'integer' }),
    )
    const both = { ...body, audience: { kind: 'all' }, scheduleAt: undefined }
    expect(issuesOf(CreateMessage, both)).toMatchObject([
      { path: '', rule: 'not_exactly_one', fields: ['templateId', 'messages'] },
      { path: 'remindTo', rule: 'unexpected', without: 'remindAt' },
    ])
  })
})
