import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Growth } from '../../bench/growth/main.ts'
import { palette } from '../../src/channels/palette.ts'
import { html, textOf } from '../../src/html/markup.ts'

/** What `npm run bench:growth` has measured last. */
export function readGrowth(): Growth {
  const file = resolve(import.meta.dirname, '../../bench/growth/growth.json')
  return JSON.parse(readFileSync(file, 'utf8')) as Growth
}

const [begin, end] = ['<!-- growth -->', '<!-- /growth -->']

/** The page with its tables of growth. */
export function withGrowth(page: string, growth: Growth): string {
  const [before, rest] = page.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined) throw new Error(`docs/scaling.md lacks ${begin} … ${end}.`)
  return `${before}${begin}\n\n${tablesOf(growth)}\n\n${end}${after}`
}

function tablesOf({ day, cores, sizes, workers, beside }: Growth): string {
  const bySize = sizes.map(
    ({ people, chat, mail, workerMb }) =>
      `| ${number(people)} | ${number(chat)} | ${number(mail)} | ${number(workerMb)} |`,
  )
  const byWorkers = workers.map(({ workers, chat }) => `| ${workers} | ${number(chat)} |`)
  const waited = beside.besideSeconds.map(seconds).join(', ')
  return [
    `Measured on ${day} with ${cores} cores:`,
    '',
    '| people in one wave | people/s by chat | mails/s | worker, peak MB |',
    '| ---: | ---: | ---: | ---: |',
    ...bySize,
    '',
    `| workers on the same machine | people/s by chat, ${number(workers[0]!.people)} people |`,
    '| ---: | ---: |',
    ...byWorkers,
    '',
    `${beside.people} people were sent to in ${seconds(beside.aloneSeconds)} s alone, and in ${waited} s while a wave to ` +
      `${number(beside.wave)} was under way, from approve to sent.`,
  ].join('\n')
}

const number = (value: number) => Math.round(value).toLocaleString('en')
const seconds = (value: number) => value.toFixed(2)

const frame = { left: 70, top: 20, width: 560, height: 240 }

/** People a second by the size of a wave, by chat and by mail. */
export function growthChart({ sizes }: Growth): string {
  const most = Math.max(...sizes.flatMap(({ chat, mail }) => [chat, mail])) * 1.1
  const [first, last] = [Math.log10(sizes[0]!.people), Math.log10(sizes.at(-1)!.people)]
  const x = (people: number) =>
    round(frame.left + ((Math.log10(people) - first) / (last - first)) * frame.width)
  const y = (speed: number) => round(frame.top + frame.height * (1 - speed / most))
  const bottom = frame.top + frame.height
  const line = (of: 'chat' | 'mail') => sizes.map((size) => `${x(size.people)},${y(size[of])}`).join(' ')
  const dots = sizes.flatMap((size) =>
    (['chat', 'mail'] as const).map(
      (of) => html`
  <circle class="${of}" cx="${x(size.people)}" cy="${y(size[of])}" r="4"/>`,
    ),
  )
  const marks = sizes.map(
    ({ people }) => html`
  <text x="${x(people)}" y="${bottom + 20}" text-anchor="middle">${number(people)}</text>`,
  )
  const heights = [0.25, 0.5, 0.75, 1].map((share) => {
    const speed = niceBelow(most * share)
    return html`
  <line class="grid" x1="${frame.left}" y1="${y(speed)}" x2="${frame.left + frame.width}" y2="${y(speed)}"/>
  <text x="${frame.left - 8}" y="${y(speed) + 4}" text-anchor="end">${number(speed)}</text>`
  })
  const end = sizes.at(-1)!
  return textOf(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frame.left + frame.width + 70} ${bottom + 44}" role="img"
  aria-label="People a second by the number of people in a wave, by chat and by mail">
  <style>
    text { font: 13px system-ui, sans-serif; fill: ${palette.light.ink} }
    .grid { stroke: ${palette.light.line} }
    polyline { fill: none; stroke-width: 2 }
    polyline.chat { stroke: ${palette.light.accent} }
    polyline.mail { stroke: ${palette.light.quiet}; stroke-dasharray: 6 4 }
    circle.chat { fill: ${palette.light.accent} }
    circle.mail { fill: ${palette.light.quiet} }
    @media (prefers-color-scheme: dark) {
      text { fill: ${palette.dark.ink} }
      .grid { stroke: ${palette.dark.line} }
      polyline.chat { stroke: ${palette.dark.accent} }
      polyline.mail { stroke: ${palette.dark.quiet} }
      circle.chat { fill: ${palette.dark.accent} }
      circle.mail { fill: ${palette.dark.quiet} }
    }
  </style>${heights}
  <polyline class="chat" points="${line('chat')}"/>
  <polyline class="mail" points="${line('mail')}"/>${dots}${marks}
  <text x="${x(end.people) + 10}" y="${y(end.chat) + 4}">chat</text>
  <text x="${x(end.people) + 10}" y="${y(end.mail) + 4}">mail</text>
  <text x="${frame.left + frame.width / 2}" y="${bottom + 40}" text-anchor="middle">people in one wave</text>
</svg>
`)
}

const round = (value: number) => Math.round(value * 10) / 10

/** The next thousand below, or five hundred for little. */
function niceBelow(value: number): number {
  const step = value < 4_000 ? 500 : 1_000
  return Math.floor(value / step) * step
}
