import { type AuthorNotice, authorNotices, type Locale, locales } from '../../contract/enums.ts'
import type { Session } from '../../contract/identity/sign-in.ts'
import { html, type Markup } from '../../html/markup.ts'
import { mailSettingsLabel } from '../../services/notices/button-mail.ts'
import { box } from '../console/kit/box.ts'
import { approves } from '../console/kit/menu.ts'
import type { Page } from '../console/kit/page.ts'
import { kitWords } from '../console/kit/words.ts'

const chinese = {
  /** Also in the other language: who reads this one badly looks for it. */
  language: '郵件的語言 Language',
  aboutLanguage: '頁面也用這個語言，除非在選單中另選了語言。',
  text: (email: string) => `系統會寄通知到 ${email}。請勾選要收到通知的情況。`,
  approvals: { legend: '審核', label: '有項目待我審核時' },
  handoffs: { legend: '真人接手的對話', label: '有人等待單位回覆時' },
  authors: {
    legend: '您撰寫、編輯或送審的訊息',
    labels: {
      rejected: '訊息被退回時',
      approved: '訊息經人工核准時',
      parked: '發送暫停超過十分鐘時',
      failed: '發送失敗，或收到的人不到一半時',
    } satisfies Record<AuthorNotice, string>,
  },
  save: '儲存',
  saved: '設定已儲存。',
}

const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    language: 'Language of your mails 語言',
    aboutLanguage: 'Pages use it as well, unless you choose another in the menu.',
    text: (email) => `Mail goes to ${email}. Choose what you want to hear about.`,
    approvals: { legend: 'Approvals', label: 'When something waits for my approval' },
    handoffs: { legend: 'Conversations', label: 'When someone is waiting for a reply from my unit' },
    authors: {
      legend: 'Messages that you wrote, edited or submitted',
      labels: {
        rejected: 'When a message is rejected',
        approved: 'When a person approves a message',
        parked: 'When a send has been paused for ten minutes',
        failed: 'When a send fails, or reaches fewer than half',
      },
    },
    save: 'Save',
    saved: 'Your settings have been saved.',
  },
}

/**
 * The page of the mails to a person: their language, `notices` only for approvers, who alone get them, `handoffNotices`
 * for members of a unit, and `authorNotices`. `done`: the form has just been saved.
 */
export function mailSettingsPage(locale: Locale, session: Session, done?: 'saved'): Page {
  const { text, approvals, handoffs, authors, save, saved } = words[locale]
  const ofApprovals = group('notices', approvals.legend, [['notices', approvals.label, session.notices]])
  const ofHandoffs = group('handoffNotices', handoffs.legend, [
    ['handoffNotices', handoffs.label, session.handoffNotices],
  ])
  const ofAuthors = group(
    'authorNotices',
    authors.legend,
    authorNotices.map((what) => [what, authors.labels[what], session.authorNotices.includes(what)]),
  )
  const groups = [
    approves(session.units) ? ofApprovals : html``,
    session.units.length > 0 ? ofHandoffs : html``,
    ofAuthors,
    languageGroup(locale, session.language),
  ]
  const body = [
    done ? box(locale, 'done', html`<p>${saved}</p>`) : html``,
    html`<p>${text(session.person.email ?? session.person.name)}</p>\n`,
    html`<form method="post" class="choices">
${groups}<button class="strong">${save}</button>
</form>\n`,
    html`<p><a href="/approvals">${kitWords[locale].allWaiting}</a></p>\n`,
  ]
  return { lang: kitWords[locale].lang, from: 'Carillon', title: mailSettingsLabel[locale], body }
}

/** Boxes under a heading. `name` names them to the form, which then knows what is not ticked. */
function group(name: string, legend: string, boxes: [value: string, label: string, on: boolean][]): Markup {
  const rows = boxes.map(
    ([value, label, on]) =>
      html`<label class="pick"><input type="checkbox" name="on" value="${value}"${on ? html` checked` : html``}>${label}</label>\n`,
  )
  return html`<fieldset><legend>${legend}</legend>
<input type="hidden" name="shown" value="${name}">${rows}</fieldset>\n`
}

/** The names of the languages, each in itself. */
const languageNames: Record<Locale, string> = { 'zh-TW': '中文', en: 'English' }

function languageGroup(reader: Locale, chosen: Locale): Markup {
  const { language: legend, aboutLanguage } = words[reader]
  const rows = locales.map((locale) => {
    const checked = locale === chosen ? html` checked` : html``
    const radio = html`<input type="radio" name="language" value="${locale}"${checked}>`
    return html`<label class="pick" lang="${kitWords[locale].lang}">${radio}${languageNames[locale]}</label>\n`
  })
  return html`<fieldset><legend>${legend}</legend>
${rows}<p class="quiet">${aboutLanguage}</p></fieldset>\n`
}
