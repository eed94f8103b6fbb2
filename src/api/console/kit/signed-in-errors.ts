import type { Locale } from '../../../contract/enums.ts'
import { type ErrorCode, errorStatus } from '../../../contract/errors.ts'
import { html } from '../../../html/markup.ts'
import { areaLabel, areaNoun, areaPaths, type SignedInArea } from './menu.ts'
import type { Page } from './page.ts'
import { refusalWords } from './refusals.ts'
import { kitWords } from './words.ts'

/** `to`: where it leads, if the area itself is out of reach. */
type Notice = { title: string; text: string; to?: SignedInArea }
type Notices = Partial<Record<ErrorCode, Notice>>
type Words = {
  signIn: Notice & { button: string }
  /** By error code, about one of the things of an area, such as *this message*. */
  about: Partial<Record<ErrorCode, (one: string) => Notice>>
  /** Of an area that has more to say. */
  own: Partial<Record<SignedInArea, Notices>>
  /** Errors that say the same everywhere. */
  everywhere: Notices & { other: Notice }
  /** Above why the server would not do something. */
  refused: string
  /** For operators, of an error that has no words of its own. */
  system: (code: string, at: string, requestId: string) => string
}

const noUnit: Record<Locale, Notice> = {
  'zh-TW': { title: '找不到這個單位', text: '單位可能不存在，或您未加入。' },
  en: { title: 'This unit does not exist', text: 'It does not exist, or you are not a member of it.' },
}

const words: Record<Locale, Words> = {
  'zh-TW': {
    signIn: {
      title: '請重新登入',
      text: '您的登入已失效，剛才的操作沒有送出。登入後會回到這個頁面。',
      button: '登入',
    },
    about: {
      not_found: (one) => ({ title: `找不到${one}`, text: `${one}可能不存在，或屬於您未加入的單位。` }),
      forbidden: (one) => ({
        title: '沒有權限',
        text: `您沒有這個單位的權限，或這個請求來自其他網站。請從清單重新開啟${one}，再試一次。`,
      }),
      validation_error: (one) => ({ title: '請求有誤', text: `請從清單重新開啟${one}，再試一次。` }),
    },
    own: {
      results: {
        forbidden: {
          title: '沒有權限',
          text: '只有這個單位的核准者可以看成效。需要的話，請系統管理員給您這個角色。',
          to: 'home',
        },
        not_found: noUnit['zh-TW'],
        validation_error: { title: '期間有誤', text: '請重新選擇期間。' },
      },
      compose: {
        not_found: { title: '找不到撰寫中的訊息', text: '它可能已送審或捨棄，或屬於您未加入的單位。' },
        forbidden: {
          title: '沒有權限',
          text: '只有這個單位的編輯者可以撰寫訊息。需要的話，請系統管理員給您這個角色。',
          to: 'home',
        },
        validation_error: {
          title: '無法開始',
          text: '單位撰寫中的訊息太多，或請求有誤。請先送審或捨棄一則。',
        },
      },
      patterns: { forbidden: { title: '沒有權限', text: '只有這個單位的核准者可以看名單。' } },
      quota: {
        not_found: noUnit['zh-TW'],
        validation_error: { title: '月份有誤', text: '請重新選擇月份。' },
      },
      approvals: {
        not_found: { title: '找不到這個項目', text: '項目可能已刪除，或屬於您未加入的單位。' },
        forbidden: {
          title: '無法審核',
          text: '您沒有這個單位的核准權限，或這個請求來自其他網站。請回到待審核清單再試一次。',
        },
        dag_invalid: {
          title: '無法核准',
          text: '這個情境會和其他情境互相跳轉，途中不需要對方回答任何問題，因此會不斷推播。請退回，並說明須加上問題或移除跳轉。',
        },
      },
      handoffs: {
        forbidden: { title: '沒有送出', text: '這個請求來自其他網站。請從清單開啟對話，再試一次。' },
        not_configured: { title: '沒有送出', text: '本系統尚未設定聊天管道，請洽維運人員。' },
      },
      mailSettings: {
        forbidden: {
          title: '設定沒有變更',
          text: '這個請求來自其他網站。請開啟郵件通知設定，再儲存一次。',
        },
        validation_error: { title: '設定沒有變更', text: '請開啟郵件通知設定，再儲存一次。' },
      },
    },
    everywhere: {
      rate_limited: { title: '操作太頻繁', text: '剛才的操作沒有完成，請稍候再試。' },
      payload_too_large: { title: '內容太多', text: '剛才的操作沒有完成。請重新開啟頁面，再送出一次。' },
      other: { title: '系統暫時無法處理', text: '剛才的操作沒有完成，請稍後再試。' },
    },
    refused: '沒有完成',
    system: (code, at, requestId) =>
      `系統訊息：${code}，${at}，編號 ${requestId}。若一直發生，請告訴維運人員。`,
  },
  en: {
    signIn: {
      title: 'Please sign in again',
      text: 'Your session has ended, and nothing was changed. After signing in you return to this page.',
      button: 'Sign in',
    },
    about: {
      not_found: (one) => ({
        title: `This ${one} does not exist`,
        text: 'It does not exist, or belongs to a unit of which you are not a member.',
      }),
      forbidden: (one) => ({
        title: 'You may not do this',
        text: `You lack the right in this unit, or the request came from another site. Open the ${one} from the list again.`,
      }),
      validation_error: (one) => ({
        title: 'This request is not valid',
        text: `Open the ${one} from the list again.`,
      }),
    },
    own: {
      results: {
        forbidden: {
          title: 'You may not read this',
          text: 'Only approvers of the unit may read its results. A system administrator can give you that role.',
          to: 'home',
        },
        not_found: noUnit.en,
        validation_error: { title: 'This period is not valid', text: 'Choose a period again.' },
      },
      compose: {
        not_found: {
          title: 'This is not being written',
          text: 'It was submitted or discarded, or belongs to a unit of which you are not a member.',
        },
        forbidden: {
          title: 'You may not write here',
          text: 'Only editors of the unit write its messages. A system administrator can give you that role.',
          to: 'home',
        },
        validation_error: {
          title: 'This cannot begin',
          text: 'The unit writes too many messages, or the request is not valid. Submit or discard one first.',
        },
      },
      patterns: {
        forbidden: {
          title: 'You may not see this',
          text: 'Only approvers of the unit may see who takes part.',
        },
      },
      quota: {
        not_found: noUnit.en,
        validation_error: { title: 'This month is not valid', text: 'Choose a month again.' },
      },
      approvals: {
        not_found: {
          title: 'This does not exist',
          text: 'It was deleted, or belongs to a unit of which you are not a member.',
        },
        forbidden: {
          title: 'You cannot decide about this',
          text: 'You are not an approver of the unit, or the request came from another site. Open it from the list again.',
        },
        dag_invalid: {
          title: 'This cannot be approved',
          text:
            'It and other scenarios jump to each other without asking a question, and would send pushes ' +
            'endlessly. Reject it, and ask the author to add a question or remove a jump.',
        },
      },
      handoffs: {
        forbidden: {
          title: 'Nothing was sent',
          text: 'The request came from another site. Open the conversation from the list and try again.',
        },
        not_configured: {
          title: 'Nothing was sent',
          text: 'This installation has no chat channel. Ask its operator to configure it.',
        },
      },
      mailSettings: {
        forbidden: {
          title: 'Your settings are unchanged',
          text: 'The request came from another site. Open your mail settings and save them again.',
        },
        validation_error: {
          title: 'Your settings are unchanged',
          text: 'Open your mail settings and save them again.',
        },
      },
    },
    everywhere: {
      rate_limited: {
        title: 'Too many requests',
        text: 'Nothing was changed. Wait a moment, then try again.',
      },
      payload_too_large: {
        title: 'The form was too long',
        text: 'Nothing was changed. Open the page again and send it once more.',
      },
      other: { title: 'This is temporarily unavailable', text: 'Nothing was changed. Try again later.' },
    },
    refused: 'This was not done',
    system: (code, at, requestId) =>
      `System message: ${code}, ${at}, request ${requestId}. If it stays, tell your operator.`,
  },
}

/** The page of a request that failed. `requestId`: what operators find it by. */
export function requestFailedPage(
  area: SignedInArea,
  locale: Locale,
  { code, requestId }: { code: ErrorCode; requestId: string },
): Page {
  const { about, own, everywhere, refused, system } = words[locale]
  const one = areaNoun(locale, area)
  const ofArea = own[area]?.[code] ?? (one === null ? undefined : about[code]?.(one))
  const because = errorStatus[code] < 500 ? { title: refused, text: refusalWords[locale][code] } : undefined
  const notice: Notice | undefined = ofArea ?? everywhere[code] ?? because
  const { title, text, to = area } = notice ?? everywhere.other
  const at = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const body = [
    html`<p>${text}</p>\n`,
    notice ? html`` : html`<p class="quiet">${system(code, at, requestId)}</p>\n`,
    html`<p><a href="${areaPaths[to]}">${areaLabel(locale, to)}</a></p>\n`,
  ]
  return { lang: kitWords[locale].lang, from: 'Carillon', title, body }
}

/** The page of a form whose session has ended. `login`: the address of the sign-in that returns to the page. */
export function signInAgainPage(locale: Locale, login: string): Page {
  const { title, text, button } = words[locale].signIn
  const body = [html`<p>${text}</p>\n`, html`<a class="strong" href="${login}">${button}</a>\n`]
  return { lang: kitWords[locale].lang, from: 'Carillon', title, body }
}
