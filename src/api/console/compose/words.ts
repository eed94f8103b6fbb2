import type { HistoryKind, Locale, PatternType } from '../../../contract/enums.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { askedKinds, WrittenKind } from './form/acts.ts'

export type ComposeWords = {
  title: string
  listTitle: string
  none: string
  begin: string
  beginText: string
  saved: (name: string, moment: string) => string
  untitled: string
  /** In place of the title of a personal message, for those who may not read it. */
  personal: string
  sections: Record<'what' | 'whom' | 'when' | 'check', string>
  choose: string
  upload: string
  chooseTemplate: string
  noTopic: string
  gone: string
  content: { blocks: string; template: string }
  kinds: Record<WrittenKind, string>
  add: string
  addOne: (kind: string) => string
  block: (number: string, kind: string) => string
  remove: string
  up: string
  down: string
  removeEntry: (number: string) => string
  /** What a field is called that is there once for each language. */
  inLanguage: Record<Locale, (label: string) => string>
  byDefault: (name: string, value: string) => string
  fields: Record<
    | 'categoryId'
    | 'topicId'
    | 'templateId'
    | 'text'
    | 'format'
    | 'url'
    | 'alt'
    | 'header'
    | 'title'
    | 'body'
    | 'imageUrl'
    | 'packageId'
    | 'stickerId'
    | 'fallbackText'
    | 'label'
    | 'link'
    | 'subject'
    | 'scheduleAt'
    | 'expiresAt'
    | 'remindAt'
    | 'remindTo'
    | 'pace'
    | 'start'
    | 'end'
    | 'place'
    | 'description'
    | 'deadline'
    | 'capacity'
    | 'waitingList'
    | 'question'
    | 'name',
    string
  >
  /** What a part of the form is called, where all of it is meant. */
  parts: Record<
    | 'audience'
    | 'exclude'
    | 'calendar'
    | 'variables'
    | 'messages'
    | 'actions'
    | 'options'
    | 'cards'
    | 'questions',
    string
  >
  numbered: (what: string, number: string) => string
  /** Of a button that opens no address. */
  doesElse: string
  formats: { plain: string; light: string }
  more: { actions: string; options: string; cards: string }
  entry: { actions: string; options: string; cards: string; questions: string }
  everybody: string
  some: string
  exclude: string
  history: Record<HistoryKind, string>
  search: string
  find: string
  chosen: (count: string) => string
  zone: (name: string) => string
  optional: string
  remindTo: { all: string; unanswered: string }
  noReminder: string
  calendar: string
  seen: string
  nothingSeen: string
  issues: {
    missing: string
    atLeast: (number: string) => string
    atMost: Record<'characters' | 'entries' | 'value', (number: string) => string>
    /** By the server's words. */
    known: Record<string, string>
    other: (message: string) => string
  }
  pattern: {
    titles: Record<PatternType, string>
    about: string
    places: string
    questions: string
    /** What is asked before the questions. */
    first: Record<PatternType, string>
    asks: Record<(typeof askedKinds)[number], string>
    typed: string
    mayBeSkipped: string
    remove: string
    submit: string
    open: string
    ready: string
    conversation: string
    played: string
  }
  template: {
    title: string
    newVersion: (name: string) => string
    about: string
    variables: string
    aboutVariables: string
    adds: { text: string; number: string }
    name: string
    default: string
    mayBeEmpty: string
    example: (name: string) => string
    remove: string
    ready: string
    submit: string
  }
  /** What the script says of saving. */
  states: Record<'saving' | 'failed' | 'over' | 'restored' | 'stale' | 'refused', string>
  noScript: string
  tested: string
  check: string
  submit: (people: string) => string
  test: string
  discard: string
  discardText: string
  confirmDiscard: string
  keep: string
  missing: string
  counted: (moment: string) => string
  nobody: string
  stale: { title: string; text: (name: string, moment: string) => string; mine: string; theirs: string }
  /** Before why the server would not do something. */
  refused: string
  /** Why, by the code of the error, where its words are not those of the language. */
  refusals: Partial<Record<ErrorCode, string>>
}

/** Texts of the page on which a message is written. */
export const composeWords: Record<Locale, ComposeWords> = {
  'zh-TW': {
    title: '撰寫訊息',
    listTitle: '撰寫中的訊息',
    none: '沒有撰寫中的訊息。',
    begin: '寫一則新訊息',
    beginText: '寫好後送審，由核准者核准後才會發送。撰寫中的內容會保留在這裡。',
    saved: (name, moment) => `${name} 於 ${moment} 儲存`,
    untitled: '（尚無內容）',
    personal: '個別訊息（只有作者和核准者可以查看）',
    sections: { what: '內容', whom: '對象', when: '時間與提醒', check: '送審前確認' },
    choose: '請選擇',
    upload: '上傳圖片',
    chooseTemplate: '選擇範本後，這裡會出現要填寫的欄位。',
    noTopic: '不屬於任何主題',
    gone: '（已無法選擇）',
    content: { blocks: '自己寫內容', template: '使用範本' },
    kinds: {
      text: '文字',
      image: '圖片',
      buttons: '按鈕',
      card: '卡片',
      carousel: '多張卡片',
      quickReply: '快速回覆',
      sticker: '貼圖',
    },
    add: '加入',
    addOne: (kind) => `＋ ${kind}`,
    block: (number, kind) => `第 ${number} 段：${kind}`,
    remove: '刪除這一段',
    up: '上移',
    down: '下移',
    removeEntry: (number) => `刪除第 ${number} 個`,
    inLanguage: { 'zh-TW': (label) => `${label}（中文）`, en: (label) => `${label}（英文）` },
    byDefault: (name, value) => `${name}（不填時為「${value}」）`,
    fields: {
      categoryId: '類別',
      topicId: '主題',
      templateId: '範本',
      text: '文字',
      format: '格式',
      url: '圖片網址',
      alt: '圖片說明',
      header: '標題上方的小字',
      title: '標題',
      body: '內文',
      imageUrl: '圖片網址',
      packageId: '貼圖組編號',
      stickerId: '貼圖編號',
      fallbackText: '電子郵件以文字代替',
      label: '按鈕文字',
      link: '連結網址',
      subject: '郵件主旨',
      scheduleAt: '發送時間',
      expiresAt: '逾期不再發送',
      remindAt: '提醒時間',
      remindTo: '提醒對象',
      pace: '每分鐘最多幾人',
      start: '開始時間',
      end: '結束時間',
      place: '地點',
      description: '說明',
      deadline: '截止時間',
      capacity: '名額',
      waitingList: '額滿後可以候補',
      question: '問題',
      name: '名稱',
    },
    parts: {
      audience: '對象',
      exclude: '不要發給',
      calendar: '行事曆',
      variables: '範本欄位',
      messages: '內容',
      actions: '按鈕',
      options: '選項',
      cards: '卡片',
      questions: '問題',
    },
    numbered: (what, number) => `${what} ${number}`,
    doesElse: '這個按鈕會在聊天室裡繼續，例如開始報名。',
    formats: { plain: '純文字', light: '可用 **粗體**、連結與清單' },
    more: { actions: '加一個按鈕', options: '加一個選項', cards: '加一張卡片' },
    entry: { actions: '按鈕', options: '選項', cards: '卡片', questions: '問題' },
    everybody: '所有人',
    some: '符合下列條件的人',
    exclude: '其中不要發給',
    history: { registered: '已報名', received: '收過的訊息', answered: '回覆過的訊息' },
    search: '尋找',
    find: '尋找',
    chosen: (count) => `已選 ${count} 項`,
    zone: (name) => `時間以${name}為準。`,
    optional: '選填',
    remindTo: { all: '所有收件人', unanswered: '還沒回覆的人' },
    noReminder: '依提醒時間，提醒所有收件人',
    calendar: '讓收件人加入行事曆',
    seen: '收件人會看到',
    nothingSeen: '內容寫好後，這裡會顯示收件人看到的樣子。',
    issues: {
      missing: '還沒有填寫',
      atLeast: (number) => `至少要 ${number}`,
      atMost: {
        characters: (number) => `最多 ${number} 個字`,
        entries: (number) => `最多 ${number} 個`,
        value: (number) => `最大為 ${number}`,
      },
      known: {
        'must be a URL': '請填寫完整的網址，例如 https://example.edu',
        'must not be empty': '還沒有填寫',
        'must use at least one dimension besides exclude': '請至少選擇一個條件，或選擇「所有人」',
        'must be omitted without remindAt': '請填寫提醒時間，或不要選擇提醒對象',
        'must be later than start': '必須晚於開始時間',
        'must have exactly one of templateId or messages': '請至少加入一段內容',
        'must be an integer': '請填寫整數',
        'must be one on which an address is bound to your subject; ask a system administrator to check your subjectUid':
          '您的帳號在這個管道還沒有地址，請系統管理員檢查您的 subjectUid',
      },
      other: (message) => `系統訊息：${message}`,
    },
    pattern: {
      titles: { registration: '新的報名', survey: '新的問卷', rsvp: '新的出席調查' },
      about: '關於這個活動',
      places: '名額與行事曆',
      questions: '問題',
      first: {
        registration: '會先問「您要報名嗎？」，再依序問下面的問題。不加問題也可以。',
        survey: '會依序問下面的問題，至少要有一題。',
        rsvp: '會先問「您會出席嗎？」，出席的人再回答下面的問題。不加問題也可以。',
      },
      asks: { choice: '選擇題', typed: '填答題' },
      typed: '對方可以輸入任何文字。',
      mayBeSkipped: '可以略過',
      remove: '刪除這一題',
      submit: '建立並送審',
      open: '建立並開放',
      ready: '可以開放。開放後就能邀請大家；這一步不會發送任何訊息。',
      conversation: '對話的樣子',
      played: '以一位參加者為例：願意參加，其他問題都選第一個選項。',
    },
    template: {
      title: '新的範本',
      newVersion: (name) => `「${name}」的新版本`,
      about: '關於這個範本',
      variables: '欄位',
      aboutVariables: '內容中寫 {{ 名稱 }} 的地方，會換成使用範本的人填的值。',
      adds: { text: '文字欄位', number: '數字欄位' },
      name: '名稱（英文字母、數字與底線）',
      default: '沒有填寫時的值',
      mayBeEmpty: '可以不填',
      example: (name) => `${name} 的範例值（只用來預覽）`,
      remove: '刪除這個欄位',
      ready: '可以送審。核准後，訊息才會使用這個版本。',
      submit: '送審',
    },
    states: {
      saving: '儲存中…',
      failed: '尚未儲存：目前無法連線。您寫的內容留在這個瀏覽器，會自動再試。',
      over: '尚未儲存：您已登出。請在另一個分頁登入，再回到這裡繼續；您寫的內容留在這個瀏覽器。',
      restored: '已找回上次沒有儲存的內容。',
      stale: '尚未儲存：請先選擇要保留誰的內容。',
      refused: '圖片沒有上傳。請用 10 MB 以內的 JPEG、PNG 或 WebP 檔。',
    },
    noScript:
      '這個瀏覽器沒有執行指令碼：按下任何按鈕都會儲存，但不會自動儲存、即時計算人數，也無法上傳圖片。',
    tested: '已傳給您自己。請看您的手機或信箱。',
    check: '儲存並檢查',
    submit: (people) => `送審：${people}`,
    test: '傳給自己試看',
    discard: '捨棄',
    discardText: '捨棄後，寫好的內容不會保留。',
    confirmDiscard: '確定捨棄',
    keep: '返回',
    missing: '還不能送審，請修改標示的欄位：',
    counted: (moment) => `${moment} 計算；發送時會再計算一次。`,
    nobody: '目前沒有人符合，因此不會發給任何人。請檢查對象。',
    stale: {
      title: '其他人已修改這則訊息',
      text: (name, moment) =>
        `${name} 在 ${moment} 儲存了另一個版本。您寫的內容仍在下面的表單裡，還沒有儲存。`,
      mine: '以我的內容取代',
      theirs: '放棄我的修改，改看對方的版本',
    },
    refused: '沒有完成。',
    refusals: {
      audience_dimension_not_allowed: '您不能用其中一個條件挑選對象，請改用其他條件。',
      individual_targeting_disabled:
        '條件選到的人太少，或指名了個人，所以不能顯示人數。請放寬條件，或請核准者查看。',
      topic_inactive: '這個主題已停用，請改選其他主題。',
      quota_exceeded: '本月額度不足。請減少對象，或請系統管理員提高額度。',
      too_many_runs: '正在進行的對話太多，請稍後再試。',
      not_found: '用到的項目已不存在，或不屬於這個單位。請重新整理頁面。',
      forbidden: '您沒有這個單位的權限。',
      self_approval: '內容有您撰寫的部分，須由其他人核准。',
      invalid_transition: '目前的狀態不能這麼做。請重新整理頁面，看看現在的狀況。',
      missing_variable: '範本有欄位還沒有填寫。',
      not_configured: '這個管道還沒有設定，請聯絡系統管理員。',
      provider: '平台沒有接受這則訊息。請檢查內容，或聯絡系統管理員。',
      retryable: '平台目前忙碌，請稍後再試。',
      unavailable: '系統目前忙碌，請稍後再試。',
      rate_limited: '操作太頻繁，請稍後再試。',
    },
  },
  en: {
    title: 'Write a message',
    listTitle: 'Messages being written',
    none: 'No message is being written.',
    begin: 'Write a new message',
    beginText:
      'Once it is written you submit it, and it is sent after an approver has approved it. What is written stays here.',
    saved: (name, moment) => `saved by ${name}, ${moment}`,
    untitled: '(nothing yet)',
    personal: 'A personal message, which only its authors and approvers may read',
    sections: { what: 'Content', whom: 'Recipients', when: 'Time and reminder', check: 'Before you submit' },
    choose: 'Please choose',
    upload: 'Upload a picture',
    chooseTemplate: 'Once a template is chosen, its fields are shown here.',
    noTopic: 'Of no topic',
    gone: '(can no longer be chosen)',
    content: { blocks: 'Write the words here', template: 'Use a template' },
    kinds: {
      text: 'Text',
      image: 'Picture',
      buttons: 'Buttons',
      card: 'Card',
      carousel: 'Cards',
      quickReply: 'Quick reply',
      sticker: 'Sticker',
    },
    add: 'Add',
    addOne: (kind) => `＋ ${kind}`,
    block: (number, kind) => `Part ${number}: ${kind}`,
    remove: 'Remove this part',
    up: 'Up',
    down: 'Down',
    removeEntry: (number) => `Remove number ${number}`,
    inLanguage: { 'zh-TW': (label) => `${label} (Chinese)`, en: (label) => `${label} (English)` },
    byDefault: (name, value) => `${name} (“${value}” if left empty)`,
    fields: {
      categoryId: 'Category',
      topicId: 'Topic',
      templateId: 'Template',
      text: 'Text',
      format: 'Format',
      url: 'Address of the picture',
      alt: 'What the picture shows',
      header: 'Line above the title',
      title: 'Title',
      body: 'Text below the title',
      imageUrl: 'Address of a picture',
      packageId: 'Number of the set',
      stickerId: 'Number of the sticker',
      fallbackText: 'What mail says instead',
      label: 'What the button says',
      link: 'Where it leads',
      subject: 'Subject of the mail',
      scheduleAt: 'Send at',
      expiresAt: 'Not after',
      remindAt: 'Remind at',
      remindTo: 'Remind',
      pace: 'People a minute, at most',
      start: 'Begins at',
      end: 'Ends at',
      place: 'Place',
      description: 'What it is about',
      deadline: 'Open until',
      capacity: 'Places',
      waitingList: 'A waiting list, once all places are taken',
      question: 'Question',
      name: 'Name',
    },
    parts: {
      audience: 'Recipients',
      exclude: 'Left out',
      calendar: 'Calendar',
      variables: 'Field of the template',
      messages: 'Content',
      actions: 'Buttons',
      options: 'Options',
      cards: 'Cards',
      questions: 'Questions',
    },
    numbered: (what, number) => `${what} ${number}`,
    doesElse: 'This button goes on in the chat, such as with a registration.',
    formats: { plain: 'Plain', light: 'With **bold**, links and lists' },
    more: { actions: 'Another button', options: 'Another option', cards: 'Another card' },
    entry: { actions: 'Button', options: 'Option', cards: 'Card', questions: 'Question' },
    everybody: 'Everybody',
    some: 'Everybody who fits all of these',
    exclude: 'Of them, leave out',
    history: {
      registered: 'Registered for',
      received: 'Received the message',
      answered: 'Answered the message',
    },
    search: 'Look for',
    find: 'Find',
    chosen: (count) => `${count} chosen`,
    zone: (name) => `Times are in ${name}.`,
    optional: 'optional',
    remindTo: { all: 'all recipients', unanswered: 'those who have not answered' },
    noReminder: 'all recipients, if there is a time',
    calendar: 'An entry for their calendars',
    seen: 'What they see',
    nothingSeen: 'What recipients would see is shown here as soon as the content is written.',
    issues: {
      missing: 'is still empty',
      atLeast: (number) => `at least ${number}`,
      atMost: {
        characters: (number) => `at most ${number} characters`,
        entries: (number) => `at most ${number}`,
        value: (number) => `at most ${number}`,
      },
      known: {
        'must be a URL': 'Give the whole address, such as https://example.edu',
        'must not be empty': 'is still empty',
        'must use at least one dimension besides exclude': 'Choose at least one condition, or everybody',
        'must be omitted without remindAt': 'Give a time for the reminder, or choose nobody to remind',
        'must be later than start': 'must be later than the beginning',
        'must have exactly one of templateId or messages': 'Add at least one part',
        'must be an integer': 'Give a whole number',
      },
      other: (message) => message,
    },
    pattern: {
      titles: { registration: 'A new registration', survey: 'A new survey', rsvp: 'Who comes?' },
      about: 'What it is about',
      places: 'Places and calendar',
      questions: 'Questions',
      first: {
        registration:
          'People are asked first whether they want to register, then these questions. None are needed.',
        survey: 'People are asked these questions, one at least.',
        rsvp: 'People are asked first whether they come; those who do are then asked these questions. None are needed.',
      },
      asks: { choice: 'A choice', typed: 'A text to type' },
      typed: 'People can type any text.',
      mayBeSkipped: 'May be skipped',
      remove: 'Remove this question',
      submit: 'Create it and submit it',
      open: 'Create it and open it',
      ready: 'It can be opened, and people invited afterwards: nothing is sent by this.',
      conversation: 'The conversation',
      played: 'With a person who takes part, and chooses the first option of every other question.',
    },
    template: {
      title: 'A new template',
      newVersion: (name) => `A new version of “${name}”`,
      about: 'About the template',
      variables: 'Fields',
      aboutVariables:
        'Where the content says {{ name }}, the value stands that whoever uses the template fills in.',
      adds: { text: 'A text', number: 'A number' },
      name: 'Name (letters, digits and _)',
      default: 'Value if nothing is filled in',
      mayBeEmpty: 'May be left empty',
      example: (name) => `Example of ${name}, for the preview alone`,
      remove: 'Remove this field',
      ready: 'It can be submitted. Messages use this version once it is approved.',
      submit: 'Submit it',
    },
    states: {
      saving: 'Saving…',
      failed:
        'Not saved yet: there is no connection. What you wrote stays in this browser, which tries again by itself.',
      over: 'Not saved yet: you are signed out. Sign in in another tab and go on here; what you wrote stays in this browser.',
      restored: 'What was not saved last time is back.',
      stale: 'Not saved yet: choose first whose words stay.',
      refused: 'The picture was not uploaded. Use a JPEG, PNG or WebP of at most 10 MB.',
    },
    noScript:
      'This browser runs no scripts: each button saves, but nothing is saved or counted while you write, and pictures cannot be uploaded.',
    tested: 'It was sent to you. Look at your phone or your mail.',
    check: 'Save and check',
    submit: (people) => `Submit: ${people}`,
    test: 'Send to myself',
    discard: 'Discard',
    discardText: 'What was written is not kept.',
    confirmDiscard: 'Discard it',
    keep: 'Back',
    missing: 'It cannot be submitted yet. Change the fields that are marked:',
    counted: (moment) => `Counted at ${moment}; counted again at the send.`,
    nobody: 'Nobody fits, so that nobody would receive it. Look at the recipients.',
    stale: {
      title: 'Somebody else has changed this message',
      text: (name, moment) =>
        `${name} saved another version at ${moment}. What you wrote is still in the form below, and not saved.`,
      mine: 'Replace it by mine',
      theirs: 'Give up my changes and see theirs',
    },
    refused: 'It was not done: ',
    refusals: {},
  },
}
