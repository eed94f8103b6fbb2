/**
 * Compiled chat content, as it is stored and sent: the subset of the provider's message objects that Carillon uses
 * (https://developers.line.biz/en/reference/messaging-api/#message-objects). Imports nothing, so that a browser can
 * render it.
 */

/** One message of a provider call. `quickReply`: shown only for the last message of a conversation. */
export type ChatMessage = (ChatText | ChatImage | ChatSticker | ChatTemplate | ChatFlex) & {
  /** Who sends it, if not the account itself. */
  sender?: { name: string; iconUrl?: string }
  quickReply?: QuickReply
}

/** Options below the chat. */
type QuickReply = { items: { type: 'action'; action: TapAction }[] }

export type ChatText = { type: 'text'; text: string }

export type ChatImage = { type: 'image'; originalContentUrl: string; previewImageUrl: string }

type ChatSticker = { type: 'sticker'; packageId: string; stickerId: string }

/** A text above buttons; `altText` is for chat lists, lock screens and screen readers. */
type ChatTemplate = {
  type: 'template'
  altText: string
  template: { type: 'buttons'; text: string; actions: ChatAction[] }
}

/** One bubble, or several side by side; `altText` as above. */
export type ChatFlex = { type: 'flex'; altText: string; contents: FlexBubble | FlexCarousel }

export type FlexCarousel = { type: 'carousel'; contents: FlexBubble[] }

/** A picture, texts, and buttons below them. */
export type FlexBubble = {
  type: 'bubble'
  size: 'kilo'
  hero?: FlexImage
  body: FlexBox<FlexText>
  footer?: FlexBox<FlexButton>
}

/** Stacked components. */
export type FlexBox<Component> = {
  type: 'box'
  layout: 'vertical'
  spacing: 'sm' | 'md'
  contents: Component[]
}

export type FlexText = {
  type: 'text'
  text: string
  size: 'sm' | 'md' | 'lg'
  weight?: 'bold'
  /** `#rrggbb` */
  color: string
  wrap: true
}

export type FlexImage = {
  type: 'image'
  url: string
  size: 'full'
  aspectRatio: '20:13'
  aspectMode: 'cover'
}

export type FlexButton = {
  type: 'button'
  style: 'primary' | 'secondary'
  /** The background of a primary button, instead of the provider's green. */
  color?: string
  height: 'sm'
  adjustMode: 'shrink-to-fit'
  action: ChatAction
}

/** A button's action: it opens a link, or sends a tap. */
export type ChatAction = UriAction | TapAction

type UriAction = { type: 'uri'; label: string; uri: string }

/** `data` comes back by webhook, as JSON (taps.ts); the chat shows `displayText` as the person's own message. */
export type TapAction = { type: 'postback'; label: string; data: string; displayText: string }
