import { paletteSheet } from '../../src/channels/palette.ts'
import { html, type Markup, trusted } from '../../src/html/markup.ts'

/** A person of the demo, as listed on the form. */
type BothLanguages = { 'zh-TW': string; en: string }
export type DemoPerson = { name: string; email: string; place: BothLanguages; work: BothLanguages }

const words = {
  'zh-TW': {
    title: '示範登入',
    text: '這是示範環境的登入服務。請選擇登入身分，不需密碼。',
    other: '以其他帳號登入',
    email: '電子郵件',
    password: '密碼（可任意輸入）',
    go: '登入',
  },
  en: {
    title: 'Demo sign-in',
    text: 'This is the identity provider of the demo. Choose a person; no password is needed.',
    other: 'Sign in with another account',
    email: 'E-mail',
    password: 'Password (any)',
    go: 'Sign in',
  },
}

/** The sign-in page: the demo's people as buttons, and a form for any other address. */
export function signInPage(people: DemoPerson[], english: boolean): Markup {
  const lang = english ? 'en' : 'zh-TW'
  const { title, text, other, email, password, go } = words[lang]
  const buttons = people.map(
    (person) => html`<button name="email" value="${person.email}">
<span class="face" aria-hidden="true">${[...person.name][0]!}</span>
<span><strong>${person.name}</strong> <span class="work">${person.work[lang]}</span><br><span class="quiet">${person.place[lang]}<br>${person.email}</span></span>
</button>`,
  )
  return page(
    lang,
    title,
    html`<p class="quiet">${text}</p>
<form method="post" class="people">${buttons}</form>
<details><summary>${other}</summary>
<form method="post">
<label>${email}<input name="login" type="email" required autocomplete="username"></label>
<label>${password}<input name="password" type="password" autocomplete="current-password"></label>
<button class="go">${go}</button>
</form></details>`,
  )
}

/** An error page. */
export function failurePage(what: string): Markup {
  return page('en', '無法登入 · Sign-in failed', html`<p>${what}</p>`)
}

function page(lang: string, title: string, content: Markup): Markup {
  return html`<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<body><main><h1>${title}</h1>${content}</main></body>
</html>`
}

const style = trusted(`
${paletteSheet}*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;justify-content:center;padding:clamp(16px,9vh,90px) 16px 32px;background:var(--sheet);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang TC","Noto Sans TC","Microsoft JhengHei",sans-serif}
main{width:100%;max-width:440px;padding:28px;background:var(--panel);border-radius:16px;align-self:flex-start}
h1{margin:0;font-size:22px}
p{margin:6px 0 0}
.quiet{font-size:14px;color:var(--quiet)}
.people{display:grid;gap:8px;margin:20px 0}
.people button{display:flex;gap:14px;align-items:center;width:100%;padding:11px 14px;border:1px solid var(--line);border-radius:12px;background:none;color:inherit;font:inherit;text-align:left;cursor:pointer;overflow-wrap:anywhere}
.people button:hover{border-color:var(--accent)}
.face{flex:none;display:grid;place-items:center;width:40px;height:40px;border-radius:50%;background:var(--accent);color:var(--on-accent);font-weight:600}
.work{font-size:13px;color:var(--accent);font-weight:600}
summary{padding:11px 0;cursor:pointer;font-size:14px;color:var(--quiet)}
details form{display:grid;gap:12px;margin-top:14px}
label{display:grid;gap:4px;font-size:14px}
input{padding:10px 12px;border:1px solid var(--edge);border-radius:9px;background:var(--sheet);color:inherit;font:inherit}
.go{padding:11px;border:0;border-radius:9px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible,input:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`)
