import fc from 'fast-check'
import type { LocalisedText } from '../../../../src/contract/localised-text.ts'
import type { Action, CanonicalMessage, CardMessage } from '../../../../src/contract/messages/content.ts'

/**
 * Texts of every awkward kind: many units to a character, half characters, blanks, and lengths about the given ones.
 */
const words = (...lengths: number[]) =>
  fc.oneof(
    {
      weight: 30,
      arbitrary: fc.string({ minLength: 1, maxLength: 15, unit: 'grapheme' }).map((text) => `${text}.`),
    },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 10, unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom(' ', '\n\t', '\ud83d', 'x\udc00') },
    {
      weight: 12,
      arbitrary: fc
        .tuple(fc.constantFrom('國', 'a', '👩‍👩‍👧‍👦'), fc.constantFrom(...lengths), fc.nat(1))
        .map(([character, length, more]) => character.repeat(length + more)),
    },
  )
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

const localised = (text: fc.Arbitrary<string>): fc.Arbitrary<LocalisedText> =>
  fc.record({ 'zh-TW': text, en: text }, { requiredKeys: ['zh-TW'] })
const label = localised(words(20, 40))
const text = localised(words(160, 454, 4_999, 5_000))
const cardText = localised(words(160, 3_000, 5_000, 9_700, 29_500))

const address = fc.oneof(
  { weight: 12, arbitrary: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }) },
  { weight: 1, arbitrary: fc.webUrl({ validSchemes: ['http', 'ftp'] }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('mailto:a@example.com', 'HTTPS://EXAMPLE.COM/A', 'https://例え.jp/路徑?詞=值'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('tel:+886212345678', 'tel:02 1234 5678', 'line://ti/p/@carillon', 'tel:'),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(999, 1_000, 1_001, 2_000, 2_001)
      .map((length) => 'https://example.com/'.padEnd(length, 'a')),
  },
)
/** The contract refuses `__proto__`, which readers of JSON do not keep as a key. */
const id = fc.string({ minLength: 1, maxLength: 400 }).filter((text) => text !== '__proto__')

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('uri' as const), label, url: address }),
  fc.record({
    kind: fc.constant('postback' as const),
    label,
    data: fc.record({ v: fc.constant(1 as const), s: id, o: id }, { requiredKeys: ['v'] }),
  }),
  fc.record({ kind: fc.constant('nextNode' as const), label, nodeId: id }),
  fc.record({ kind: fc.constant('jumpScenario' as const), label, scenarioId: id }),
  fc.record({ kind: fc.constant('mute' as const), label, categoryId: id }),
  fc.record({ kind: fc.constant('addToGroup' as const), label, groupId: id }),
)

const card: fc.Arbitrary<CardMessage> = fc.record(
  {
    kind: fc.constant('card' as const),
    header: maybe(cardText),
    title: cardText,
    body: maybe(cardText),
    imageUrl: maybe(address),
    actions: fc.array(action, { maxLength: 3 }),
    lockedReason: maybe(cardText),
  },
  { requiredKeys: ['kind', 'title', 'actions'] },
)
const stickerPart = fc.oneof({ weight: 9, arbitrary: fc.nat().map(String) }, { weight: 1, arbitrary: id })

const message: fc.Arbitrary<CanonicalMessage> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({
    kind: fc.constant('image' as const),
    url: address,
    alt: text,
    previewUrl: maybe(address),
  }),
  fc.record({
    kind: fc.constant('sticker' as const),
    packageId: stickerPart,
    stickerId: stickerPart,
    fallbackText: maybe(text),
  }),
  card,
  fc.record({
    kind: fc.constant('carousel' as const),
    cards: fc.array(card, { minLength: 1, maxLength: 10, size: 'xsmall' }),
  }),
  fc.record({
    kind: fc.constant('buttons' as const),
    text,
    actions: fc.array(action, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('quickReply' as const),
    text,
    options: fc.array(fc.record({ id, label }), { minLength: 1, maxLength: 13 }),
  }),
)

/** The messages of an intent that the contract accepts. */
export const contents: fc.Arbitrary<CanonicalMessage[]> = fc.oneof(
  { weight: 4, arbitrary: message.map((only) => [only]) },
  { weight: 1, arbitrary: fc.array(message, { minLength: 2, maxLength: 7 }) },
)
