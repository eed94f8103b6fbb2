import { z } from 'zod'
import { distinct, Email, Id, isChange, Locale, mustChange, omittable, PageQuery, pageOf } from '../common.ts'
import { authorNotices } from '../enums.ts'

const name = z.string().trim().min(1).max(200)
const settings = {
  systemAdmin: z.boolean().describe('Whether they are a system administrator.'),
  language: Locale.describe('The language of the console and of mails to this person.'),
  notices: z.boolean().describe('Whether they receive approval requests by mail.'),
  authorNotices: z
    .array(z.enum(authorNotices))
    .max(authorNotices.length)
    .transform(distinct)
    .describe(
      'Mails about messages that they wrote, edited or submitted: `rejected` (with the reason), ' +
        '`approved` (by a person), `parked` (for ten minutes), and `failed` (the send reached no one, or ' +
        'fewer than half of at least 20 people).',
    ),
  handoffNotices: z.boolean().describe('Whether they receive mails about handoffs opened in their units.'),
  subjectUid: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .describe('The uid of the subject who is the same person, for test messages in the chat. null: none.'),
}

export const Person = z
  .object({
    id: Id.describe('The id of the person.'),
    name: z.string().describe('Their name, as others in the console see it.'),
    email: z.string().describe('Their e-mail address, as the identity provider knows it.'),
    systemAdmin: z.boolean().describe('Whether they are a system administrator.'),
    language: Locale.describe('The language of the console and of mails to them.'),
    notices: z.boolean().describe('Whether they receive approval requests by mail.'),
    authorNotices: z
      .array(z.enum(authorNotices))
      .describe('Mails about messages that they wrote, edited or submitted.'),
    handoffNotices: z.boolean().describe('Whether they receive mails about handoffs opened in their units.'),
    subjectUid: z.string().nullable().describe('The uid of the subject who is the same person; null: none.'),
  })
  .meta({ id: 'Person', description: 'A person who can sign in to the console.' })
export type Person = z.infer<typeof Person>

export const PersonPage = pageOf(Person).meta({
  id: 'PersonPage',
  description: 'One page of people, newest first.',
})

/** The person with this address, or one page of all. */
export const PersonListQuery = PageQuery.extend({
  email: Email.optional().describe('Only the person with this e-mail address.'),
})
export type PersonListQuery = z.infer<typeof PersonListQuery>

export const CreatePerson = z
  .strictObject({
    email: Email.describe('Their e-mail address, as the identity provider knows it. Unique.'),
    name: name.describe('Their name: 1 to 200 characters.'),
    systemAdmin: omittable(settings.systemAdmin, 'Default: false.'),
    // Described anew, or it would no longer refer to the schema of locales.
    language: Locale.describe(
      'The language of the console and of mails to this person. Default: `zh-TW`.',
    ).optional(),
    notices: omittable(settings.notices, 'Default: true.'),
    authorNotices: omittable(settings.authorNotices, 'Default: all.'),
    handoffNotices: omittable(settings.handoffNotices, 'Default: true.'),
    subjectUid: omittable(settings.subjectUid, 'Default: null.'),
  })
  .meta({ id: 'CreatePerson', description: 'A person who can sign in. Roles are granted in each unit.' })
export type CreatePerson = z.infer<typeof CreatePerson>

export const EditPerson = z
  .strictObject({
    email: Email.describe('Their e-mail address, as the identity provider knows it. Unique.'),
    name: name.describe('Their name: 1 to 200 characters.'),
    ...settings,
  })
  .partial()
  .refine(isChange, mustChange)
  .meta({
    id: 'EditPerson',
    minProperties: 1,
    description: 'Changes to a person, at least one. Omitted fields are unchanged.',
    examples: [{ systemAdmin: true }],
  })
export type EditPerson = z.infer<typeof EditPerson>
