import { createHash } from 'node:crypto'
import { html, type Markup } from '../../../channels/email/markup.ts'
import { paletteSheet } from '../../../channels/palette.ts'
import { icon } from './icon.ts'
import { type ScriptName, scriptPaths } from './scripts.ts'

/** A page: what it is about, and what it says. */
export type Page = {
  lang: string
  /** The sender, shown above the panel. */
  from: string
  title: string
  body: Markup[]
  /** A list of which this page shows one, at its left where the window is wide enough. */
  beside?: Markup
  /** What runs on it (scripts.ts). `live`: something on it moves. Omitted: nothing. */
  script?: ScriptName
  /** For pages that are read at a desk as well: as wide as a text may be, or as a table needs. Omitted: a statement and a form. */
  width?: 'wide' | 'broad'
}

const style = `
${paletteSheet}*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;justify-content:center;padding:clamp(16px,12vh,120px) 16px 32px;background:var(--sheet);color:var(--ink);
font:16px/1.7 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang TC","Noto Sans TC","Microsoft JhengHei",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:480px}
.from{margin:0;padding:0 4px 12px;font-size:15px;font-weight:600}
.panel{padding:clamp(24px,6vw,36px);background:var(--panel);border-radius:14px}
h1{margin:0;font-size:23px;line-height:1.4;text-wrap:balance}
p{margin:12px 0 0}
.choice{margin-top:18px;padding:12px 16px;border-left:4px solid var(--accent);border-radius:4px;background:var(--sheet);font-weight:600}
.question{white-space:pre-line}
.quiet{font-size:14px;color:var(--quiet)}
form{margin:24px 0 0}
button{width:100%;min-height:48px;padding:11px 18px;border:1px solid var(--accent);border-radius:9px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button.mild{border-color:var(--edge);background:none;color:var(--ink)}
a{color:var(--accent)}
p>a{display:inline-block;padding:9px 0}
a.strong{display:block;margin-top:24px;padding:11px 18px;border-radius:9px;background:var(--accent);color:var(--on-accent);font-weight:600;text-align:center;text-decoration:none}
.choices fieldset{margin:0 0 24px;padding:0;border:0;min-width:0}
.choices legend{padding:0 0 6px;font-weight:600}
.row{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 16px;min-height:56px;padding:6px 0;border-top:1px solid var(--line)}
.row p{margin:0 0 8px;flex-basis:100%}
.offer{padding:4px 16px 16px;border:1px solid var(--line);border-radius:9px}
.offer button{margin-top:16px}
.row .picks{margin-left:auto}
.picks{display:flex;flex-wrap:wrap;gap:0 20px}
.pick{display:flex;align-items:center;gap:8px;min-height:44px;cursor:pointer}
.pick input{width:20px;height:20px;margin:0;flex:none;accent-color:var(--accent)}
.saved{padding:10px 16px;border-radius:9px;background:var(--sheet);font-weight:600}
main.wide{max-width:820px}
main.broad{max-width:1080px}
h2{margin:28px 0 0;font-size:18px}
.decide{position:sticky;bottom:0;display:flex;flex-wrap:wrap;gap:8px 12px;max-height:80vh;overflow-y:auto;margin:24px calc(-1*clamp(24px,6vw,36px)) calc(-1*clamp(24px,6vw,36px));padding:12px clamp(24px,6vw,36px) 16px;border-top:1px solid var(--line);border-radius:0 0 14px 14px;background:var(--panel)}
.decide>*{flex:2 1 160px;margin:0}
.decide>.reject{flex-grow:1;flex-basis:96px}
.decide>p,.decide>.reject[open]{flex-basis:100%}
img.picture{display:block;max-width:100%;max-height:320px;margin:8px 0 0;border-radius:9px}
h3{margin:0;font-size:14px;color:var(--quiet)}
.facts{display:grid;grid-template-columns:minmax(88px,max-content) 1fr;gap:0 20px;margin:18px 0 0}
.facts dt,.facts dd{margin:0;padding:8px 0;border-top:1px solid var(--line)}
.facts dt{color:var(--quiet)}
.facts dd p{margin:0}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr));gap:16px;margin:12px 0 0}
.facing{margin:0}
@media (min-width:1101px){.facing{display:grid;grid-template-columns:minmax(0,1fr) 324px;gap:0 28px;align-items:start}.seen{grid-column:2}.facing:has(.compose)>.seen{position:sticky;top:16px;max-height:calc(100vh - 32px);overflow-y:auto}.facing h2:first-child{margin-top:18px}.facing>:not(.seen){grid-column:1;grid-row:1}}
.block{margin:10px 0 0;padding:12px 16px;border-radius:9px;background:var(--sheet);white-space:pre-line}
.block p{margin:0}
.block ul:not(.actions),.block ol{margin:6px 0 0;padding-left:22px}
.block p+p{margin-top:6px}
.tag{padding:1px 8px;border:1px solid var(--edge);border-radius:9px;font-size:13px;color:var(--quiet)}
.actions{margin:10px 0 0;padding:0;list-style:none;white-space:normal}
.actions li{margin-top:6px}
.actions .button{display:inline-block;padding:3px 12px;border:1px solid var(--accent);border-radius:9px;color:var(--accent);font-weight:600}
.graph{margin:12px 0 0;padding:8px;overflow-x:auto;border:1px solid var(--line);border-radius:9px}
.graph .begin{height:0;margin:0;overflow:visible;white-space:nowrap;line-height:0}
.graph .begin svg{display:inline-block;margin:0}
.graph .begin span{scroll-initial-target:nearest;display:inline-block;width:1px;height:1px}
.graph>svg{display:block;margin:0 auto;font-size:13px}
.graph .node{fill:var(--sheet);stroke:var(--edge)}
.graph .question{stroke:var(--accent);stroke-width:2}
.graph .label{fill:var(--panel)}
.graph .way{fill:none;stroke:var(--quiet);stroke-width:1.5}
.graph .tip{fill:var(--quiet)}
.graph text{fill:var(--ink)}
.graph .head{font-weight:600}
.graph .case{fill:var(--quiet)}
.step{margin:22px 0 0}
.ways{margin:10px 0 0;padding:0 0 0 20px;font-size:14px}
iframe.mail{width:100%;height:min(640px,75vh);margin:12px 0 0;border:1px solid var(--line);border-radius:9px;background:var(--panel)}
.phone{max-width:340px;margin:8px 0 0;padding:16px 12px;border:1px solid var(--edge);border-radius:24px;background:var(--sheet);font-size:15px;line-height:1.5}
.phone p{margin:0}
.phone .call{margin:16px 0 8px;padding-top:8px;border-top:1px dashed var(--edge);font-size:12px;color:var(--quiet);text-align:center}
.phone .sender{margin:8px 4px 2px;font-size:12px;color:var(--quiet)}
.bubble{width:fit-content;max-width:92%;margin:0 0 8px!important;padding:8px 14px;border-radius:16px;background:var(--panel);white-space:pre-wrap}
.bubble.own{margin-left:auto!important;background:var(--accent);color:var(--on-accent)}
.bubble.bare{padding:0;overflow:hidden}
.bubble img{display:block;width:100%;max-height:220px;object-fit:cover}
.bubble.card{width:260px;padding:0;overflow:hidden}
.bubble.card>p,.bubble .words{padding:12px 14px;margin:0}
.bubble .words p+p{margin-top:8px}
.bubble .note,.stand-in .note{font-size:13px;color:var(--quiet)}
.stand-in{padding:16px 14px;background:var(--sheet);color:var(--quiet);font-size:13px}
.bubble.stand-in{background:var(--panel)}
.keys{display:grid;gap:6px;padding:0 12px 12px;text-align:center}
.key{padding:7px 8px;border-radius:8px;background:var(--sheet);font-weight:600}
.key.first{background:var(--accent);color:var(--on-accent)}
.slide{display:flex;gap:8px;overflow-x:auto;padding-bottom:4px}
.slide .card{flex:none;width:230px}
.chips{display:flex;flex-wrap:wrap;gap:6px;margin:8px 0;padding:0;list-style:none}
.chip{padding:4px 14px;border:1px solid var(--edge);border-radius:999px;background:var(--panel);font-weight:600}
.filters{display:flex;flex-wrap:wrap;align-items:end;gap:12px;margin:18px 0}
.filters label{flex:1 1 160px;font-size:14px;color:var(--quiet)}
.filters button{flex:0 0 auto;width:auto}
.scrolls{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:15px}
th,td{padding:10px 12px 10px 0;border-top:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
thead th{border:0;font-size:13px;color:var(--quiet);white-space:nowrap}
tbody th a{font-weight:600}
.number{text-align:right;font-variant-numeric:tabular-nums}
.tag.good{color:var(--good);border-color:currentColor}
.tag.look{color:var(--look);border-color:currentColor}
.tag.stop{color:var(--stop);border-color:currentColor}
.tag{white-space:nowrap}
progress,meter{width:100%;height:12px;accent-color:var(--accent)}
meter::-webkit-meter-optimum-value{background:var(--accent)}
meter::-moz-meter-bar{background:var(--accent)}
.numbers{display:flex;flex-wrap:wrap;gap:12px 32px;margin:12px 0 0}
.numbers dt{font-size:13px;color:var(--quiet)}
.numbers dd{margin:0;font-size:28px;line-height:1.3;font-weight:650;font-variant-numeric:tabular-nums}
.numbers+h3,.numbers+p+h3{margin-top:18px}
form>input:not([type=hidden])+button{margin-top:12px}
form>p.quiet{margin:0 0 8px}
.field{display:block;margin:12px 0 0;font-weight:600}
.field .quiet{font-weight:400}
.field+button{margin-top:18px}
.wrong{display:block;color:var(--stop);font-size:14px;font-weight:600}
[aria-invalid=true]{border-color:var(--stop)!important}
.written{min-width:0;margin:18px 0 0;padding:4px 18px 18px;border:1px solid var(--line);border-radius:12px}
.written legend{padding:0 6px;font-weight:650}
.entry{min-width:0;margin:14px 0 0;padding:0 0 0 14px;border:0;border-left:3px solid var(--line)}
button.small{width:auto;min-height:36px;padding:4px 12px;font-size:14px}
.adds{margin-top:14px}
.numbers .of{font-size:13px;font-weight:400;color:var(--quiet)}
.trends{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:16px 24px}
.trend{margin:12px 0 0}
.trend figcaption{font-size:14px;color:var(--quiet)}
.trend strong{color:var(--ink)}
.trend svg{display:block;width:100%;height:auto;font-size:13px}
.trend text{fill:var(--quiet)}
.trend .bar{fill:var(--accent)}
.trend .base{stroke:var(--edge)}
.bars td:nth-child(2){width:45%}
.acts{display:flex;flex-wrap:wrap;gap:8px}
.acts button{width:auto}
.history{margin:12px 0 0;padding-left:22px}
.waiting{margin:12px 0 0;padding:0;list-style:none}
.waiting li{padding:2px 0 12px;border-top:1px solid var(--line)}
.waiting a{display:block;padding:11px 0 6px;font-weight:600}
.waiting .excerpt{margin:0 0 6px;white-space:pre-line}
.waiting .quiet .tag{margin-right:2px}
.whole{white-space:nowrap}
.talk{margin:12px 0 0;padding:0;list-style:none}
.talk li{margin:18px 12% 0 0;scroll-margin-top:16px}
.talk li.ours{margin:18px 0 0 12%}
.talk .block{margin-top:4px}
.talk .ours .block{border-left:4px solid var(--accent)}
.facts del,.facts ins{display:block;white-space:pre-line}
del{color:var(--quiet)}
ins{text-decoration:none;font-weight:600}
.facts dd .quiet{margin-top:8px}
@media (max-width:560px){.facts{display:block}.facts dt{padding-bottom:0;font-size:14px}.facts dd{padding-top:0;border:0}}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.alert{margin:18px 0 0;padding:12px 16px;border-left:4px solid var(--ink);border-radius:4px;background:var(--sheet)}
.alert p,.saved p{margin:0}
.saved{margin-top:18px}
details+details{margin-top:0}
.reject summary{padding:11px 18px;border:1px solid var(--edge);border-radius:9px;list-style:none;text-align:center}
.reject summary::-webkit-details-marker{display:none}
details{margin:18px 0 0}
summary{min-height:44px;padding:9px 0;cursor:pointer;font-weight:600}
.reject form{margin:6px 0 0}
.mail{white-space:pre-wrap;font-size:14px}
textarea{width:100%;margin:12px 0;padding:10px 14px;border:1px solid var(--edge);border-radius:9px;background:var(--panel);color:var(--ink);font:inherit}
body.desk{display:grid;grid-template-columns:212px minmax(0,1fr);justify-content:stretch;padding:0}
.desk main{padding:28px clamp(16px,3vw,40px) 40px;justify-self:center}
.beside{display:none}
@media (min-width:1361px){body.desk:has(.beside){grid-template-columns:212px 252px minmax(0,1fr)}
.beside{position:sticky;top:0;align-self:start;display:block;height:100vh;overflow-y:auto;padding:28px 12px;border-right:1px solid var(--line);font-size:15px}
.beside h2{margin:0 12px 8px;font-size:14px;color:var(--quiet)}
.beside a{display:block;padding:10px 12px;border-radius:8px;color:var(--ink);text-decoration:none}
.beside a .quiet{display:block}
.beside a:hover,.beside a[aria-current]{background:var(--panel)}
.beside a[aria-current]{font-weight:600}}
.skip{position:absolute;left:-999px;padding:8px 16px;background:var(--panel)}
.skip:focus{left:8px;top:8px;z-index:2}
.menu{position:sticky;top:0;align-self:start;display:flex;flex-direction:column;gap:4px;height:100vh;overflow-y:auto;padding:20px 12px;border-right:1px solid var(--line);background:var(--panel);font-size:15px}
.menu .brand{padding:4px 12px 12px;font-weight:700}
.menu a{display:flex;align-items:center;justify-content:space-between;min-height:40px;padding:4px 12px;border-radius:8px;color:var(--ink);text-decoration:none}
.menu a:hover{background:var(--sheet)}
.menu a[aria-current]{background:var(--sheet);font-weight:600}
.menu .who{margin-top:auto;border-top:1px solid var(--line);border-radius:0;color:var(--quiet)}
.menu form{margin:0 0 8px}
.menu nav{display:contents}
.menu input{min-height:38px;font-size:14px}
input[type=search],input[type=text],input[type=url],input[type=number],input[type=datetime-local],select{width:100%;min-height:44px;padding:6px 12px;border:1px solid var(--edge);border-radius:9px;background:var(--panel);color:var(--ink);font:inherit}
.field input,.field select,.field textarea{display:block;margin-top:4px;font-weight:400}
@media (max-width:1100px){body.desk{display:block}.menu{position:static;flex-flow:row wrap;gap:0 4px;height:auto;padding:8px 12px;border-right:0;border-bottom:1px solid var(--line)}.menu a{min-height:44px;padding:4px 10px}.menu .brand{padding:4px 10px}.menu .who{margin:0 0 0 auto;border:0;order:1}.menu nav{display:flex;flex-wrap:wrap;order:2;flex-basis:100%}.menu form{flex:1 1 120px;max-width:360px;margin:4px 0}.desk main{margin:0 auto}}
@media print{.menu,form,.skip{display:none}body.desk{display:block}}
textarea:focus-visible,select:focus-visible,summary:focus-visible,input:focus-visible,.graph:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** What every page may load: its own style; forms and pictures of its own origin. No scripts, no frames. */
const base = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/** Of a page that people reach by a link. */
export const pagePolicy = base.join('; ')

/** Of a page for people who are signed in: it also has frames and a script of its own origin, which asks that alone. */
export const deskPolicy = [...base, "script-src 'self'", "connect-src 'self'", "frame-src 'self'"].join('; ')

/**
 * Characters that turn the text behind them around (Unicode Standard Annex 9). In a name that its author chose, one
 * could make the times beside it read as others.
 */
const turns = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Renders a complete HTML document, in which such characters are seen. `menu`: of the pages for people who are signed in,
 * beside it.
 */
export function renderPage(
  { lang, from, title, body, width, beside = html``, script }: Page,
  menu?: Markup,
): string {
  const head = html`<!DOCTYPE html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}">
<title>${title}</title>
<style>`
  const rest = html`</style>
</head>
<body${menu ? html` class="desk"` : html``}>
${menu ? html`${menu}${beside}` : html``}<main id="content"${width ? html` class="${width}"` : html``}>
<p class="from">${from}</p>
<div class="panel">
<h1>${title}</h1>
${body}</div>
</main>${
    script
      ? html`
<script src="${scriptPaths[script]}" defer></script>`
      : html``
  }
</body>
</html>\n`
  return `${head.pieces.join('')}${style}${rest.pieces.join('')}`.replace(
    turns,
    (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`,
  )
}
