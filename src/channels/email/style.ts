import { html, type Markup } from '../../html/markup.ts'
import { palette } from '../palette.ts'

const { light, dark } = palette

/**
 * The styles of a mail. Every style is inline, for clients that drop the style sheet; the sheet only adds what cannot
 * be inline: narrow windows and dark colours.
 */
const font =
  'font-family:system-ui,-apple-system,Segoe UI,Roboto,PingFang TC,Noto Sans TC,Microsoft JhengHei,Arial,sans-serif;'
const ink = `color:${light.ink};`
const quiet = `color:${light.quiet};`
const accent = `color:${light.accent};`
const pressed = `${font}font-size:15px;line-height:1.45;font-weight:600;text-decoration:none;`
const body = `${font}${ink}word-break:break-word;`

export const style = {
  page: `margin:0;padding:0;width:100%;background-color:${light.sheet};-webkit-text-size-adjust:100%;`,
  sheet: `background-color:${light.sheet};`,
  outer: 'padding:28px 12px;',
  column600: 'max-width:600px;',
  unit: `padding:0 4px 12px;${font}font-size:15px;line-height:1.5;font-weight:600;${ink}`,
  panel: `background-color:${light.panel};border-radius:14px;padding:32px;`,
  gap: 'height:28px;line-height:28px;font-size:0;',
  paragraph: `margin:0;font-size:16px;line-height:1.7;${body}`,
  lightHeading: 'font-size:18px;font-weight:600;line-height:1.45;',
  lightList: 'padding:0 0 0 24px;',
  lightItem: 'margin:0 0 4px;',
  lightLink: `${accent}text-decoration:underline;`,
  image: `display:block;width:100%;max-width:536px;height:auto;border:0;border-radius:10px;${font}font-size:14px;line-height:1.5;${quiet}`,
  card: `border:1px solid ${light.line};border-radius:12px;border-collapse:separate;`,
  cardPicture: 'font-size:0;line-height:0;',
  cardImage: 'display:block;width:100%;height:auto;border:0;border-radius:11px 11px 0 0;',
  cardBody: 'padding:20px;',
  cardHeader: `margin:0 0 4px;${font}font-size:13px;line-height:1.6;${quiet}`,
  cardTitle: `margin:0;font-size:19px;line-height:1.45;font-weight:700;${body}`,
  cardText: `margin:8px 0 0;font-size:15px;line-height:1.7;${body}`,
  locked: `margin:12px 0 0;${font}font-size:13px;line-height:1.6;${quiet}`,
  columns: 'font-size:0;line-height:0;',
  column: 'display:inline-block;width:100%;max-width:268px;vertical-align:top;',
  columnLeft: 'padding:0 8px 16px 0;',
  columnRight: 'padding:0 0 16px 8px;',
  buttons: 'width:100%;max-width:320px;margin-top:18px;border-collapse:separate;',
  strong: `background-color:${light.accent};border:1px solid ${light.accent};border-radius:9px;`,
  strongLink: `display:block;padding:12px 16px;${pressed}color:${light.onAccent};`,
  between: 'height:10px;line-height:10px;font-size:0;',
  mild: `background-color:${light.panel};border:1px solid ${light.edge};border-radius:9px;`,
  mildLink: `display:block;padding:12px 16px;${pressed}${accent}`,
  chips: 'margin:16px 0 0;',
  chip: `display:inline-block;margin:0 8px 10px 0;padding:11px 17px;background-color:${light.panel};border:1px solid ${light.edge};border-radius:23px;${pressed}${accent}`,
  footnote: `padding-top:18px;border-top:1px solid ${light.line};`,
  footnoteText: `margin:0;${font}font-size:14px;line-height:1.7;${quiet}`,
  footnoteLink: `${accent}text-decoration:underline;`,
  footer: `padding:16px 4px 8px;${font}font-size:13px;line-height:1.7;${quiet}`,
  footerLink: `${quiet}text-decoration:underline;`,
} as const

const narrow = [
  '.outer{padding:16px 8px!important}',
  '.panel{padding:24px 20px!important}',
  '.buttons{max-width:100%!important}',
  '.column{max-width:100%!important}',
  '.column-inner{padding:0 0 14px!important}',
]

const darkened: [name: string, property: string, value: string][] = [
  ['.page', 'background-color', dark.sheet],
  ['.panel', 'background-color', dark.panel],
  ['.card', 'border-color', dark.line],
  ['.line', 'border-color', dark.line],
  ['.ink', 'color', dark.ink],
  ['.quiet', 'color', dark.quiet],
  ['.accent', 'color', dark.accent],
  ['.strong', 'background-color', dark.accent],
  ['.strong', 'border-color', dark.accent],
  ['.strong a', 'color', dark.onAccent],
  ['.mild', 'background-color', dark.panel],
  ['.mild', 'border-color', dark.edge],
]

/**
 * The style sheet in the head. It defines dark colours twice: by the standard media query, and for the attribute with
 * which Outlook marks darkened elements.
 */
export function styleSheet(): Markup {
  const inQuery = darkened.map(([name, property, value]) => html`${name}{${property}:${value}!important}\n`)
  const inOutlook = darkened.map(
    ([name, property, value]) => html`[data-ogsc] ${name}{${property}:${value}!important}\n`,
  )
  return html`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media only screen and (max-width:520px){${narrow.join('')}}
@media (prefers-color-scheme:dark){
${inQuery}}
${inOutlook}`
}
