import { plainOf } from '../../domain/content/light.ts'
import { mergeAdjacent } from '../../html/markup.ts'
import type { Block, Card, Choice } from './block.ts'
import type { MailDocument } from './mail-document.ts'
import type { Pieces } from './wire.ts'

/** The same mail in plain text, for readers without HTML: every link and button has its URL on a separate line. */
export function textPage({ blocks, reason, footerLinks }: MailDocument): Pieces {
  const foot: Pieces = ['-- \n', reason, '\n', ...inLines(footerLinks)]
  return mergeAdjacent([...blocks.flatMap((block) => [...inText(block), '\n']), ...foot])
}

function inText(block: Block): Pieces {
  switch (block.kind) {
    case 'text':
      return [block.text.trim(), '\n']
    case 'light':
      return [plainOf(block.blocks).trim(), '\n']
    case 'image':
      return [block.alt.trim(), '\n', block.url, '\n']
    case 'cards':
      return block.cards.flatMap((card, index) => [...(index > 0 ? ['\n'] : []), ...cardInText(card)])
    case 'choices':
      return [block.text.trim(), '\n', ...inLines(block.choices)]
  }
}

function cardInText({ header, title, body, light, locked, choices }: Card): Pieces {
  const texts = [header, `■ ${title.trim()}`, body, light && plainOf(light), locked && `🔒 ${locked}`].filter(
    (text) => text !== undefined,
  )
  return [...texts.flatMap((text) => [text.trim(), '\n']), ...inLines(choices)]
}

function inLines(choices: Choice[]): Pieces {
  return choices.flatMap(({ label, to }) => ['→ ', label.trim(), '\n', to, '\n'])
}
