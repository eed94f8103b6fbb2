import type { HandoffEnd, Locale, TurnState } from '../../../contract/enums.ts'

type Notice = { title: string; text: string }

/** Why a reply that was just sent was not stored. */
export type Unsent = 'closed' | 'unbound' | 'answered' | 'repeated' | 'empty' | 'unfit'

/** Why a reply did not arrive; by reason. */
const reasons: Record<string, string> = {
  blocked: '對方已封鎖帳號',
  noAddress: '對方已解除聊天帳號的綁定',
  expired: '一天內都無法送出，已放棄',
  refused: '聊天平台拒絕這則訊息',
  too_old: '聊天平台一天內都沒有回應，為免重複不再送出',
  interrupted: '送出時中斷，為免重複不再送出',
  moved: '這個聊天帳號已不屬於對方，不再送出',
  erased: '對方的資料已刪除',
}

const chinese = {
  list: {
    title: '真人接手的對話',
    text: '等候回覆的在前，等最久的排第一。',
    none: '目前沒有進行中的對話。',
    next: '下一頁',
    back: '所有進行中的對話',
    noUnit: '您目前不屬於任何單位，請洽系統管理員。',
  },
  /** Instead of a uid: the chat address is bound to no subject, or the person is erased. */
  nobody: '身分不明的聊天帳號',
  title: (who: string) => `對話：${who}`,
  scenario: (name: string) => `情境「${name}」`,
  assistant: '智慧助理',
  test: '測試',
  waits: '等候回覆',
  answered: '已回覆',
  last: (moment: string) => `最後訊息 ${moment}`,
  labels: { from: '轉接來源', since: '開始時間', zone: '時區', person: '對方' },
  before: '轉接前的對話',
  /** `closed` names the person who closed it. */
  ended: {
    closed: (name) => `已由${name}結束`,
    assistant: () => '已交還智慧助理',
    silence: () => '雙方 24 小時沒有往來，已自動結束',
    timeout: () => '情境等候的時間已到，已自動結束',
    run_ended: () => '情境已結束，這段對話也隨之結束',
    unbound: () => '對方已解除這個聊天帳號的綁定，這段對話也隨之結束',
    erased: () => '對方的資料已刪除，這段對話也隨之結束',
  } satisfies Record<HandoffEnd, (name: string) => string>,
  endedAt: (how: string, moment: string) => `${how}：${moment}`,
  silence: '雙方超過 24 小時沒有往來，對話會自動結束。',
  talk: '對話內容',
  nothing: '對方還沒有寫任何內容。',
  omitted: (count: string) => `更早的 ${count} 則沒有顯示。`,
  noText: '（圖片、位置、語音等非文字內容，這裡無法顯示）',
  gone: '（內容已刪除）',
  states: {
    pending: '等候送出',
    sent: '已送出',
    skipped: '沒有送出',
    failed: '沒有送出',
    unknown: '不確定是否送達',
  } satisfies Record<TurnState, string>,
  reasons,
  /** Any other reason, as the provider names it. */
  because: (reason: string) => `代碼 ${reason}`,
  refresh: '更新對話',
  reply: {
    label: '回覆',
    hint: '對方會在聊天中收到您寫的文字，最多 5,000 字。',
    button: '送出',
    another: '仍要送出',
  },
  reach: {
    blocked: '對方已封鎖帳號，回覆不會送達。對方解除封鎖後才收得到。',
    unbound: '這個聊天帳號還沒有綁定任何人，因此無法回覆。請對方先完成綁定。',
  },
  unsent: {
    closed: { title: '沒有送出', text: '這段對話已經結束。對方可以再次要求真人服務。' },
    unbound: { title: '沒有送出', text: '這個聊天帳號還沒有綁定任何人，因此無法回覆。' },
    answered: {
      title: '還沒有送出',
      text: '在您填寫時，同事已經回覆了。請先看過同事的回覆，再決定是否送出。',
    },
    repeated: {
      title: '還沒有送出',
      text: '您已用同一張表單送出另一則回覆。要再送出這一則，請按「送出」。',
    },
    empty: { title: '還沒有送出', text: '請填寫回覆內容。' },
    unfit: { title: '還沒有送出', text: '聊天訊息無法呈現這段文字，請修改後再送出。' },
  } satisfies Record<Unsent, Notice>,
  yourText: '您填寫的內容：',
  close: {
    open: '結束對話',
    text: '結束後，對方再寫的內容不會出現在這裡；尚未送出的回覆仍會送出。',
    goesOn: '等候這段對話的情境會繼續進行。',
    button: '確定結束',
  },
}

export type HandoffWords = typeof chinese

/** Texts of the pages on which people of a unit answer. */
export const handoffWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    list: {
      title: 'Conversations with people',
      text: 'Waiting conversations first, the longest wait at the top.',
      none: 'No conversation is open.',
      next: 'Next page',
      back: 'All open conversations',
      noUnit: 'You are not a member of a unit. Ask a system administrator to add you.',
    },
    nobody: 'Unknown chat account',
    title: (who) => `Conversation: ${who}`,
    scenario: (name) => `Scenario “${name}”`,
    assistant: 'Conversational assistant',
    test: 'Test',
    waits: 'Waiting for a reply',
    answered: 'Answered',
    last: (moment) => `last message ${moment}`,
    labels: { from: 'Handed over by', since: 'Since', zone: 'Time zone', person: 'Person' },
    before: 'What was said before',
    ended: {
      closed: (name) => `Closed by ${name}`,
      assistant: () => 'Taken back by the assistant',
      silence: () => 'Closed after 24 hours without a message',
      timeout: () => 'Closed because the scenario’s time-out passed',
      run_ended: () => 'Closed because its scenario ended',
      unbound: () => 'Closed because the chat account is no longer bound to this person',
      erased: () => 'Closed because the person was erased',
    },
    endedAt: (how, moment) => `${how}: ${moment}`,
    silence: 'It closes automatically after 24 hours without a message.',
    talk: 'Conversation',
    nothing: 'The person has not written anything yet.',
    omitted: (count) =>
      count === '1' ? '1 older message is not shown.' : `${count} older messages are not shown.`,
    noText: '(A picture, location, voice message or other content that cannot be shown here)',
    gone: '(Deleted)',
    states: {
      pending: 'waiting to be sent',
      sent: 'sent',
      skipped: 'not sent',
      failed: 'not sent',
      unknown: 'it may or may not have arrived',
    },
    reasons: {
      blocked: 'the person has blocked the account',
      noAddress: 'the person is no longer bound to a chat account',
      expired: 'it could not be sent for a day',
      refused: 'the chat provider rejected it',
      too_old: 'the chat provider did not respond for a day; it is not resent, to avoid sending it twice',
      interrupted: 'sending was interrupted; it is not resent, to avoid sending it twice',
      moved: 'the chat account now belongs to another person; it is not resent',
      erased: 'the person was erased',
    },
    because: (reason) => `code ${reason}`,
    refresh: 'Refresh',
    reply: {
      label: 'Reply',
      hint: 'The person receives it in the chat as you write it. At most 5,000 characters.',
      button: 'Send',
      another: 'Send anyway',
    },
    reach: {
      blocked: 'The person has blocked the account. A reply arrives only once they unblock it.',
      unbound:
        'This chat account is not linked to a person, so you cannot reply. The person has to link it first.',
    },
    unsent: {
      closed: { title: 'Not sent', text: 'This conversation is closed. The person may ask for another one.' },
      unbound: {
        title: 'Not sent',
        text: 'This chat account is not linked to a person, so you cannot reply.',
      },
      answered: {
        title: 'Not sent yet',
        text: 'A colleague has replied while you were writing. Read their reply, then decide whether to send yours.',
      },
      repeated: {
        title: 'Not sent yet',
        text: 'You have sent another reply with the same form. Press “Send” to send this one as well.',
      },
      empty: { title: 'Not sent yet', text: 'Write a reply.' },
      unfit: {
        title: 'Not sent yet',
        text: 'The chat cannot show this text. Change it, then send it again.',
      },
    },
    yourText: 'You wrote:',
    close: {
      open: 'Close the conversation',
      text: 'What the person writes afterwards does not appear here. Pending replies are still sent.',
      goesOn: 'The scenario that waits for this conversation continues.',
      button: 'Yes, close it',
    },
  },
}
