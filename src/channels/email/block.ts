import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Action, CanonicalMessage, CardMessage } from '../../contract/messages/content.ts'
import { isBlank, type LightBlock, parseLight, withLinks } from '../../domain/content/light.ts'
import { isWebUrl } from '../../domain/content/web-link.ts'
import { type CompileContext, readImageUrl, readLink, readText } from './compile-context.ts'
import type { MailLink } from './wire.ts'
import { words } from './words.ts'

/** A link or button: the producer's URL, or one of Carillon's own links. */
export type Choice = { label: string; to: string | MailLink }

export type Card = {
  header?: string
  title: string
  body?: string
  /** The body, if it is lightly formatted. */
  light?: LightBlock[]
  image?: string
  locked?: string
  choices: Choice[]
}

/** A message in one locale, before it becomes HTML or plain text. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'light'; blocks: LightBlock[] }
  | { kind: 'image'; url: string; alt: string }
  | { kind: 'cards'; cards: Card[] }
  | { kind: 'choices'; text: string; choices: Choice[]; style: 'buttons' | 'chips' | 'quiet' }

/** Reads the nth message of the content. */
export function readBlock(context: CompileContext, message: CanonicalMessage, n: number): Block {
  const path = `messages[${n}]`
  switch (message.kind) {
    case 'text':
      return message.format === 'light'
        ? { kind: 'light', blocks: readLight(context, `${path}.text`, message.text) }
        : { kind: 'text', text: readText(context, `${path}.text`, message.text) }
    case 'image': {
      const alt = readText(context, `${path}.alt`, message.alt)
      return { kind: 'image', url: readImageUrl(context, `${path}.url`, message.url), alt }
    }
    case 'sticker': {
      // Only the chat app has stickers: mail shows the producer's fallback text, or a placeholder.
      const { fallbackText } = message
      const text = fallbackText && readText(context, `${path}.fallbackText`, fallbackText)
      return { kind: 'text', text: text ?? words[context.locale].sticker }
    }
    case 'card':
      return { kind: 'cards', cards: [readCard(context, path, message, { n, card: '' })] }
    case 'carousel': {
      const cards = message.cards.map((card, index) =>
        readCard(context, `${path}.cards[${index}]`, card, { n, card: `${index}.` }),
      )
      return { kind: 'cards', cards }
    }
    case 'buttons': {
      const choices = readActions(context, path, message.actions, { n, card: '' })
      return {
        kind: 'choices',
        text: readText(context, `${path}.text`, message.text),
        choices,
        style: 'buttons',
      }
    }
    case 'quickReply': {
      const choices = message.options.map(({ label }, index) => ({
        label: readText(context, `${path}.options[${index}].label`, label),
        to: { purpose: 'tap' as const, n, o: String(index) },
      }))
      return {
        kind: 'choices',
        text: readText(context, `${path}.text`, message.text),
        choices,
        style: 'chips',
      }
    }
  }
}

function readCard(context: CompileContext, path: string, card: CardMessage, position: ActionsPosition): Card {
  const read = (field: string, text?: LocalisedText) => text && readText(context, `${path}.${field}`, text)
  const header = read('header', card.header)
  const title = readText(context, `${path}.title`, card.title)
  const isLight = card.format === 'light'
  const body = isLight ? undefined : read('body', card.body)
  const light = isLight && card.body && readLight(context, `${path}.body`, card.body)
  const locked = read('lockedReason', card.lockedReason)
  const image = card.imageUrl && readImageUrl(context, `${path}.imageUrl`, card.imageUrl)
  return {
    ...(header && { header }),
    title,
    ...(body && { body }),
    ...(light && { light }),
    ...(image && { image }),
    ...(locked && { locked }),
    choices: readActions(context, path, card.actions, position),
  }
}

/** A lightly formatted text; a link whose address no mail opens leads nowhere. */
function readLight(context: CompileContext, path: string, text: LocalisedText): LightBlock[] {
  const at = `${path}.${text[context.locale] === undefined ? 'zh-TW' : context.locale}`
  const blocks = parseLight(readText(context, path, text))
  if (isBlank(blocks)) context.violations.add(at, 'blank')
  return withLinks(blocks, (url) => readLink(context, at, url))
}

/** Actions of message `n`; `card`: what stands before the index of an action of a carousel's card, such as `2.`. */
type ActionsPosition = { n: number; card: string }

/** A link opens its URL; every other kind leads to Carillon's page, which asks for confirmation before it acts. */
function readActions(
  context: CompileContext,
  path: string,
  actions: Action[],
  position: ActionsPosition,
): Choice[] {
  return actions.map((action, index) => {
    const at = `${path}.actions[${index}]`
    const label = readText(context, `${at}.label`, action.label)
    return {
      label,
      to:
        action.kind === 'uri'
          ? linkTo(context, readLink(context, `${at}.url`, action.url), position, index)
          : pressOf(action, position, index),
    }
  })
}

/** A tracked link opens its URL through Carillon. */
function linkTo(
  { locale, tracked }: CompileContext,
  url: string,
  { n, card }: ActionsPosition,
  index: number,
): string | MailLink {
  return tracked && isWebUrl(url) ? { purpose: 'open', n, o: `${card}${index}`, locale, url } : url
}

function pressOf({ kind }: Action, { n, card }: ActionsPosition, index: number): MailLink {
  return { purpose: kind === 'mute' ? 'mute' : 'tap', n, o: `${card}${index}` }
}
