import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { valueDimensions } from '../../../src/contract/audience-values.ts'
import * as words from '../../../src/contract/enums.ts'
import { channels, messageStates, pausable, problems, waveStates } from '../../../src/contract/enums.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

/** Columns that hold one of a list of values; `channel` is one in every table. */
const lists: Record<string, readonly string[]> = {
  'unit.kind': words.unitKinds,
  'person.language': words.locales,
  'person.author_notices': words.authorNotices,
  'author_notice.what': words.authorNotices,
  'member.role': words.roles,
  'subject.stage': words.stages,
  'subject.locale': words.locales,
  'category.layer': words.layers,
  'category.approval_rule': words.approvalRules,
  'category.on_unknown': words.unknownPolicies,
  'category.links': words.linkModes,
  'click_count.channel': words.channels,
  'click_count.locale': words.locales,
  'topic.status': words.topicStatuses,
  'template_version.state': words.templateStates,
  'subject_group.kind': words.groupKinds,
  'subject_group.legal_basis': words.legalBases,
  'group_change.what': words.groupChangeKinds,
  'composition.kind': words.compositionKinds,
  'message.state': messageStates,
  'message.paused_from': pausable,
  'message.kind': words.messageKinds,
  'message.remind_to': words.remindTos,
  'message.origin': words.origins,
  'message.problem': problems,
  'wave.state': waveStates,
  'wave.parked': words.waveProblems,
  'delivery.state': words.deliveryStates,
  'event.error': words.eventErrors,
  'suppression.why': words.suppressionReasons,
  'mail_server.why': words.serverVerdicts,
  'event_binding_version.state': words.bindingStates,
  'callback.disabled_reason': words.disabledReasons,
  'callback_delivery.outcome': words.callbackOutcomes,
  'import.format': words.importFormats,
  'import.state': words.importStates,
  'scenario.state': words.scenarioStates,
  'scenario_version.state': words.scenarioVersionStates,
  'scenario_run.state': words.runStates,
  'scenario_run.problem': problems,
  'turn.state': words.turnStates,
  'turn.by': words.turnWays,
  'event_binding_version.run_per': words.runsPer,
  'schedule.type': words.scheduleTypes,
  'schedule.state': words.scheduleStates,
  'schedule.disabled_reason': words.disabledScheduleReasons,
  'schedule.problem': problems,
  'occurrence.outcome': words.occurrenceOutcomes,
  'occurrence.reason': words.missedReasons,
  'pattern.type': words.patternTypes,
  'registration.state': words.registrationStates,
  'lookup.outcome': ['found', ...words.lookupErrors],
  'handoff.end_reason': words.handoffEnds,
  'value_name.dimension': valueDimensions,
}

/** What is a channel in these tables alone. */
const others: Record<string, readonly string[]> = {
  'webhook_event.channel': words.webhookSources,
  'turn.channel': words.turnChannels,
}

/** Their values exist in rows only. */
const ofRowsAlone = [
  ...[
    'batch.state',
    'call.state',
    'notice.reason',
    'notice.state',
    'author_notice.state',
    'handoff_notice.state',
    'media.store',
    'media.type',
  ],
  'consent_history.what',
]

it('rows accept exactly the values of the code', async () => {
  const { rows } = await sql<{ column: string; check: string }>`
    select conrelid::regclass::text || '.' || attname as column, pg_get_constraintdef(pg_constraint.oid) as check
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'c' and connamespace = 'public'::regnamespace and coninhcount = 0 and cardinality(conkey) = 1
      and pg_get_constraintdef(pg_constraint.oid) like '%ARRAY[%'`.execute(database.db)
  const held = rows
    .map(
      ({ column, check }) =>
        [column, [...check.matchAll(/'([^']*)'::text/g)].map(([, word]) => word)] as const,
    )
    .filter(([column]) => !ofRowsAlone.includes(column))
  const ofChannels = held
    .filter(([column]) => column.endsWith('.channel'))
    .map(([column]) => [column, others[column] ?? channels])
  expect(Object.fromEntries(held)).toEqual({ ...lists, ...Object.fromEntries(ofChannels) })
})
