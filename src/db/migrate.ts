import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'
import * as schema from './migrations/0001_schema.ts'
import * as boundAudiences from './migrations/0002_bound_audiences.ts'
import * as bindingVersions from './migrations/0003_binding_versions.ts'
import * as suppression from './migrations/0004_suppression.ts'
import * as stepParking from './migrations/0005_step_parking.ts'
import * as smallAudiences from './migrations/0006_small_audiences.ts'
import * as wedgedRuns from './migrations/0007_wedged_runs.ts'
import * as roles from './migrations/0008_roles.ts'
import * as eventsAndAnswers from './migrations/0009_events_and_answers.ts'
import * as templateNotices from './migrations/0010_template_notices.ts'
import * as reminders from './migrations/0011_reminders.ts'
import * as producers from './migrations/0012_producers.ts'
import * as metrics from './migrations/0013_metrics.ts'
import * as howUnitsAppear from './migrations/0014_how_units_appear.ts'
import * as scenarios from './migrations/0015_scenarios.ts'
import * as waitingTemplates from './migrations/0016_waiting_templates.ts'
import * as schedules from './migrations/0017_schedules.ts'
import * as handoffs from './migrations/0018_handoffs.ts'
import * as patterns from './migrations/0019_patterns.ts'
import * as numbers from './migrations/0020_numbers.ts'
import * as whoBegan from './migrations/0021_who_began.ts'
import * as heldTurns from './migrations/0023_held_turns.ts'
import * as completion from './migrations/0024_completion.ts'
import * as handoffNotices from './migrations/0025_handoff_notices.ts'
import * as trackedLinks from './migrations/0026_tracked_links.ts'
import * as traces from './migrations/0027_traces.ts'
import * as unseenPlaces from './migrations/0028_unseen_places.ts'
import * as movedAddresses from './migrations/0029_moved_addresses.ts'
import * as lookupOrigins from './migrations/0030_lookup_origins.ts'
import * as whoWroteAcknowledgements from './migrations/0031_who_wrote_acknowledgements.ts'
import * as whoseWords from './migrations/0033_whose_words.ts'
import * as mailServers from './migrations/0035_mail_servers.ts'
import * as shortfalls from './migrations/0036_shortfalls.ts'
import * as formerAddresses from './migrations/0037_former_addresses.ts'
import * as linesOfPeople from './migrations/0038_lines_of_people.ts'
import * as renderSteps from './migrations/0039_render_steps.ts'
import * as webhookHeads from './migrations/0040_webhook_heads.ts'
import * as fairClaims from './migrations/0041_fair_claims.ts'
import * as putOff from './migrations/0042_put_off.ts'
import * as jumps from './migrations/0043_jumps.ts'
import * as layouts from './migrations/0044_layouts.ts'
import * as largest from './migrations/0045_largest.ts'
import * as resumeDueHeads from './migrations/0046_resume_due_heads.ts'
import * as stepReasons from './migrations/0047_step_reasons.ts'
import * as otherwiseTrigger from './migrations/0048_otherwise_trigger.ts'
import * as runCallbacks from './migrations/0049_run_callbacks.ts'
import * as lookupUids from './migrations/0050_lookup_uids.ts'
import * as eventKeys from './migrations/0051_event_keys.ts'
import * as line from './migrations/0052_line.ts'
import * as pace from './migrations/0053_pace.ts'
import * as calendar from './migrations/0054_calendar.ts'
import * as media from './migrations/0055_media.ts'
import * as moreCallbacks from './migrations/0056_more_callbacks.ts'
import * as compositions from './migrations/0057_compositions.ts'
import * as categoryLists from './migrations/0058_category_lists.ts'
import * as keysWithoutStatistics from './migrations/0059_keys_without_statistics.ts'
import * as placesWithoutStatistics from './migrations/0060_places_without_statistics.ts'
import * as runsWithoutStatistics from './migrations/0061_runs_without_statistics.ts'
import * as startLine from './migrations/0062_start_line.ts'
import * as whoseCompositions from './migrations/0063_whose_compositions.ts'
import * as shortStarts from './migrations/0064_short_starts.ts'
import * as foldedKeywords from './migrations/0065_folded_keywords.ts'
import * as invalidEvents from './migrations/0069_invalid_events.ts'
import * as formerBindings from './migrations/0070_former_bindings.ts'
import * as refusedFields from './migrations/0071_refused_fields.ts'
import * as calendarSequence from './migrations/0072_calendar_sequence.ts'
import * as submittedCompositions from './migrations/0073_submitted_compositions.ts'
import * as expiring from './migrations/0074_expiring.ts'
import * as variableNames from './migrations/0077_variable_names.ts'
import * as handoffReply from './migrations/0078_handoff_reply.ts'
import * as claimedSources from './migrations/0079_claimed_sources.ts'
import * as unreservedWaves from './migrations/0080_unreserved_waves.ts'

const migrations: Record<string, Migration> = {
  '0001_schema': schema,
  '0002_bound_audiences': boundAudiences,
  '0003_binding_versions': bindingVersions,
  '0004_suppression': suppression,
  '0005_step_parking': stepParking,
  '0006_small_audiences': smallAudiences,
  '0007_wedged_runs': wedgedRuns,
  '0008_roles': roles,
  '0009_events_and_answers': eventsAndAnswers,
  '0010_template_notices': templateNotices,
  '0011_reminders': reminders,
  '0012_producers': producers,
  '0013_metrics': metrics,
  '0014_how_units_appear': howUnitsAppear,
  '0015_scenarios': scenarios,
  '0016_waiting_templates': waitingTemplates,
  '0017_schedules': schedules,
  '0018_handoffs': handoffs,
  '0019_patterns': patterns,
  '0020_numbers': numbers,
  '0021_who_began': whoBegan,
  '0023_held_turns': heldTurns,
  '0024_completion': completion,
  '0025_handoff_notices': handoffNotices,
  '0026_tracked_links': trackedLinks,
  '0027_traces': traces,
  '0028_unseen_places': unseenPlaces,
  '0029_moved_addresses': movedAddresses,
  '0030_lookup_origins': lookupOrigins,
  '0031_who_wrote_acknowledgements': whoWroteAcknowledgements,
  '0033_whose_words': whoseWords,
  '0035_mail_servers': mailServers,
  '0036_shortfalls': shortfalls,
  '0037_former_addresses': formerAddresses,
  '0038_lines_of_people': linesOfPeople,
  '0039_render_steps': renderSteps,
  '0040_webhook_heads': webhookHeads,
  '0041_fair_claims': fairClaims,
  '0042_put_off': putOff,
  '0043_jumps': jumps,
  '0044_layouts': layouts,
  '0045_largest': largest,
  '0046_resume_due_heads': resumeDueHeads,
  '0047_step_reasons': stepReasons,
  '0048_otherwise_trigger': otherwiseTrigger,
  '0049_run_callbacks': runCallbacks,
  '0050_lookup_uids': lookupUids,
  '0051_event_keys': eventKeys,
  '0052_line': line,
  '0053_pace': pace,
  '0054_calendar': calendar,
  '0055_media': media,
  '0056_more_callbacks': moreCallbacks,
  '0057_compositions': compositions,
  '0058_category_lists': categoryLists,
  '0059_keys_without_statistics': keysWithoutStatistics,
  '0060_places_without_statistics': placesWithoutStatistics,
  '0061_runs_without_statistics': runsWithoutStatistics,
  '0062_start_line': startLine,
  '0063_whose_compositions': whoseCompositions,
  '0064_short_starts': shortStarts,
  '0065_folded_keywords': foldedKeywords,
  '0069_invalid_events': invalidEvents,
  '0070_former_bindings': formerBindings,
  '0071_refused_fields': refusedFields,
  '0072_calendar_sequence': calendarSequence,
  '0073_submitted_compositions': submittedCompositions,
  '0074_expiring': expiring,
  '0077_variable_names': variableNames,
  '0078_handoff_reply': handoffReply,
  '0079_claimed_sources': claimedSources,
  '0080_unreserved_waves': unreservedWaves,
}

/** Tries in all, and the pause between two (ms). */
const triesMost = 10
const pauseMs = 500

/**
 * Brings the schema up to date; safe to run in several processes at once (Kysely holds an advisory lock), and while other
 * processes use the database: where their locks and those of the migrations get in each other's way, it tries again.
 * Returns the names of the migrations it ran.
 * @throws the first error; no migration is applied then, since all run in one transaction. Unreleased versions have no
 *   upgrade path.
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  for (let tries = 1; ; tries += 1) {
    const { error, results } = await migrator.migrateToLatest()
    if (!error) return (results ?? []).map((result) => result.migrationName)
    if (isUnreleased(error))
      throw new Error(
        'The database has migrations that this version does not know: a newer or an unreleased version of Carillon made ' +
          'them. Run that version, or use an empty database. To start over with npm start, delete its data folder: ' +
          '.data, or the one that CARILLON_DATA_DIR names.',
      )
    if (!lostALock(error) || tries === triesMost) throw error
    await sleep(pauseMs)
  }
}

/** A deadlock with a process that runs, or a lock that one held for too long. */
function lostALock(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '40P01' || code === '55P03'
}

/** Kysely's error for a migration that the database has run and this version does not contain. */
function isUnreleased(error: unknown): boolean {
  return error instanceof Error && /previously executed migration .* is missing/.test(error.message)
}

/** What to do where the tables of this version are missing. */
export const migrateAdvice = 'Run: carillon migrate (with Docker: docker compose run --rm migrate)'

/**
 * Refuses to go on with a database that lacks migrations of this version: its statements would fail, and each failure
 * counts against a run. A database that does not answer, or does not tell, is no reason: it may be down for a moment.
 * @throws Error that names them
 */
export async function requireMigrations(db: Db): Promise<void> {
  const ran = await sql<{ name: string }>`select name from kysely_migration`.execute(db).then(
    ({ rows }) => new Set(rows.map(({ name }) => name)),
    ({ code }: { code?: unknown }) => (code === '42P01' ? new Set<string>() : undefined),
  )
  const missing = Object.keys(migrations).filter((name) => ran && !ran.has(name))
  if (missing.length > 0)
    throw new Error(`The database lacks migrations of this version: ${missing.join(', ')}. ${migrateAdvice}`)
}
