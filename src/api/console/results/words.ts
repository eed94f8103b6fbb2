import type { Locale } from '../../../contract/enums.ts'

type Words = {
  results: {
    title: string
    days: string
    lastDays: (days: string) => string
    show: string
    today: string
    tiles: Record<
      'people' | 'reached' | 'readRate' | 'blocked' | 'unsubscribes' | 'handoffs' | 'completed',
      string
    >
    of: (n: string) => string
    nobody: string
    trend: string
    curves: Record<'reached' | 'read' | 'answers' | 'completed' | 'unsubscribes' | 'blocked', string>
    day: string
    table: string
    csv: string
    patterns: string
    patternColumns: [name: string, invited: string, completed: string, rate: string]
    reminders: string
    reminderColumns: [name: string, reached: string, read: string, declined: string, sent: string]
    people: string
    peopleText: string
    /** Of how people came to be known, by their codes; `event` names a system. */
    sources: Record<string, string>
    fromSystem: (system: string) => string
    interests: string
    other: string
    alumni: (active: string, total: string) => string
    none: string
  }
  quota: {
    title: string
    month: string
    show: string
    left: string
    used: string
    reserved: string
    limit: string
    pool: string
    poolText: string
    /** If the month goes on as it has begun. */
    forecast: (pushes: string) => string
    beyond: string
    thresholds: Record<'ok' | 'warning' | 'exhausted', string>
    holds: string
    noHolds: string
    holdColumns: [message: string, when: string, pushes: string]
    reminder: string
    soon: string
  }
}

/** Texts of the pages with numbers. A number that is not known is a dash, never 0. */
export const numberWords: Record<Locale, Words> = {
  'zh-TW': {
    results: {
      title: '成效',
      days: '期間',
      lastDays: (days) => `最近 ${days} 天`,
      show: '顯示',
      today: '包含今天，依單位的時區計算。',
      tiles: {
        people: '收到訊息的人數',
        reached: '訊息送達人次',
        readRate: '已讀率',
        blocked: '封鎖聊天帳號',
        unsubscribes: '取消訂閱',
        handoffs: '轉由真人接手',
        completed: '完成的對話',
      },
      of: (n) => `共 ${n}`,
      nobody: '—',
      trend: '每天的變化',
      curves: {
        reached: '送達人次',
        read: '已讀',
        answers: '回覆',
        completed: '完成的對話',
        unsubscribes: '取消訂閱',
        blocked: '封鎖',
      },
      day: '日期',
      table: '以表格顯示',
      csv: '下載 CSV',
      patterns: '報名與問卷',
      patternColumns: ['名稱', '受邀', '完成', '完成率'],
      reminders: '提醒',
      reminderColumns: ['訊息', '送達', '已讀', '不需提醒', '提醒已送'],
      people: '全校的聯絡人',
      peopleText: '所有單位共用，依來源與身分統計。',
      sources: {
        directory: '校務名冊',
        import: '匯入',
        chat_follow: '加入聊天好友',
        chat_embed: '聊天中的應用程式',
        unknown: '未記錄',
        other: '其他',
      },
      fromSystem: (system) => `系統 ${system}`,
      interests: '興趣標籤',
      other: '其他',
      alumni: (active, total) => `校友：${total} 人中，有 ${active} 人在這段期間有互動。`,
      none: '這段期間沒有資料。',
    },
    quota: {
      title: '用量',
      month: '月份',
      show: '顯示',
      left: '剩餘',
      used: '已使用',
      reserved: '已保留',
      limit: '本月上限',
      pool: '共用額度',
      poolText: '單位的額度用完後，從所有單位共用的額度支付。',
      forecast: (pushes) => `依本月到今天的用量推算，整個月約 ${pushes} 則。`,
      beyond: '超過本月上限',
      thresholds: { ok: '充足', warning: '已用八成以上', exhausted: '已用完' },
      holds: '已保留給這些訊息',
      noHolds: '目前沒有訊息保留用量。',
      holdColumns: ['訊息', '發送時間', '則數'],
      reminder: '提醒',
      soon: '即將發送',
    },
  },
  en: {
    results: {
      title: 'Results',
      days: 'Period',
      lastDays: (days) => `Last ${days} days`,
      show: 'Show',
      today: 'Today included, in the time zone of the unit.',
      tiles: {
        people: 'People reached',
        reached: 'Messages that arrived',
        readRate: 'Read',
        blocked: 'Blocked the chat account',
        unsubscribes: 'Unsubscribed',
        handoffs: 'Taken over by people',
        completed: 'Conversations completed',
      },
      of: (n) => `of ${n}`,
      nobody: '—',
      trend: 'Day by day',
      curves: {
        reached: 'Arrived',
        read: 'Read',
        answers: 'Answers',
        completed: 'Completed',
        unsubscribes: 'Unsubscribed',
        blocked: 'Blocked',
      },
      day: 'Day',
      table: 'Show as a table',
      csv: 'Download as CSV',
      patterns: 'Registrations and surveys',
      patternColumns: ['Name', 'Invited', 'Completed', 'Share'],
      reminders: 'Reminders',
      reminderColumns: ['Message', 'Reached', 'Read', 'Declined', 'Reminded'],
      people: 'People of the whole institution',
      peopleText: 'All units share them; by source and stage.',
      sources: {
        directory: 'Directory',
        import: 'Import',
        chat_follow: 'Followed the chat account',
        chat_embed: 'App in the chat',
        unknown: 'Not recorded',
        other: 'Other',
      },
      fromSystem: (system) => `System ${system}`,
      interests: 'Interests',
      other: 'Other',
      alumni: (active, total) => `Alumni: ${active} of ${total} did something in this period.`,
      none: 'Nothing in this period.',
    },
    quota: {
      title: 'Quota',
      month: 'Month',
      show: 'Show',
      left: 'Left',
      used: 'Used',
      reserved: 'Reserved',
      limit: 'Limit of the month',
      pool: 'Shared pool',
      poolText: 'Once the allotment of the unit is used, the pool of all units pays.',
      forecast: (pushes) => `If the month goes on as it has begun, it comes to about ${pushes} pushes.`,
      beyond: 'More than its limit',
      thresholds: { ok: 'Enough', warning: 'More than 80 % used', exhausted: 'Exhausted' },
      holds: 'Reserved for these messages',
      noHolds: 'No message reserves any.',
      holdColumns: ['Message', 'When', 'Pushes'],
      reminder: 'Reminder',
      soon: 'Soon',
    },
  },
}
