import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { describeIssue } from '../../../src/contract/describe-issue.ts'
import { CreateEventBinding } from '../../../src/contract/events/binding.ts'
import { SystemEvent } from '../../../src/contract/events/event.ts'
import { CreateGroup } from '../../../src/contract/groups/group.ts'
import { EditMessage } from '../../../src/contract/messages/create.ts'
import { ChangePreferences } from '../../../src/contract/subjects/recipients.ts'
import { UpdateSubject } from '../../../src/contract/subjects/subject.ts'
import { ApproveTemplate } from '../../../src/contract/templates/template.ts'
import { EditTopic, TopicListQuery } from '../../../src/contract/topics.ts'

/** The messages of a validation error, by the path of the field. */
function issuesOf(schema: z.ZodType, value: unknown): Record<string, string> {
  const { error } = schema.safeParse(value, { error: describeIssue })
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]))
}

const moment = 'must be an ISO 8601 date-time with an offset, such as 2026-12-01T09:00:00+08:00'

describe('a fault in a body', () => {
  it('is reported as missing if there is no value', () => {
    expect(issuesOf(SystemEvent, { subjectUids: [3] })).toEqual({
      eventId: 'is missing',
      type: 'is missing',
      occurredAt: 'is missing',
      'subjectUids.0': 'must be a string, not a number',
      data: 'is missing',
    })
    expect(issuesOf(CreateGroup, { name: 'x' })).toEqual({
      kind: 'is missing; must be one of static, dynamic',
    })
  })

  it('lists the allowed values', () => {
    expect(
      issuesOf(UpdateSubject, { stage: 'guest', profile: { attributes: 1 }, tags: { add: 'a:b' } }),
    ).toEqual({
      stage: 'must be one of visitor, lead, member, alumni',
      'profile.attributes': 'must be an object, not a number',
      'tags.add': 'must be an array, not a string',
    })
    expect(issuesOf(UpdateSubject, { stage: 'lead', colour: 'red', size: 1 })).toEqual({
      '': 'must not have the unknown fields colour, size',
    })
    expect(issuesOf(CreateGroup, { name: '', kind: 'dynamic', query: { kind: 'all', tags: [''] } })).toEqual({
      name: 'must not be empty',
      'query.kind': 'must be query',
      'query.tags.0': 'must not be empty',
    })
  })

  it('names the type that came', () => {
    const bodies: [unknown, string][] = [
      [null, 'must be a string, not null'],
      [['a'], 'must be a string, not an array'],
      [{}, 'must be a string, not an object'],
      [true, 'must be a string, not a boolean'],
    ]
    for (const [name, message] of bodies)
      expect(issuesOf(CreateGroup, { name, kind: 'static' })).toEqual({ name: message })
    expect(issuesOf(ApproveTemplate, { version: 1.5 })).toEqual({
      version: 'must be an integer, not a fraction',
    })
    expect(issuesOf(ApproveTemplate, { version: '1' })).toEqual({
      version: 'must be a number, not a string',
    })
  })

  it('names the limit of the keys of a record', () => {
    expect(issuesOf(ChangePreferences, { topics: { ['x'.repeat(201)]: true } })).toMatchObject({
      [`topics.${'x'.repeat(201)}`]: 'every key must have at most 200 characters',
    })
  })

  it('lists the choices of a kind', () => {
    const binding = { source: 's', type: 't', categoryId: 'c' }
    expect(issuesOf(CreateEventBinding, { ...binding, audience: { kind: 'all' } })).toEqual({
      'audience.kind': 'must be one of event_subjects, query',
    })
    expect(issuesOf(CreateEventBinding, { ...binding, audience: {} })).toEqual({
      'audience.kind': 'is missing; must be one of event_subjects, query',
    })
    expect(issuesOf(CreateEventBinding, { ...binding, audience: 'all' })).toEqual({
      audience: 'must be an object, not a string',
    })
  })

  it('states the limit', () => {
    const names = issuesOf(CreateGroup, { name: 'x'.repeat(201), kind: 'static' })
    expect(names).toEqual({ name: 'must have at most 200 characters' })
    const tags = issuesOf(UpdateSubject, { tags: { add: Array(201).fill('a:b') } })
    expect(tags).toEqual({ 'tags.add': 'must have at most 200 entries' })
    expect(issuesOf(TopicListQuery, { limit: 0 })).toEqual({ limit: 'must be at least 1' })
    expect(issuesOf(TopicListQuery, { limit: 'many' })).toEqual({ limit: 'must be a number' })
  })

  it('keeps a schema’s own message', () => {
    expect(issuesOf(EditTopic, {})).toEqual({ '': 'must change at least one field' })
  })

  it('of one value or a list of them describes the value', () => {
    expect(issuesOf(TopicListQuery, { status: 'gone' })).toEqual({
      status: 'must be one of active, inactive',
    })
  })

  it('is reported once for an invalid instant', () => {
    for (const scheduleAt of ['tomorrow', '2026-12-01', '2026-12-01T09:00:00'])
      expect(EditMessage.safeParse({ scheduleAt }, { error: describeIssue }).error?.issues).toMatchObject([
        { path: ['scheduleAt'], message: moment },
      ])
    expect(issuesOf(EditMessage, { scheduleAt: '2026-12-01T09:00:00+15:00' })).toEqual({
      scheduleAt: 'must have an offset of at most 14:00',
    })
  })
})
