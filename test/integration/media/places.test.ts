import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { picturePlaces } from '../../../src/db/queries/media/media.ts'
import { purgeNextMedia } from '../../../src/services/media/purge.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { mediaUrl, photo } from '../../fixtures/pictures.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi())

/** The other columns that hold JSON, and why none of them holds the only address of a picture that somebody may yet see. */
const others: Record<string, string> = {
  'audit.details': 'says what was done; nothing is shown from it',
  'batch.skipped': 'numbers',
  'callback_delivery.data': 'facts for producers, without content',
  'category.acknowledgement': 'text alone',
  'category.channel_plan': 'names of channels',
  'category.frequency_cap': 'numbers',
  'category.name': 'text alone',
  'category.quiet_hours': 'times',
  'event.data': 'becomes a content within minutes, or nothing',
  'event.details': 'says what is wrong',
  'event_binding_former.audience': 'an audience',
  'event_binding_version.audience': 'an audience',
  'import_chunk.lines': 'people',
  'lookup.refused': 'names of fields',
  'message.audience': 'an audience',
  'message.channel_plan': 'names of channels',
  'message.drift': 'numbers',
  'message.pace': 'numbers',
  'message.plan_override': 'names of channels',
  'message.snapshot': 'numbers and sentences',
  'message.title': 'text alone',
  'message_answer.data': 'the answer of a person',
  'message_content.compiled': 'made of frozen',
  'message_content.compiled_reminder': 'made of frozen',
  'occurrence.error': 'says what is wrong',
  'pattern.calendar': 'texts and times',
  'pattern.description': 'text alone',
  'pattern.questions': 'text alone',
  'pattern.title': 'text alone',
  'people_metric.alumni_active': 'numbers',
  'people_metric.funnel': 'numbers',
  'people_metric.interests': 'numbers',
  'scenario_answer.data': 'the answer of a person',
  'scenario_layout.layout': 'positions',
  'scenario_run.answers': 'ids of options',
  'scenario_run.opening': 'ids of an option, or what a person typed',
  'scenario_start.answer': 'the answer to a request',
  'scenario_start.shortfall': 'numbers',
  'scenario_version.design': 'what the content of the same version is made of',
  'scenario_version.jumps': 'ids',
  'subject.attributes': 'a person, whom no content shows',
  'subject_group.query': 'an audience',
  'template_version.subject': 'text alone',
  'topic.name': 'text alone',
  'turn.content': 'is being sent',
  'turn.says': 'made of the content of the scenario and the variables of the run',
  'unit.display_name': 'text alone',
  'value_name.name': 'text alone',
  'wave.by_channel': 'numbers',
  'wave.people': 'numbers',
  'wave.shortfall': 'numbers',
  'wave.skipped': 'numbers',
  'webhook_event.payload': 'what a person sent',
}

it('every column that holds JSON is searched for addresses of pictures, or has a reason why not', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
      join pg_class on relname = table_name and not relispartition
    where table_schema = 'public' and data_type in ('json', 'jsonb') order by 1`.execute(api.database.db)
  expect(rows.map(({ name }) => name)).toEqual([...Object.keys(others), ...Object.keys(picturePlaces)].sort())
})

it('a picture stays as long as anything that is written may show it, however old that is', async () => {
  const { db } = api.database
  const key = api.keys.a
  const shows = async () => {
    const headers = { 'content-type': 'image/jpeg' }
    const { id, url } = (await api.call('createMedia', { key, raw: await photo(), headers })).body
    return { id, url, messages: [{ kind: 'image', url, alt: { 'zh-TW': '校園' } }] }
  }
  const unnamed = await shows()
  const old = await shows()
  const draft = (await createMessage(api, { messages: old.messages })).body
  await sql`update message set created_at = now() - interval '1 year' where id = ${draft.id}`.execute(db)
  const template = await shows()
  await api.call('createTemplate', {
    key,
    body: { name: 'T', categoryId: 'news', messages: template.messages },
  })
  const value = await shows()
  const variables = [{ name: 'photo', required: false, default: value.url }]
  const byValue = [{ kind: 'image', url: '{{ photo }}', alt: { 'zh-TW': '校園' } }]
  await api.call('createTemplate', {
    key,
    body: { name: 'V', categoryId: 'news', variables, messages: byValue },
  })
  const inForm = await shows()
  await sql`insert into composition (unit_id, kind, title, form, created_by, updated_by)
    values (${api.units.a}, 'message', '', ${JSON.stringify([['messages.0.url', inForm.url]])}, 'person:x', 'person:x')`.execute(
    db,
  )
  const sender = await shows()
  await sql`update unit set sender = jsonb_build_object('iconUrl', ${sender.url}::text) where id = ${api.units.a}`.execute(
    db,
  )

  await sql`update media set created_at = now() - interval '31 days'`.execute(db)
  while (await purgeNextMedia(api.services));
  const kept = (await api.call('listMedia', { key })).body.items.map((one: { id: string }) => one.id)
  expect(kept.sort()).toEqual([old, template, value, inForm, sender].map(({ id }) => id).sort())
  expect((await api.app.inject({ url: unnamed.url.replace(mediaUrl, '') })).statusCode).toBe(404)
})
