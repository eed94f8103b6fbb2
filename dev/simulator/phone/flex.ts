import { html, type Markup } from '../../../src/html/markup.ts'
import type { FlexBubble, FlexComponent, FlexContainer } from '../check-flex.ts'
import { button } from './actions.ts'
import { picture } from './pictures.ts'

/** A Flex message: one bubble, or several that scroll sideways. */
export function flexContents(container: FlexContainer): Markup {
  if (container.type === 'bubble') return flexBubble(container)
  return html`<div class="carousel">${container.contents.map(flexBubble)}</div>`
}

function flexBubble({ size = 'mega', hero, body, footer }: FlexBubble): Markup {
  return html`<article class="card card--${size}">
    ${hero && component(hero)}
    ${body && html`<div class="card__body">${component(body)}</div>`}
    ${footer && html`<div class="card__footer">${component(footer)}</div>`}
  </article>`
}

function component(part: FlexComponent): Markup {
  switch (part.type) {
    case 'box':
      return html`<div class="box box--${part.layout} gap--${part.spacing ?? 'none'}">${part.contents.map(component)}</div>`
    case 'text':
      return flexText(part)
    case 'image':
      return picture(part.url, 'picture--hero', part.aspectRatio)
    case 'button':
      return button(part.action, `button button--${part.style ?? 'link'}`, part.color)
  }
}

function flexText({
  text,
  size = 'md',
  weight,
  color,
  wrap,
}: Extract<FlexComponent, { type: 'text' }>): Markup {
  const style = color && html` style="color: ${color}"`
  const classes = `text text--${size}${weight === 'bold' ? ' text--bold' : ''}${wrap ? '' : ' text--clipped'}`
  return html`<p class="${classes}"${style}>${text}</p>`
}
