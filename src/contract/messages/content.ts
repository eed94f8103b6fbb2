import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { ordinaryKey } from '../common.ts'
import { liquidOpenings } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'

const label = LocalisedText.describe('What the button says.')
const identifier = z.string().min(1)

/** The producer's own data of a button, as it wrote them. */
export const PostbackData = z.strictObject({
  v: z.literal(1).describe('The version of this form: always 1.'),
  s: z
    .string()
    .optional()
    .describe("The producer's own, such as a scenario. Kept and reported, never obeyed."),
  n: z.string().optional().describe("The producer's own, such as a node. Kept and reported, never obeyed."),
  o: z
    .string()
    .refine(...ordinaryKey)
    .optional()
    .describe(
      'The id of the option: the key of the answer in `answers` of the message. Omitted: its number.',
    ),
  m: z
    .string()
    .optional()
    .describe("The producer's own, such as a message. Kept and reported, never obeyed."),
  a: z
    .string()
    .optional()
    .describe("The producer's own, such as an action. Kept and reported, never obeyed."),
})
export type PostbackData = z.infer<typeof PostbackData>

/** Carries the producer's own data, which Carillon keeps with the answer and never obeys (docs/api/webhooks.md). */
export const PostbackAction = z
  .strictObject({
    kind: z.literal('postback').describe('Records the tap with the data of the producer.'),
    label,
    data: PostbackData.describe("The producer's own data, returned in callbacks of type `message.answered`."),
  })
  .meta({
    id: 'PostbackAction',
    description: 'A button that answers. Its data is kept with the answer and has no effect in Carillon.',
  })

const NextNodeAction = z
  .strictObject({
    kind: z.literal('nextNode').describe('Leads to a node of the scenario.'),
    label,
    nodeId: identifier.describe('The id of the node.'),
    optionId: z
      .string()
      .refine(...ordinaryKey)
      .optional()
      .describe(
        'The key of the answer in `answers` of the message; unique in the question. Omitted: its number.',
      ),
  })
  .meta({
    id: 'NextNodeAction',
    description:
      'A button of a question of a scenario: its option leads to this node. In a message, the tap is recorded as an answer.',
  })

const JumpScenarioAction = z
  .strictObject({
    kind: z.literal('jumpScenario').describe('Leads to another scenario.'),
    label,
    scenarioId: identifier.describe('The id of the scenario.'),
  })
  .meta({
    id: 'JumpScenarioAction',
    description:
      'A button that starts a scenario with the person who taps, if it is active in the unit of the message.',
  })

const MuteAction = z
  .strictObject({
    kind: z.literal('mute').describe('Turns a category off.'),
    label,
    categoryId: identifier.describe('The id of the category, which must not be mandatory.'),
  })
  .meta({
    id: 'MuteAction',
    description:
      'A button by which the recipient turns a category off, on every channel. It counts as an answer.',
  })

const AddToGroupAction = z
  .strictObject({
    kind: z.literal('addToGroup').describe('Adds the recipient to a group.'),
    label,
    groupId: identifier.describe('The id of a static group of the unit.'),
  })
  .meta({
    id: 'AddToGroupAction',
    description:
      'A button by which the recipient joins a group, if its parent contains them. It counts as an answer.',
  })

/** `light`: with headings, lists, bold and links. */
const TextFormat = z.enum(['plain', 'light']).meta({
  id: 'TextFormat',
  description:
    '`light`: `# headings`, lists of lines that begin with `-` or `1.`, `**bold**` and `[links](https://…)`, and nothing else. ' +
    'Mail shows them; the chat shows the text, and the address of a link in brackets after it.',
})
export type TextFormat = z.infer<typeof TextFormat>

const TextMessage = z
  .strictObject({
    kind: z.literal('text').describe('A text.'),
    text: LocalisedText.describe('The text. Line breaks are kept.'),
    format: TextFormat.optional().describe('How the text is written. Omitted: plain.'),
  })
  .meta({ id: 'TextMessage', description: 'Words alone, plain or lightly formatted.' })

const StickerMessage = z
  .strictObject({
    kind: z.literal('sticker').describe('A sticker.'),
    packageId: z.string().min(1).describe("The chat provider's id of the set of stickers."),
    stickerId: z.string().min(1).describe("The chat provider's id of the sticker in its set."),
    fallbackText: LocalisedText.optional().describe('What mail shows in its place. Omitted: a placeholder.'),
  })
  .meta({
    id: 'StickerMessage',
    description: 'A sticker of the chat provider. Mail shows a text in its place.',
  })

const QuickReplyMessage = z
  .strictObject({
    kind: z.literal('quickReply').describe('A question with short answers.'),
    text: LocalisedText.describe('The question.'),
    options: z
      .array(
        z.strictObject({
          id: z
            .string()
            .min(1)
            .refine(...ordinaryKey)
            .describe('The key of the answer in `answers` of the message; unique in the question.'),
          label: LocalisedText.describe('What the option says.'),
        }),
      )
      .min(1)
      .max(limits.quickReplyOptions)
      .describe(`The answers to choose from, 1 to ${limits.quickReplyOptions}.`),
  })
  .meta({
    id: 'QuickReplyMessage',
    description:
      'A question with short answers. In the chat they disappear once one is chosen; in mail they stay.',
  })

/** The kinds with links, and the unions that contain them. `prefix` is that of their names in OpenAPI. */
function kindsWithLinks<Link extends z.ZodType<string, string>>(link: Link, prefix: 'Template' | '') {
  const withVariables =
    prefix === '' ? '' : ', with variables or as one; it must be a URL once they are filled in'
  /** Opens a link. */
  const UriAction = z
    .strictObject({
      kind: z.literal('uri').describe('Opens a link.'),
      label,
      url: link.describe(`Where the button leads${withVariables}.`),
    })
    .meta({ id: `${prefix}UriAction`, description: 'A button that opens a link. A tap is not reported.' })

  /** The action of a button. */
  const Action = z
    .discriminatedUnion('kind', [
      UriAction,
      PostbackAction,
      NextNodeAction,
      JumpScenarioAction,
      MuteAction,
      AddToGroupAction,
    ])
    .meta({ id: `${prefix}Action`, description: 'A button, and what a tap does.' })

  /** An image; `alt` describes it where it cannot be shown. */
  const ImageMessage = z
    .strictObject({
      kind: z.literal('image').describe('An image.'),
      url: link.describe(`The address of the image, which must be https for the chat${withVariables}.`),
      alt: LocalisedText.describe('What the image shows, where it is not displayed or cannot be seen.'),
      previewUrl: link
        .optional()
        .describe(`The address of a smaller image for the chat${withVariables}. Omitted: \`url\`.`),
    })
    .meta({
      id: `${prefix}ImageMessage`,
      description: 'An image, loaded from its address when it is displayed.',
    })

  /** A card with a title. A locked card gives its reason in `lockedReason`. */
  const CardMessage = z
    .strictObject({
      kind: z.literal('card').describe('A card.'),
      header: LocalisedText.optional().describe('A short line above the title.'),
      title: LocalisedText.describe('The title.'),
      body: LocalisedText.optional().describe('The text below the title.'),
      format: TextFormat.optional().describe('How `body` is written. Omitted: plain.'),
      imageUrl: link
        .optional()
        .describe(`The address of the image at the top, https for the chat${withVariables}.`),
      actions: z
        .array(Action)
        .max(limits.actionsPerCard)
        .describe(`The buttons, at most ${limits.actionsPerCard}; may be empty.`),
      lockedReason: LocalisedText.optional().describe(
        'Why the card is locked: shown on it with a lock. The buttons stay.',
      ),
    })
    .meta({
      id: `${prefix}CardMessage`,
      description: 'A card with a title, and optionally image, text and buttons.',
    })

  /** Cards side by side. */
  const CarouselMessage = z
    .strictObject({
      kind: z.literal('carousel').describe('Cards side by side.'),
      cards: z
        .array(CardMessage)
        .min(1)
        .max(limits.cardsPerCarousel)
        .describe(`The cards in order, 1 to ${limits.cardsPerCarousel}.`),
    })
    .meta({
      id: `${prefix}CarouselMessage`,
      description: 'Cards side by side in the chat, one below another in mail.',
    })

  /** Text above permanent buttons. */
  const ButtonsMessage = z
    .strictObject({
      kind: z.literal('buttons').describe('A text with buttons.'),
      text: LocalisedText.describe('The text above the buttons.'),
      actions: z
        .array(Action)
        .min(1)
        .max(limits.actionsPerButtons)
        .describe(`The buttons, 1 to ${limits.actionsPerButtons}.`),
    })
    .meta({ id: `${prefix}ButtonsMessage`, description: 'A text with buttons that stay after a tap.' })

  const Message = z
    .discriminatedUnion('kind', [
      TextMessage,
      ImageMessage,
      StickerMessage,
      CardMessage,
      CarouselMessage,
      ButtonsMessage,
      QuickReplyMessage,
    ])
    .meta({
      id: prefix === '' ? 'CanonicalMessage' : 'TemplateMessage',
      description:
        prefix === ''
          ? 'One block of a message, for every channel: a text, image, sticker, card, carousel, buttons or quick reply.'
          : 'One block of a template. As of a message, with variables (`{{ name }}`, Liquid) in texts and addresses.',
    })
  return { Action, CardMessage, Message }
}

const canonical = kindsWithLinks(z.url(), '')

/** One message in the producer's form, before it is compiled for a channel. */
export const CanonicalMessage = canonical.Message
export type CanonicalMessage = z.infer<typeof CanonicalMessage>
export type Action = z.infer<typeof canonical.Action>
export type CardMessage = z.infer<typeof canonical.CardMessage>

const templateLink = z
  .string()
  .refine(
    (text) => liquidOpenings.some((opening) => text.includes(opening)) || URL.canParse(text),
    orBroken('wrong_format', { format: 'url_or_variable' }),
  )
  .meta({ examples: ['https://example.edu/courses/{{ course }}', '{{ link }}'] })

/** One message of a template: its links may contain variables, like its texts. */
export const TemplateMessage = kindsWithLinks(templateLink, 'Template').Message
