import { z } from 'zod'
import { Id, Instant, Search } from './common.ts'
import { limits } from './limits.ts'

/** A member of the unit who reads what each person answers, and does nothing else with it. */
const Organiser = z
  .object({
    id: Id.describe('The id of the person, as in the members of the unit.'),
    name: z.string().describe('Their name.'),
    since: Instant.describe('When they were named, in UTC: they read what was answered since then.'),
  })
  .meta({
    id: 'Organiser',
    description: 'A member of the unit who was named to read who answered what, until they leave the unit.',
  })

/** Those of a message or a pattern, by name. */
export const Organisers = z.array(Organiser).describe('Who was named to read who answered what, by name.')
export type Organisers = z.infer<typeof Organisers>

/** The ids of those who are to be organisers. */
export const OrganiserIds = z
  .array(Id)
  .max(limits.organisers)
  .describe(
    `The ids of members of the unit who may read who answers what, at most ${limits.organisers}; they may do nothing else ` +
      'with it.',
  )

export const NameOrganisers = z
  .strictObject({ organisers: OrganiserIds.describe(`${OrganiserIds.description} Empty: nobody.`) })
  .meta({ id: 'NameOrganisers', description: 'All who are to be organisers; the others no longer are.' })
export type NameOrganisers = z.infer<typeof NameOrganisers>

export const NamedOrganisers = z
  .object({ organisers: Organisers })
  .meta({ id: 'NamedOrganisers', description: 'Who the organisers are now.' })
export type NamedOrganisers = z.infer<typeof NamedOrganisers>

/** Who answered. */
export const respondentFields = {
  subjectId: Id.nullable().describe("Carillon's id of the person; null if they were erased."),
  uid: z.string().nullable().describe('The uid of the person; null if they were erased.'),
  displayName: z.string().nullable().describe('The name of the person; null: it is not known.'),
}

/** Looks for people among those who answered. */
export const RespondentSearch = Search.optional().describe(
  'Only people whose name contains this, in either case, or whose uid it is. Omitted: all.',
)
