import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { distinct, Email, Id, isChange, mustChange, pageOf, TimeZone, UnitRole } from '../common.ts'
import { roles, unitKinds } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedName, LocalisedText, withoutEmptyEnglish } from '../localised-text.ts'

const name = z.string().trim().min(1).max(200)
const kind = z.enum(unitKinds).describe('Keys of an `administrative` unit may use the Identity API.')
const timeZone = TimeZone.describe('The IANA time zone of its quiet hours, such as `Asia/Taipei`.')
/** As mails and pages name the unit, and as the chat does; both in every language that it is given in. */
const displayName = LocalisedName.nullable()
const senderName = z.string().trim().min(1).max(limits.senderNameLength)
const sender = z
  .strictObject({
    name: z
      .strictObject({
        'zh-TW': senderName.describe('Traditional Chinese as written in Taiwan.'),
        en: z
          .string()
          .trim()
          .max(limits.senderNameLength)
          .optional()
          .describe('English. Omitted or empty: readers of English get the Chinese name.'),
      })
      .overwrite(withoutEmptyEnglish)
      .describe(`The name above its messages, at most ${limits.senderNameLength} characters.`),
    iconUrl: z
      .url({ protocol: /^https$/, ...orBroken('not_https', { of: 'url' }) })
      .max(limits.iconUrlLength)
      .nullable()
      .default(null)
      .describe(
        `A square PNG of at most 1 MB, at an https URL with a public address of at most ${limits.iconUrlLength.toLocaleString('en')} ` +
          "characters, which the chat app loads. null, the default: the account's picture.",
      ),
  })
  .meta({
    id: 'ChatSenderChange',
    description: "The name and picture above a unit's messages in the chat, instead of the account's.",
  })

const ChatSender = z
  .object({
    name: LocalisedText.describe('The name above its messages.'),
    iconUrl: z.string().nullable().describe("The picture beside them. null: the account's."),
  })
  .meta({
    id: 'ChatSender',
    description: "The name and picture above a unit's messages in the chat, instead of the account's.",
  })
const aboutReplyTo =
  "Where answers to its mails go. null: to the installation's address, from which all mails are sent."
const aboutDisplayName =
  'Its name as recipients read it in mails and on pages, and the sender of its mails. Unique. null: `name`, and the ' +
  "installation's sender."
const aboutSender = 'How it appears in the chat. null: as the account does.'

const roleList = z.array(UnitRole).max(roles.length).overwrite(distinct)

export const UnitRecord = z
  .object({
    id: Id.describe('The id of the unit.'),
    name: z.string().describe('Its name. Unique.'),
    kind,
    timeZone: z.string().describe('The IANA time zone of its quiet hours.'),
    displayName: LocalisedText.nullable().describe(aboutDisplayName),
    replyTo: z.string().nullable().describe(aboutReplyTo),
    sender: ChatSender.nullable().describe(aboutSender),
  })
  .meta({ id: 'UnitRecord', description: 'A unit, as system administrators see it.' })
export type UnitRecord = z.infer<typeof UnitRecord>

export const UnitRecordPage = pageOf(UnitRecord).meta({
  id: 'UnitRecordPage',
  description: 'One page of units, by name.',
})

export const CreateUnit = z
  .strictObject({
    name: name.describe('Its name, 1 to 200 characters. Unique.'),
    kind: kind
      .default('ordinary')
      .describe('Keys of an `administrative` unit may use the Identity API. Default: ordinary.'),
    timeZone: timeZone
      .default('Asia/Taipei')
      .describe('The IANA time zone of its quiet hours. Default: Asia/Taipei.'),
    displayName: displayName.default(null).describe(aboutDisplayName),
    replyTo: Email.nullable().default(null).describe(aboutReplyTo),
    sender: sender.nullable().default(null).describe(aboutSender),
  })
  .meta({ id: 'CreateUnit', description: 'A new unit.' })
export type CreateUnit = z.infer<typeof CreateUnit>

export const EditUnit = z
  .strictObject({
    name: name.optional().describe('Its name, 1 to 200 characters. Unique.'),
    kind: kind.optional(),
    timeZone: timeZone.optional(),
    displayName: displayName.optional().describe(aboutDisplayName),
    replyTo: Email.nullable().optional().describe(aboutReplyTo),
    sender: sender.nullable().optional().describe(aboutSender),
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'EditUnit',
    minProperties: 1,
    description: 'Changes to a unit, at least one. Omitted fields are unchanged.',
    examples: [{ name: 'Admissions office' }],
  })
export type EditUnit = z.infer<typeof EditUnit>

export const UnitMember = z
  .object({
    id: Id.describe('The id of the person.'),
    name: z.string().describe('Their name.'),
    email: z.string().describe('Their e-mail address.'),
    roles: z
      .array(UnitRole)
      .describe('What they may do in the unit: editors write, approvers approve and reject.'),
  })
  .meta({ id: 'UnitMember', description: 'A person with roles in a unit.' })
export type UnitMember = z.infer<typeof UnitMember>

export const UnitMemberPage = pageOf(UnitMember).meta({
  id: 'UnitMemberPage',
  description: 'All members of a unit, by name, on one page.',
})

export const ChangeRoles = z
  .strictObject({
    personId: Id.describe('The id of the person.'),
    add: roleList.optional().describe('Roles to grant. Omitted: none.'),
    remove: roleList
      .optional()
      .describe('Roles to remove. Who has none left is no longer a member. Omitted: none.'),
  })
  .refine(
    ({ add = [], remove = [] }) => add.length + remove.length > 0,
    orBroken('nothing_given', { of: 'roles' }),
  )
  .refine(
    ({ add = [], remove = [] }) => !add.some((one) => remove.includes(one)),
    orBroken('added_and_removed', { of: 'role' }),
  )
  .meta({
    id: 'ChangeRoles',
    description: 'At least one role to grant or to remove, and no role in both lists.',
    examples: [{ personId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f', add: ['editor'] }],
  })
export type ChangeRoles = z.infer<typeof ChangeRoles>
